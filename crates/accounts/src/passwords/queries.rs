//! Every statement about passwords and the links that reset them.
//! Links are stored as hashes, like every other secret that is mailed.

use chrono::{DateTime, Utc};
use planwright_domain::ids::UserId;
use planwright_store::{Read, Result, Tx, sql};
use uuid::Uuid;

use super::model::ResetLink;
use crate::people::{self, PersonRow};

/// The people a reset may be mailed to: active, with a password of their own. Several may share an address.
pub async fn resettable(db: &dyn Read, email: &str) -> Result<Vec<PersonRow>> {
    let select = people::select(
        "WHERE lower(u.email) = lower(CAST(:email AS TEXT)) AND u.is_active = TRUE
            AND u.status <> 'deactivated' AND u.password_hash IS NOT NULL ORDER BY u.id",
    );
    db.all(sql!(select, email = email)).await
}

/// Adds a reset link.
pub async fn insert_link(tx: &mut Tx, user: UserId, hash: &str, expires_at: DateTime<Utc>) -> Result<()> {
    let statement = sql!(
        "INSERT INTO password_resets (id, user_id, token_hash, created_at, expires_at)
         VALUES (:id, :user, :hash, :now, :expires)",
        id = tx.mint::<Uuid>(),
        user = user,
        hash = hash,
        now = tx.now(),
        expires = expires_at
    );
    tx.run(statement).await.map(drop)
}

/// The link of that hash, while it is good.
pub async fn find_link(db: &dyn Read, hash: &str, now: DateTime<Utc>) -> Result<Option<ResetLink>> {
    let select = "SELECT id, user_id FROM password_resets
                  WHERE token_hash = :hash AND used_at IS NULL AND expires_at > :now";
    db.maybe(sql!(select, hash = hash, now = now)).await
}

/// Uses a link up; false when another request did so since it was found.
pub async fn use_up(tx: &mut Tx, link: Uuid) -> Result<bool> {
    let statement = sql!(
        "UPDATE password_resets SET used_at = :now WHERE id = :id AND used_at IS NULL",
        now = tx.now(),
        id = link
    );
    Ok(tx.run(statement).await? == 1)
}

/// Uses up every link of a person.
pub async fn use_up_all(tx: &mut Tx, user: UserId) -> Result<()> {
    let statement = sql!(
        "UPDATE password_resets SET used_at = :now WHERE user_id = :user AND used_at IS NULL",
        now = tx.now(),
        user = user
    );
    tx.run(statement).await.map(drop)
}

/// Drops links that were used up or expired before then; returns how many.
pub async fn forget_ended(tx: &mut Tx, before: DateTime<Utc>) -> Result<u64> {
    tx.run(sql!(
        "DELETE FROM password_resets WHERE used_at < :before OR expires_at < :before",
        before = before
    ))
    .await
}

/// Whether the person still has the password they were read with; it locks them until the transaction ends.
pub async fn still_has(tx: &mut Tx, person: &PersonRow) -> Result<bool> {
    let statement = sql!(
        "UPDATE users SET password_changed_at = :now WHERE id = :id AND password_hash = :hash",
        now = tx.now(),
        id = person.id,
        hash = person.password_hash.clone()
    );
    Ok(tx.run(statement).await? == 1)
}

/// Writes a new password.
pub async fn write(tx: &mut Tx, id: UserId, password_hash: &str) -> Result<()> {
    let statement = sql!(
        "UPDATE users SET password_hash = :hash, password_changed_at = :now, server_version = server_version + 1
         WHERE id = :id",
        hash = password_hash,
        now = tx.now(),
        id = id
    );
    tx.run(statement).await.map(drop)
}
