//! Every statement about sessions and their refresh tokens.
//! What a token is worth is decided in `rules.rs`.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{SessionId, UserId};
use planwright_jobs::revoked;
use planwright_store::{Read, Result, Tx, sql};
use uuid::Uuid;

use super::model::{Device, PresentedToken};
use super::{Factor, Session};
use crate::people::PersonRow;
use crate::second_factor;

/// The row of a refresh token.
pub async fn find_token(db: &dyn Read, id: Uuid, user: UserId) -> Result<Option<PresentedToken>> {
    let select = "SELECT r.id, r.session_id, r.expires_at, r.used_at, s.ends_at, s.revoked_at, s.user_id,
            u.is_active, u.status
         FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id JOIN users u ON u.id = s.user_id
         WHERE r.id = :id AND s.user_id = :user";
    db.maybe(sql!(select, id = id, user = user)).await
}

/// Notes when a person signed in; false when they were deactivated, got another password, or got or lost their second factor since
/// they were read.
///
/// It also locks the person, so that a password change either sees the session that follows or prevents it.
pub async fn note_sign_in(tx: &mut Tx, person: &PersonRow) -> Result<bool> {
    let statement = sql!(
        "UPDATE users SET last_login_at = :now
         WHERE id = :id AND password_hash = :hash AND is_active = TRUE AND status <> 'deactivated'
            AND (second_factor_since IS NOT NULL) = :secured",
        now = tx.now(),
        id = person.id,
        hash = person.password_hash.clone(),
        secured = person.second_factor_since.is_some()
    );
    Ok(tx.run(statement).await? == 1)
}

/// Adds a session.
pub async fn insert_session(tx: &mut Tx, session: &Session, device: &Device, factor: Factor) -> Result<()> {
    let statement = sql!(
        "INSERT INTO sessions (id, user_id, source_ip, user_agent, created_at, ends_at, has_second_factor,
            factor_of_provider, confirmed_at)
         VALUES (:id, :user, :address, :agent, :now, :ends, :factor, :of_provider, :now)",
        id = session.id,
        user = session.user,
        address = device.address.clone(),
        agent = device.user_agent.clone(),
        now = tx.now(),
        ends = session.ends_at,
        factor = factor != Factor::None,
        of_provider = factor == Factor::OfProvider
    );
    tx.run(statement).await.map(drop)
}

/// Adds a refresh token to a session.
pub async fn insert_token(
    tx: &mut Tx,
    id: Uuid,
    session: SessionId,
    expires_at: DateTime<Utc>,
) -> Result<()> {
    let statement = sql!(
        "INSERT INTO refresh_tokens (id, session_id, issued_at, expires_at)
         VALUES (:id, :session, :now, :expires)",
        id = id,
        session = session,
        now = tx.now(),
        expires = expires_at
    );
    tx.run(statement).await.map(drop)
}

/// Uses a refresh token up; false when another request did so in the same moment.
pub async fn use_up(tx: &mut Tx, token: Uuid) -> Result<bool> {
    let statement = sql!(
        "UPDATE refresh_tokens SET used_at = :now WHERE id = :id AND used_at IS NULL",
        now = tx.now(),
        id = token
    );
    Ok(tx.run(statement).await? == 1)
}

/// Ends a session of a person, and with it the whole family of its tokens; false when it had ended, or is another's.
pub async fn revoke(tx: &mut Tx, user: UserId, session: SessionId) -> Result<bool> {
    let statement = sql!(
        "UPDATE sessions SET revoked_at = :now WHERE id = :id AND user_id = :user AND revoked_at IS NULL",
        now = tx.now(),
        id = session,
        user = user
    );
    let is_revoked = tx.run(statement).await? == 1;
    if is_revoked {
        revoked::announce(tx, user).await?;
    }
    Ok(is_revoked)
}

/// Ends every session of a person.
pub async fn revoke_all(tx: &mut Tx, user: UserId) -> Result<()> {
    let now = tx.now();
    revoke_begun_until(tx, user, now).await
}

/// Ends the sessions of a person that began until a moment.
pub async fn revoke_begun_until(tx: &mut Tx, user: UserId, until: DateTime<Utc>) -> Result<()> {
    let statement = sql!(
        "UPDATE sessions SET revoked_at = :now WHERE user_id = :user AND revoked_at IS NULL AND created_at <= :until",
        now = tx.now(),
        user = user,
        until = until
    );
    tx.run(statement).await?;
    // A sign-in that waits for its second step has shown a password that may be another one by now.
    second_factor::queries::delete_challenges_of(tx, user).await?;
    revoked::announce(tx, user).await
}

/// Ends all sign-ins of a person except one.
pub async fn revoke_others(tx: &mut Tx, user: UserId, kept: Option<SessionId>) -> Result<()> {
    let update = "UPDATE sessions SET revoked_at = :now
         WHERE user_id = :user AND revoked_at IS NULL AND id IS DISTINCT FROM :kept";
    tx.run(sql!(update, now = tx.now(), user = user, kept = kept)).await?;
    revoked::announce(tx, user).await
}

/// Drops tokens that were used up, expired or revoked before then, and sessions that have none left; returns how many
/// sessions. A session that may still go on always has a token that is not used up. Access tokens do not last that long.
pub async fn forget_ended(tx: &mut Tx, before: DateTime<Utc>) -> Result<u64> {
    tx.run(sql!(
        "DELETE FROM refresh_tokens WHERE used_at < :before OR expires_at < :before
            OR session_id IN (SELECT id FROM sessions WHERE revoked_at < :before)",
        before = before
    ))
    .await?;
    tx.run(sql!(
        "DELETE FROM sessions WHERE created_at < :before
            AND NOT EXISTS (SELECT 1 FROM refresh_tokens r WHERE r.session_id = sessions.id)",
        before = before
    ))
    .await
}
