//! `/api/v1/projects/trash/` and `/api/v1/projects/{id}/restore/`: what was deleted, and bringing it back.
//! What a deletion takes is in `planwright_plan::deletion`.

use axum::extract::State;
use chrono::{DateTime, Duration, Utc};
use planwright_domain::Role;
use planwright_domain::ids::{DeletionId, ProjectId, UserId};
use planwright_plan::containers::conferred;
use planwright_plan::deletion::{INTO_TRASH, restore_project};
use planwright_plan::edit::Edit;
use planwright_store::{Read, Result, row, sql};
use planwright_web::version::Versioned;
use planwright_web::{Actor, ApiError, ApiResult, App, Json, Path, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

use super::model::Project;
use super::present;

/// How long the trash keeps a project, in days.
const RETENTION_DAYS: i64 = 30;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/projects/trash/",
            list,
            says("List the deleted projects of which you were a member, newest first."),
        )
        .post("/api/v1/projects/{id}/restore/", restore, says("Restore a project from the trash."))
}

/// A deleted project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TrashProjectList {
    /// Its id.
    pub id: ProjectId,
    /// The name.
    pub name: String,
    /// The first part of the short ids of its tasks.
    pub code: String,
    /// When it was deleted.
    pub deleted_at: DateTime<Utc>,
    /// Who deleted it.
    pub deleted_by: Option<UserId>,
    /// The user name.
    pub deleted_by_name: Option<String>,
    /// The number of days for which it stays in the trash.
    pub days_remaining: i64,
    /// The number of days for which the trash keeps a project.
    pub retention_days: i64,
    /// The caller's rank in it.
    pub my_role: Role,
    /// Whether the caller may restore it.
    pub can_restore: bool,
}

row! {
    struct TrashRow {
        id: ProjectId,
        name: String,
        code: String,
        deletion_id: DeletionId,
        deleted_at: DateTime<Utc>,
        deleted_by: Option<UserId>,
        deleted_by_name: Option<String>,
        my_role: Role,
    }
}

impl TrashRow {
    fn show(self, now: DateTime<Utc>) -> TrashProjectList {
        let kept = now - self.deleted_at;
        TrashProjectList {
            days_remaining: (RETENTION_DAYS - kept.num_days()).max(0),
            retention_days: RETENTION_DAYS,
            can_restore: self.my_role >= Role::Owner,
            id: self.id,
            name: self.name,
            code: self.code,
            deleted_at: self.deleted_at,
            deleted_by: self.deleted_by,
            deleted_by_name: self.deleted_by_name,
            my_role: self.my_role,
        }
    }
}

async fn list(State(app): State<App>, actor: Actor) -> ApiResult<Json<Vec<TrashProjectList>>> {
    let now = app.clock.now();
    let rows = in_trash(&app.db, actor.id, now, None).await?;
    Ok(Json(rows.into_iter().map(|row| row.show(now)).collect()))
}

async fn restore(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<ProjectId>,
) -> ApiResult<Versioned<Project>> {
    let mut edit = Edit::begin(&app, &actor).await?;
    let row = in_trash(&edit, actor.id, edit.now(), Some(id)).await?.pop().ok_or_else(ApiError::not_found)?;
    if row.my_role < Role::Owner {
        return Err(ApiError::forbidden("Only the Owner may restore a project."));
    }
    restore_project(&mut edit, actor.id, id, row.deletion_id).await?;
    let mut edit = edit.following();
    conferred::settle_whole(&mut edit, id).await?;
    let project = present::one(&edit, &app.clock, &actor, id).await?;
    edit.commit().await?;
    Ok(Versioned::computed(project.server_version, project))
}

/// What the trash keeps of the projects somebody belonged to when they were deleted.
async fn in_trash(
    db: &dyn Read,
    person: UserId,
    now: DateTime<Utc>,
    only: Option<ProjectId>,
) -> Result<Vec<TrashRow>> {
    let select =
        "SELECT p.id, p.name, p.code, d.id AS deletion_id, d.at AS deleted_at, d.actor_id AS deleted_by,
            u.username AS deleted_by_name, m.role AS my_role
         FROM project_members m
         JOIN projects p ON p.id = m.project_id AND p.deletion_id = m.deletion_id
         JOIN deletions d ON d.id = p.deletion_id
         LEFT JOIN users u ON u.id = d.actor_id
         WHERE m.user_id = :person AND d.entity = :act AND d.at > :since";
    let since = now - Duration::days(RETENTION_DAYS);
    let statement = sql!(select, person = person, act = INTO_TRASH, since = since);
    db.all(statement.when("AND p.id = :only", "only", only).push(" ORDER BY d.at DESC, p.id")).await
}
