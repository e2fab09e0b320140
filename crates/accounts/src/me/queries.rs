//! Every statement about one's own person and profile.
//! Project memberships are read here and never written.

use planwright_domain::Role;
use planwright_domain::ids::{ProjectId, UserId};
use planwright_store::record::find_live;
use planwright_store::{Read, Result, sql};
use planwright_web::{Actor, ApiError, ApiResult};

use super::model::{Involvement, MyRow};

/// The caller, with what they chose for themselves.
pub async fn own(db: &impl Read, caller: &Actor) -> ApiResult<MyRow> {
    find_live(db, caller.id.0).await?.ok_or_else(ApiError::not_found)
}

/// How far a person is involved in projects.
pub async fn involvement(db: &impl Read, user: UserId) -> Result<Involvement> {
    let highest: Option<Option<i64>> = db
        .scalar(sql!(
            "SELECT MAX(m.role) FROM project_members m JOIN projects p ON p.id = m.project_id
             WHERE m.user_id = :user AND m.deletion_id IS NULL AND p.deletion_id IS NULL",
            user = user
        ))
        .await?;
    let recent: Option<ProjectId> = db
        .scalar(sql!(
            "SELECT p.id FROM project_members m JOIN projects p ON p.id = m.project_id
             LEFT JOIN project_visits v ON v.project_id = p.id AND v.user_id = m.user_id
             WHERE m.user_id = :user AND m.deletion_id IS NULL AND p.deletion_id IS NULL AND p.archived_at IS NULL
             ORDER BY v.visited_at DESC NULLS LAST, m.joined_at DESC, p.id DESC LIMIT 1",
            user = user
        ))
        .await?;
    Ok(Involvement { highest: highest.flatten().and_then(Role::from_rank), recent })
}
