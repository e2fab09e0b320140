//! Every statement about sessions and their refresh tokens.
//! What a token is worth is decided in `rules.rs`.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{SessionId, UserId};
use planwright_store::{Read, Result, Tx, sql};
use uuid::Uuid;

use super::Session;
use super::model::PresentedToken;
use crate::people::PersonRow;

/// The refresh token of that hash.
pub async fn find_token(db: &impl Read, hash: &str) -> Result<Option<PresentedToken>> {
    let select = "SELECT r.id, r.session_id, r.expires_at, r.used_at, s.remember, s.revoked_at, s.user_id,
            u.is_active, u.status
         FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id JOIN users u ON u.id = s.user_id
         WHERE r.token_hash = :hash";
    db.maybe(sql!(select, hash = hash)).await
}

/// Notes when a person signed in; false when they were deactivated, or got another password, since they were read.
///
/// It also locks the person, so that a password change either sees the session that follows or prevents it.
pub async fn note_sign_in(tx: &mut Tx, person: &PersonRow) -> Result<bool> {
    let statement = sql!(
        "UPDATE users SET last_login_at = :now
         WHERE id = :id AND password_hash = :hash AND is_active = TRUE AND status <> 'deactivated'",
        now = tx.now(),
        id = person.id,
        hash = person.password_hash.clone()
    );
    Ok(tx.run(statement).await? == 1)
}

/// Adds a session.
pub async fn insert_session(tx: &mut Tx, session: &Session) -> Result<()> {
    let statement = sql!(
        "INSERT INTO sessions (id, user_id, remember, created_at) VALUES (:id, :user, :remember, :now)",
        id = session.id,
        user = session.user,
        remember = session.remember,
        now = tx.now()
    );
    tx.run(statement).await.map(drop)
}

/// Adds a refresh token to a session.
pub async fn insert_token(
    tx: &mut Tx,
    session: SessionId,
    hash: &str,
    expires_at: DateTime<Utc>,
) -> Result<()> {
    let statement = sql!(
        "INSERT INTO refresh_tokens (id, session_id, token_hash, issued_at, expires_at)
         VALUES (:id, :session, :hash, :now, :expires)",
        id = tx.mint::<Uuid>(),
        session = session,
        hash = hash,
        now = tx.now(),
        expires = expires_at
    );
    tx.run(statement).await.map(drop)
}

/// Uses a refresh token up, unless another request did so in the same moment, which is a race that both may win.
pub async fn use_up(tx: &mut Tx, token: Uuid) -> Result<()> {
    let statement = sql!(
        "UPDATE refresh_tokens SET used_at = :now WHERE id = :id AND used_at IS NULL",
        now = tx.now(),
        id = token
    );
    tx.run(statement).await.map(drop)
}

/// Ends a session, and with it the whole family of its tokens.
pub async fn revoke(tx: &mut Tx, session: SessionId) -> Result<()> {
    let statement = sql!(
        "UPDATE sessions SET revoked_at = :now WHERE id = :id AND revoked_at IS NULL",
        now = tx.now(),
        id = session
    );
    tx.run(statement).await.map(drop)
}

/// Ends every session of a person.
pub async fn revoke_all(tx: &mut Tx, user: UserId) -> Result<()> {
    let statement = sql!(
        "UPDATE sessions SET revoked_at = :now WHERE user_id = :user AND revoked_at IS NULL",
        now = tx.now(),
        user = user
    );
    tx.run(statement).await.map(drop)
}

/// Drops tokens that were used up, expired or revoked before then, and sessions that have none left; returns how many
/// sessions. A session that may still go on always has a token that is not used up.
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
