//! What whoever runs the program does about a person without being one of them: rank, deactivation, removal, sign-out.
//! What administrators do over the interface is in the workspace area.

use planwright_domain::Role;
use planwright_domain::ids::UserId;
use planwright_domain::words::MemberStatus;
use planwright_jobs::offboarding;
use planwright_store::{Db, Read, Result, StoreError, Tx, sql};
use serde_json::json;

use crate::people::{self, PersonRow};
use crate::sign_in;

/// What became of a wish about a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was done.
    Done,
    /// It was so already.
    Unchanged,
    /// They are the last Owner of the workspace who can act.
    LastOwner,
    /// Something they wrote or belong to is still there.
    Referenced,
}

/// Gives a person a rank in the workspace.
pub async fn give_rank(db: &Db, person: &PersonRow, role: Role) -> Result<Outcome> {
    if person.workspace_role == role {
        return Ok(Outcome::Unchanged);
    }
    let mut tx = db.begin().await?;
    if is_last_owner(&mut tx, person).await? {
        return Ok(Outcome::LastOwner);
    }
    tx.run(sql!(
        "UPDATE users SET workspace_role = :role, server_version = server_version + 1 WHERE id = :id",
        role = role,
        id = person.id
    ))
    .await?;
    people::record(&mut tx, person.id, None, "workspace_role", json!([person.workspace_role, role])).await?;
    tx.commit().await?;
    Ok(Outcome::Done)
}

/// Shuts a person out, or lets them in again. What they could sign in with is ended by a job, and does not come back.
pub async fn set_active(db: &Db, person: &PersonRow, active: bool) -> Result<Outcome> {
    if person.may_sign_in() == active {
        return Ok(Outcome::Unchanged);
    }
    let mut tx = db.begin().await?;
    if !active && is_last_owner(&mut tx, person).await? {
        return Ok(Outcome::LastOwner);
    }
    if active && offboarding::is_waiting(&tx, person.id).await? {
        // The job has not run yet. Nobody comes back with what they could sign in with before.
        crate::offboarding::deactivate(&mut tx, person.id, None).await?;
    }
    let status = if active { MemberStatus::Active } else { MemberStatus::Deactivated };
    tx.run(sql!(
        "UPDATE users SET status = :status, is_active = :active, server_version = server_version + 1
         WHERE id = :id",
        status = status,
        active = active,
        id = person.id
    ))
    .await?;
    people::record(&mut tx, person.id, None, "status", json!([person.status, status])).await?;
    if !active {
        sign_in::queries::revoke_all(&mut tx, person.id).await?;
        offboarding::request(&mut tx, person.id, person.id).await?;
    }
    tx.commit().await?;
    Ok(Outcome::Done)
}

/// Ends every sign-in of a person.
pub async fn sign_out(db: &Db, user: UserId) -> Result<()> {
    let mut tx = db.begin().await?;
    sign_in::queries::revoke_all(&mut tx, user).await?;
    tx.commit().await
}

/// Removes a person whom nothing refers to but their own sign-ins.
pub async fn remove(db: &Db, person: &PersonRow) -> Result<Outcome> {
    let mut tx = db.begin().await?;
    if is_last_owner(&mut tx, person).await? {
        return Ok(Outcome::LastOwner);
    }
    let own = [
        "DELETE FROM refresh_tokens WHERE session_id IN (SELECT id FROM sessions WHERE user_id = :id)",
        "DELETE FROM sign_in_audit WHERE user_id = :id",
        "DELETE FROM sessions WHERE user_id = :id",
        "DELETE FROM password_resets WHERE user_id = :id",
        "DELETE FROM users WHERE id = :id",
    ];
    for statement in own {
        match tx.run(sql!(statement, id = person.id)).await {
            Err(StoreError::Reference(_)) => return Ok(Outcome::Referenced),
            ran => ran?,
        };
    }
    match tx.commit().await {
        Err(StoreError::Reference(_)) => Ok(Outcome::Referenced),
        committed => committed.map(|()| Outcome::Done),
    }
}

/// Whether nobody else could give ranks any more. It locks the Owners until the transaction ends.
async fn is_last_owner(tx: &mut Tx, person: &PersonRow) -> Result<bool> {
    if person.workspace_role != Role::Owner || !person.may_sign_in() {
        return Ok(false);
    }
    let lock = tx.engine().row_lock();
    let owners = format!(
        "SELECT id FROM users WHERE workspace_role = 400 AND status = 'active' AND is_active = TRUE
         ORDER BY id {lock}"
    );
    let owners: Vec<UserId> = tx.scalars(sql!(owners)).await?;
    Ok(owners.iter().all(|owner| *owner == person.id))
}
