//! Every statement about invitations; single ones are read and written through items and edits.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{InviteId, JobId, UserId};
use planwright_domain::{Role, words::InviteStatus};
use planwright_store::record::select_list;
use planwright_store::{Read, Result, Sql, Tx, sql};

use super::model::InviteRow;
use crate::people::{self, PersonRow};

/// The columns of a listed invitation.
pub(super) const COLUMNS: &str = "SELECT i.id, i.email, i.role, i.status, i.created_at, i.expires_at, u.username, u.first_name, u.last_name,
    EXISTS (SELECT 1 FROM failed_jobs f WHERE f.job_id = i.letter_id AND f.status IN ('dead', 'dismissed')) AS is_undelivered";

/// The invitations that wait, or expired without an answer.
pub(super) fn pending() -> Sql {
    sql!("FROM workspace_invites i JOIN users u ON u.id = i.invited_by WHERE i.status = 'pending'")
}

/// Notes which job sends the letter of an invitation.
pub(super) async fn note_letter(tx: &mut Tx, id: InviteId, letter: JobId) -> Result<()> {
    let update = "UPDATE workspace_invites SET letter_id = :letter WHERE id = :id";
    tx.run(sql!(update, letter = letter, id = id)).await.map(drop)
}

/// How many invitations wait.
pub(super) async fn count_pending(db: &dyn Read) -> Result<i64> {
    db.count(sql!("SELECT COUNT(*) FROM workspace_invites WHERE status = 'pending'")).await
}

/// Every invitation that waits, locked.
pub(super) async fn lock_pending(tx: &Tx) -> Result<Vec<InviteRow>> {
    let (columns, lock) = (select_list::<InviteRow>("i"), tx.engine().row_lock());
    let select =
        format!("SELECT {columns} FROM workspace_invites i WHERE i.status = 'pending' ORDER BY i.id {lock}");
    tx.all(sql!(select)).await
}

/// Whether somebody has an address, or an invitation waits there that has not expired.
pub(super) async fn is_taken(db: &dyn Read, key: &str, now: DateTime<Utc>) -> Result<bool> {
    let select = "SELECT (SELECT COUNT(*) FROM users WHERE lower(email) = :key)
            + (SELECT COUNT(*) FROM workspace_invites
               WHERE email_key = :key AND status = 'pending' AND expires_at > :now)";
    Ok(db.count(sql!(select, key = key, now = now)).await? > 0)
}

/// The invitation of an address that nobody has answered in time, locked.
pub(super) async fn lock_expired(tx: &Tx, key: &str, now: DateTime<Utc>) -> Result<Option<InviteRow>> {
    let (columns, lock) = (select_list::<InviteRow>("i"), tx.engine().row_lock());
    let select = format!(
        "SELECT {columns} FROM workspace_invites i
         WHERE i.email_key = :key AND i.status = 'pending' AND i.expires_at <= :now {lock}"
    );
    tx.maybe(sql!(select, key = key, now = now)).await
}

/// The invitation of a token, while it can be accepted.
pub(super) async fn good(
    db: &dyn Read,
    hash: &str,
    now: DateTime<Utc>,
    lock: &str,
) -> Result<Option<InviteRow>> {
    let columns = select_list::<InviteRow>("i");
    let select = format!(
        "SELECT {columns} FROM workspace_invites i
         WHERE i.token_hash = :hash AND i.status = 'pending' AND i.expires_at > :now {lock}"
    );
    db.maybe(sql!(select, hash = hash, now = now)).await
}

/// Whether somebody may still give a rank: they are active, and it is below theirs.
pub(super) async fn may_grant(db: &dyn Read, inviter: UserId, role: Role) -> Result<bool> {
    let select = "SELECT COUNT(*) FROM users WHERE id = :id AND is_active = TRUE AND status = 'active'
            AND workspace_role > :role AND workspace_role >= :admin";
    Ok(db.count(sql!(select, id = inviter, role = role, admin = Role::ProjectManager)).await? == 1)
}

/// The people who have an address.
pub(super) async fn people_at(db: &dyn Read, key: &str) -> Result<Vec<PersonRow>> {
    db.all(sql!(people::select("WHERE lower(u.email) = :key ORDER BY u.id"), key = key)).await
}

/// Gives somebody at least a rank in the workspace; whether that raised it.
pub(super) async fn raise(tx: &mut Tx, person: UserId, role: Role) -> Result<bool> {
    let update = "UPDATE users SET workspace_role = :role, server_version = server_version + 1
         WHERE id = :id AND workspace_role < :role";
    Ok(tx.run(sql!(update, role = role, id = person)).await? == 1)
}

/// The name of the workspace.
pub(super) async fn workspace_name(db: &dyn Read) -> Result<String> {
    Ok(db.scalars(sql!("SELECT name FROM workspace WHERE id = 1")).await?.pop().unwrap_or_default())
}

/// Drops invitations that ended or expired before then.
pub(crate) async fn forget_ended(tx: &mut Tx, before: DateTime<Utc>) -> Result<u64> {
    let delete = "DELETE FROM workspace_invites
         WHERE (status <> :pending AND ended_at < :before) OR (status = :pending AND expires_at < :before)";
    tx.run(sql!(delete, before = before, pending = InviteStatus::Pending)).await
}
