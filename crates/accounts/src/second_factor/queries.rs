//! Every statement about second factors, and about what waits for a second step.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{PasskeyId, SessionId, UserId};
use planwright_domain::words::ChallengeKind;
use planwright_store::{Read, Record, Result, ToValue, Tx, row, sql};
use uuid::Uuid;

use super::ceremonies::StoredKey;
use super::model::{ChallengeRow, PasskeyRow, SignInPolicyRow, TotpRow};
use super::rules::MOST_ATTEMPTS;

row! {
    /// How a person is secured.
    #[derive(Copy)]
    pub struct StandingRow {
        pub since: Option<DateTime<Utc>>,
        pub is_required: bool,
        pub totp_since: Option<DateTime<Utc>>,
        pub recovery_codes_left: i64,
    }
}

/// How a person is secured.
pub async fn standing(db: &dyn Read, user: UserId) -> Result<StandingRow> {
    let select = "SELECT u.second_factor_since AS since,
            EXISTS (SELECT 1 FROM sign_in_policy p WHERE p.second_factor_required = TRUE) AS is_required,
            (SELECT t.confirmed_at FROM totp_factors t WHERE t.user_id = u.id) AS totp_since,
            (SELECT COUNT(*) FROM recovery_codes r WHERE r.user_id = u.id AND r.used_at IS NULL)
                AS recovery_codes_left
         FROM users u WHERE u.id = :user";
    db.one(sql!(select, user = user)).await
}

/// The app of a person.
pub async fn totp(db: &dyn Read, user: UserId) -> Result<Option<TotpRow>> {
    let select = "SELECT id, sealed_secret, confirmed_at FROM totp_factors WHERE user_id = :user";
    db.maybe(sql!(select, user = user)).await
}

/// Adds an app that has not shown a code yet.
pub async fn insert_totp(tx: &mut Tx, user: UserId, row: &TotpRow, last_step: i64) -> Result<()> {
    let insert = "INSERT INTO totp_factors (id, user_id, sealed_secret, last_step, created_at)
         VALUES (:id, :user, :secret, :step, :now)";
    let (secret, now) = (&row.sealed_secret, tx.now());
    let statement = sql!(insert, id = row.id, user = user, secret = secret, step = last_step, now = now);
    tx.run(statement).await.map(drop)
}

/// Notes the step of an accepted code; false where it, or a later one, was used before.
pub async fn use_step(tx: &mut Tx, id: Uuid, step: i64) -> Result<bool> {
    let update = "UPDATE totp_factors SET last_step = :step, confirmed_at = COALESCE(confirmed_at, :now)
         WHERE id = :id AND last_step < :step";
    let statement = sql!(update, step = step, now = tx.now(), id = id);
    Ok(tx.run(statement).await? == 1)
}

/// Removes the app of a person.
pub async fn delete_totp(tx: &mut Tx, user: UserId) -> Result<bool> {
    Ok(tx.run(sql!("DELETE FROM totp_factors WHERE user_id = :user", user = user)).await? == 1)
}

/// The recovery codes of a person that were not used.
pub async fn unused_codes(db: &dyn Read, user: UserId) -> Result<Vec<(Uuid, String)>> {
    let select = "SELECT id, code_hash FROM recovery_codes WHERE user_id = :user AND used_at IS NULL";
    db.all(sql!(select, user = user)).await
}

/// Uses a recovery code up; false when another request did so in the same moment.
pub async fn use_code(tx: &mut Tx, id: Uuid) -> Result<bool> {
    let update = "UPDATE recovery_codes SET used_at = :now WHERE id = :id AND used_at IS NULL";
    let statement = sql!(update, now = tx.now(), id = id);
    Ok(tx.run(statement).await? == 1)
}

/// Replaces the recovery codes of a person.
pub async fn write_codes(tx: &mut Tx, user: UserId, hashes: Vec<String>) -> Result<()> {
    tx.run(sql!("DELETE FROM recovery_codes WHERE user_id = :user", user = user)).await?;
    let insert = "INSERT INTO recovery_codes (id, user_id, code_hash, created_at)
         VALUES (:id, :user, :hash, :now)";
    let now = tx.now().to_value();
    let row = |hash: String| {
        let id = tx.mint::<Uuid>().to_value();
        vec![("id", id), ("user", user.to_value()), ("hash", hash.to_value()), ("now", now.clone())]
    };
    let rows: Vec<_> = hashes.into_iter().map(row).collect();
    tx.run_rows(insert, rows).await.map(drop)
}

