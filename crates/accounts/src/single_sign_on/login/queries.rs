//! Every statement of a sign-in with a provider.

use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::ids::{SsoIdentityId, SsoProviderId, UserId};
use planwright_domain::words::MemberStatus;
use planwright_store::{Read, Result, Tx, row, sql};

use super::super::Identity;
use super::super::providers::model::SsoProviderRow;

row! {
    /// A sign-in that waits for the answer of its provider.
    pub struct WaitingRow {
        pub provider_id: SsoProviderId,
        pub sealed_challenge: String,
        pub redirect_uri: String,
        pub expires_at: DateTime<Utc>,
    }
}

/// Notes that a sign-in waits.
pub async fn insert_state(tx: &mut Tx, state_hash: &str, waiting: &WaitingRow) -> Result<()> {
    let insert =
        "INSERT INTO sso_states (state_hash, provider_id, sealed_challenge, redirect_uri, expires_at)
         VALUES (:state, :provider, :challenge, :redirect, :expires)";
    let statement = sql!(
        insert,
        state = state_hash,
        provider = waiting.provider_id,
        challenge = &waiting.sealed_challenge,
        redirect = &waiting.redirect_uri,
        expires = waiting.expires_at
    );
    tx.run(statement).await.map(drop)
}

/// Takes the sign-in of a state, which nobody can do a second time.
pub async fn take_state(tx: &mut Tx, state_hash: &str) -> Result<Option<WaitingRow>> {
    let select = "SELECT provider_id, sealed_challenge, redirect_uri, expires_at FROM sso_states WHERE state_hash = :state";
    let Some(waiting) = tx.maybe(sql!(select, state = state_hash)).await? else { return Ok(None) };
    let delete = "DELETE FROM sso_states WHERE state_hash = :state";
    let is_first = tx.run(sql!(delete, state = state_hash)).await? == 1;
    Ok(Some(waiting).filter(|_| is_first))
}

/// Forgets sign-ins that nobody finished.
pub async fn forget_expired(tx: &mut Tx) -> Result<u64> {
    let now = tx.now();
    tx.run(sql!("DELETE FROM sso_states WHERE expires_at < :now", now = now)).await
}

row! {
    /// A person behind an address, and what decides whether a provider may vouch for them.
    pub struct FoundRow {
        pub id: UserId,
        pub is_active: bool,
        pub status: MemberStatus,
        pub workspace_role: Role,
        /// The rank of who wrote the provider last.
        pub keeper_role: Option<Role>,
        /// Whether they are somebody else at this provider already.
        pub is_linked: bool,
    }
}

/// The person who is linked to a subject of a provider, and who vouched for them then.
pub async fn linked(
    db: &dyn Read,
    provider: SsoProviderId,
    subject: &str,
) -> Result<Option<(UserId, bool, MemberStatus, String)>> {
    let select =
        "SELECT u.id, u.is_active, u.status, i.issuer FROM sso_identities i JOIN users u ON u.id = i.user_id
         WHERE i.provider_id = :provider AND i.subject = :subject";
    db.maybe(sql!(select, provider = provider, subject = subject)).await
}

/// The people with an address, two at most; case does not matter.
pub async fn by_address(tx: &mut Tx, provider: &SsoProviderRow, email: &str) -> Result<Vec<FoundRow>> {
    // Of two sign-ins at once with one address, the second sees that the first has linked it.
    let known: Vec<UserId> =
        tx.scalars(sql!("SELECT id FROM users WHERE lower(email) = lower(:email)", email = email)).await?;
    tx.lock_rows("users", known.into_iter().map(|id| id.0)).await?;
    let select = "SELECT u.id, u.is_active, u.status, u.workspace_role,
            (SELECT k.workspace_role FROM users k WHERE k.id = :keeper AND k.status = 'active') AS keeper_role,
            EXISTS (SELECT 1 FROM sso_identities i WHERE i.user_id = u.id AND i.provider_id = :provider) AS is_linked
         FROM users u WHERE lower(u.email) = lower(:email) ORDER BY u.id LIMIT 2";
    tx.all(sql!(select, keeper = provider.kept_by, provider = provider.id, email = email)).await
}

/// The rank of whoever wrote a provider last, as long as they are active.
pub async fn keeper_role(db: &dyn Read, provider: &SsoProviderRow) -> Result<Option<Role>> {
    let select = "SELECT workspace_role FROM users WHERE id = :keeper AND status = 'active'";
    db.scalar(sql!(select, keeper = provider.kept_by)).await
}

/// Links a person to a subject of a provider.
pub async fn link(tx: &mut Tx, provider: SsoProviderId, person: UserId, identity: &Identity) -> Result<()> {
    let (id, now): (SsoIdentityId, DateTime<Utc>) = (tx.mint(), tx.now());
    let insert = "INSERT INTO sso_identities (id, provider_id, issuer, subject, user_id, email, linked_at, last_used_at)
         VALUES (:id, :provider, :issuer, :subject, :person, :email, :now, :now)";
    let statement = sql!(
        insert,
        id = id,
        provider = provider,
        issuer = &identity.issuer,
        subject = &identity.subject,
        person = person,
        email = identity.verified_email.as_deref().unwrap_or_default(),
        now = now
    );
    tx.run(statement).await.map(drop)
}

/// Notes that somebody signs in; false when they were deactivated. It locks the person until the commit.
pub async fn note_sign_in(tx: &mut Tx, person: UserId) -> Result<bool> {
    let statement = sql!(
        "UPDATE users SET last_login_at = :now WHERE id = :id AND is_active = TRUE AND status <> 'deactivated'",
        now = tx.now(),
        id = person
    );
    Ok(tx.run(statement).await? == 1)
}

/// Notes when an identity was used.
pub async fn note_use(tx: &mut Tx, provider: SsoProviderId, subject: &str) -> Result<()> {
    let update =
        "UPDATE sso_identities SET last_used_at = :now WHERE provider_id = :provider AND subject = :subject";
    let statement = sql!(update, now = tx.now(), provider = provider, subject = subject);
    tx.run(statement).await.map(drop)
}
