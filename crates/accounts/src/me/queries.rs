//! Every statement about one's own person and profile.
//! Project memberships are read here and never written.

use planwright_domain::Role;
use planwright_domain::ids::ProjectId;
use planwright_store::record::find_live;
use planwright_store::{Read, Result, sql};
use planwright_web::{Actor, ApiError, ApiResult};

use super::model::{Involvement, MyRow};

/// The caller, with what they chose for themselves.
pub async fn own(db: &dyn Read, caller: &Actor) -> ApiResult<MyRow> {
    find_live(db, caller.id.0).await?.ok_or_else(ApiError::not_found)
}

/// How far the caller is involved in projects. The project is one that the caller sees, also where the caller is an agent.
pub async fn involvement(db: &dyn Read, caller: &Actor) -> Result<Involvement> {
    let highest: Option<Option<i64>> = db
        .scalar(sql!(
            "SELECT MAX(m.role) FROM project_members m JOIN projects p ON p.id = m.project_id
             WHERE m.user_id = :user AND m.deletion_id IS NULL AND p.deletion_id IS NULL",
            user = caller.id
        ))
        .await?;
    let joined = sql!(
        "SELECT o.id FROM project_members j JOIN projects o ON o.id = j.project_id
         LEFT JOIN project_visits v ON v.project_id = o.id AND v.user_id = j.user_id
         WHERE j.user_id = :user AND j.deletion_id IS NULL AND o.archived_at IS NULL",
        user = caller.id
    );
    let newest = " ORDER BY v.visited_at DESC NULLS LAST, j.joined_at DESC, o.id DESC LIMIT 1";
    let recent: Option<ProjectId> =
        db.scalar(caller.in_visible_projects(joined, "o.id").push(newest)).await?;
    Ok(Involvement { highest: highest.flatten().and_then(Role::from_rank), recent })
}