const PASSKEY: &str =
    "SELECT id, user_id, name, credential_id, public_key, counter_state, created_at, last_used_at
     FROM passkeys";

/// The passkeys of a person, oldest first.
pub async fn passkeys(db: &dyn Read, user: UserId) -> Result<Vec<PasskeyRow>> {
    let select = format!("{PASSKEY} WHERE user_id = :user ORDER BY created_at, id");
    db.all(sql!(select, user = user)).await
}

/// A passkey of a person.
pub async fn passkey(db: &dyn Read, user: UserId, id: PasskeyId) -> Result<Option<PasskeyRow>> {
    let select = format!("{PASSKEY} WHERE user_id = :user AND id = :id");
    db.maybe(sql!(select, user = user, id = id)).await
}

/// The passkey that its authenticator calls so.
pub async fn passkey_called(db: &dyn Read, credential_id: &str) -> Result<Option<PasskeyRow>> {
    db.maybe(sql!(format!("{PASSKEY} WHERE credential_id = :id"), id = credential_id)).await
}

/// Adds a passkey.
pub async fn insert_passkey(tx: &mut Tx, row: &PasskeyRow) -> Result<()> {
    let insert =
        "INSERT INTO passkeys (id, user_id, name, credential_id, public_key, counter_state, created_at)
         VALUES (:id, :user, :name, :credential, :key, :state, :now)";
    let statement = sql!(
        insert,
        id = row.id,
        user = row.user_id,
        name = &row.name,
        credential = &row.credential_id,
        key = &row.public_key,
        state = &row.counter_state,
        now = row.created_at
    );
    tx.run(statement).await.map(drop)
}

/// Renames a passkey.
pub async fn rename_passkey(tx: &mut Tx, id: PasskeyId, name: &str) -> Result<()> {
    let update = "UPDATE passkeys SET name = :name WHERE id = :id";
    tx.run(sql!(update, name = name, id = id)).await.map(drop)
}

/// Notes the use of a passkey; false when its counter has moved since it was read.
pub async fn use_passkey(tx: &mut Tx, id: PasskeyId, before: &StoredKey, after: &str) -> Result<bool> {
    let update = "UPDATE passkeys SET counter_state = :after, last_used_at = :now
         WHERE id = :id AND counter_state = :before";
    let statement = sql!(update, after = after, now = tx.now(), id = id, before = &before.counter_state);
    Ok(tx.run(statement).await? == 1)
}

/// Removes a passkey of a person; false where there is none.
pub async fn delete_passkey(tx: &mut Tx, user: UserId, id: PasskeyId) -> Result<bool> {
    let delete = "DELETE FROM passkeys WHERE user_id = :user AND id = :id";
    Ok(tx.run(sql!(delete, user = user, id = id)).await? == 1)
}

/// Removes all passkeys of a person.
pub async fn delete_passkeys(tx: &mut Tx, user: UserId) -> Result<()> {
    tx.run(sql!("DELETE FROM passkeys WHERE user_id = :user", user = user)).await.map(drop)
}

/// Notes that a person has a second factor; false if they had one. It locks the person.
pub async fn secure(tx: &mut Tx, user: UserId) -> Result<bool> {
    let update = "UPDATE users SET second_factor_since = :now, server_version = server_version + 1
         WHERE id = :user AND second_factor_since IS NULL";
    let statement = sql!(update, now = tx.now(), user = user);
    Ok(tx.run(statement).await? == 1)
}

/// Notes that a person has no second factor any more; false if they had none.
pub async fn unsecure(tx: &mut Tx, user: UserId) -> Result<bool> {
    let update = "UPDATE users SET second_factor_since = NULL, server_version = server_version + 1
         WHERE id = :user AND second_factor_since IS NOT NULL";
    Ok(tx.run(sql!(update, user = user)).await? == 1)
}

/// Notes that the person of a sign-in has proved that it is they, and whether they showed a second factor.
pub async fn confirm(tx: &mut Tx, session: SessionId, by_factor: bool) -> Result<()> {
    let update = "UPDATE sessions SET confirmed_at = :now,
            has_second_factor = CASE WHEN :factor = TRUE THEN TRUE ELSE has_second_factor END,
            factor_of_provider = CASE WHEN :factor = TRUE THEN FALSE ELSE factor_of_provider END
         WHERE id = :id AND revoked_at IS NULL";
    let statement = sql!(update, now = tx.now(), factor = by_factor, id = session);
    tx.run(statement).await.map(drop)
}

/// Notes that something waits for its second step, and forgets what waited too long.
pub async fn insert_challenge(
    tx: &mut Tx,
    kind: ChallengeKind,
    token_hash: &str,
    row: &ChallengeRow,
    expires_at: DateTime<Utc>,
) -> Result<()> {
    forget_challenges(tx).await?;
    let insert =
        "INSERT INTO sign_in_challenges (token_hash, kind, user_id, sealed_state, remember, attempts, expires_at)
         VALUES (:hash, :kind, :user, :state, :remember, 0, :expires)";
    let statement = sql!(
        insert,
        hash = token_hash,
        kind = kind,
        user = row.user_id,
        state = &row.sealed_state,
        remember = row.remember,
        expires = expires_at
    );
    tx.run(statement).await.map(drop)
}

/// Counts an attempt; none when it was the last, took too long, or there is nothing that waits. It locks the row.
pub async fn attempt(tx: &mut Tx, kind: ChallengeKind, token_hash: &str) -> Result<Option<ChallengeRow>> {
    let update = "UPDATE sign_in_challenges SET attempts = attempts + 1
         WHERE token_hash = :hash AND kind = :kind AND attempts < :most AND expires_at > :now";
    let counted = sql!(update, hash = token_hash, kind = kind, most = MOST_ATTEMPTS, now = tx.now());
    if tx.run(counted).await? == 0 {
        return Ok(None);
    }
    let select = "SELECT user_id, sealed_state, remember FROM sign_in_challenges WHERE token_hash = :hash";
    tx.maybe(sql!(select, hash = token_hash)).await
}

/// Ends what waited.
pub async fn delete_challenge(tx: &mut Tx, token_hash: &str) -> Result<bool> {
    let delete = "DELETE FROM sign_in_challenges WHERE token_hash = :hash";
    Ok(tx.run(sql!(delete, hash = token_hash)).await? == 1)
}

/// Ends everything of a person that waits.
pub async fn delete_challenges_of(tx: &mut Tx, user: UserId) -> Result<()> {
    tx.run(sql!("DELETE FROM sign_in_challenges WHERE user_id = :user", user = user)).await.map(drop)
}

/// Forgets what waited too long.
pub async fn forget_challenges(tx: &mut Tx) -> Result<u64> {
    let now = tx.now();
    tx.run(sql!("DELETE FROM sign_in_challenges WHERE expires_at < :now", now = now)).await
}

/// What the workspace asks of sign-ins, if anybody wrote it.
pub async fn policy(db: &dyn Read) -> Result<Option<SignInPolicyRow>> {
    let select = format!("SELECT {} FROM sign_in_policy p WHERE p.id = 1", SignInPolicyRow::select_list("p"));
    db.maybe(sql!(select)).await
}

/// The same, locked until the transaction ends. The row of the workspace is locked first, since there may be none.
pub async fn lock_policy(tx: &Tx) -> Result<Option<SignInPolicyRow>> {
    tx.rows(sql!(format!("SELECT id FROM workspace WHERE id = 1 {}", tx.engine().row_lock()))).await?;
    policy(tx).await
}

/// How many people who may sign in have no second factor.
pub async fn people_without(db: &dyn Read) -> Result<i64> {
    let select = "SELECT COUNT(*) FROM users
         WHERE is_active = TRUE AND status <> 'deactivated' AND second_factor_since IS NULL";
    db.count(sql!(select)).await
}

/// Takes the second factor from sign-ins that have shown none but that of a provider. The sign-in of whoever decides that stays.
pub async fn forget_factors_of_providers(tx: &mut Tx, except: Option<SessionId>) -> Result<()> {
    let update = "UPDATE sessions SET has_second_factor = FALSE, factor_of_provider = FALSE WHERE factor_of_provider = TRUE";
    tx.run(sql!(update).when("AND id <> :except", "except", except)).await.map(drop)
}

/// Whether a sign-in has shown a second factor.
pub async fn has_shown(db: &dyn Read, session: SessionId) -> Result<bool> {
    let select = "SELECT has_second_factor FROM sessions WHERE id = :id";
    Ok(db.scalar(sql!(select, id = session)).await?.unwrap_or(false))
}
