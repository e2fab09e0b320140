//! The trash of a project's tasks: `/api/v1/tasks/trash/` and `/api/v1/tasks/{id}/restore/`.
//! Only what was deleted by itself is listed; what went with it comes back with it. The second row of a split that was taken
//! back is not listed: its work is in the first row again.

use axum::extract::State;
use chrono::{DateTime, TimeDelta, Utc};
use planwright_domain::Role;
use planwright_domain::access::may;
use planwright_domain::ids::{DeletionId, ProjectId, TaskId, UserId};
use planwright_domain::words::{TaskStatus, TaskType};
use planwright_plan::Edit;
use planwright_plan::sprints::rejoin::{rejoin, taken};
use planwright_plan::tasks::decorate;
use planwright_plan::tasks::model::Task;
use planwright_plan::tasks::write::deletion::{RETENTION_DAYS, restore as bring_back};
use planwright_plan::tasks::write::{Author, Board, WriteContext};
use planwright_store::{Read, Result, row, sql};
use planwright_web::version::Versioned;
use planwright_web::{Actor, ApiError, ApiResult, App, Json, Path, ProjectScope, Query, Routes, input, says};
use schemars::JsonSchema;
use serde::Serialize;

/// More deleted tasks than this are not listed.
const MOST_LISTED: usize = 500;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get("/api/v1/tasks/trash/", list, says("The deleted tasks of a project, the latest first."))
        .post(
            "/api/v1/tasks/{id}/restore/",
            restore,
            says("Restore a deleted task with everything that was deleted with it."),
        )
}

input! {
    /// Whose trash.
    pub struct TrashQuery {
        /// The project.
        pub project: ProjectId,
    }
}

/// A deleted task.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskTrashRow {
    /// The task.
    pub id: TaskId,
    /// Its name.
    pub name: String,
    /// The last outline number. Empty if it had none.
    pub wbs_path: String,
    /// What kind of row it was.
    pub r#type: TaskType,
    /// The status before the deletion.
    pub status: TaskStatus,
    /// When it was deleted.
    pub deleted_at: Option<DateTime<Utc>>,
    /// The number of days for which it can still be restored.
    pub days_remaining: Option<i64>,
    /// The number of days for which a deleted task can be restored.
    pub retention_days: Option<i64>,
    /// The number of rows that were deleted with it.
    pub subtree_count: i64,
    /// Whether the caller may restore it.
    pub can_restore: bool,
}

/// The deleted tasks of a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskTrashList {
    /// The deleted tasks, the latest first.
    pub results: Vec<TaskTrashRow>,
    /// Whether there are more rows.
    pub truncated: bool,
}

row! {
    /// A deleted task that can be brought back.
    struct Trashed {
        act: DeletionId,
        deleted_at: DateTime<Utc>,
        id: TaskId,
        project_id: ProjectId,
        name: String,
        r#type: TaskType,
        status: TaskStatus,
        assignee_id: Option<UserId>,
        outline: Option<String>,
        subtree_count: i64,
    }
}

const TRASHED: &str = "SELECT d.id AS act, d.at AS deleted_at, t.id, t.project_id, t.name, t.type, t.status,
        t.assignee_id, s.outline,
        (SELECT COUNT(*) FROM tasks x WHERE x.deletion_id = d.id AND x.id <> t.id) AS subtree_count
     FROM deletions d JOIN tasks t ON t.id = d.root_id AND t.deletion_id = d.id
     JOIN projects p ON p.id = t.project_id AND p.deletion_id IS NULL
     LEFT JOIN task_schedule s ON s.task_id = t.id
     WHERE d.entity = 'task' AND d.restored_at IS NULL AND d.at >= :since
       AND NOT EXISTS (SELECT 1 FROM batch_operations o
           WHERE o.kind = 'split' AND o.status = 'undone' AND o.subtree_id = t.id)";

/// The deleted tasks of a project, the latest first.
async fn trashed(db: &dyn Read, project: ProjectId, since: DateTime<Utc>, most: i64) -> Result<Vec<Trashed>> {
    let select = format!("{TRASHED} AND d.project_id = :project ORDER BY d.at DESC, d.id DESC LIMIT :most");
    db.all(sql!(select, since = since, project = project, most = most)).await
}

/// One deleted task.
async fn trashed_one(db: &dyn Read, task: TaskId, since: DateTime<Utc>) -> Result<Option<Trashed>> {
    db.maybe(sql!(format!("{TRASHED} AND t.id = :task"), since = since, task = task)).await
}

fn oldest(now: DateTime<Utc>) -> DateTime<Utc> {
    now - TimeDelta::days(RETENTION_DAYS)
}

async fn list(
    State(app): State<App>,
    actor: Actor,
    Query(query): Query<TrashQuery>,
) -> ApiResult<Json<TaskTrashList>> {
    let scope = ProjectScope::<may::ReadProject>::of(&app.db, &actor, query.project).await?;
    let now = app.clock.now();
    let most = MOST_LISTED as i64 + 1;
    let mut rows = trashed(&app.db, scope.project, oldest(now), most).await?;
    let truncated = rows.len() > MOST_LISTED;
    rows.truncate(MOST_LISTED);
    let results = rows.into_iter().map(|row| show(row, &scope, now)).collect();
    Ok(Json(TaskTrashList { results, truncated }))
}

fn show(row: Trashed, scope: &ProjectScope<may::ReadProject>, now: DateTime<Utc>) -> TaskTrashRow {
    let own = scope.role == Role::Member && row.assignee_id == Some(scope.actor.id);
    TaskTrashRow {
        days_remaining: Some((RETENTION_DAYS - (now - row.deleted_at).num_days()).max(0)),
        retention_days: Some(RETENTION_DAYS),
        can_restore: scope.role >= Role::ProjectManager || own,
        id: row.id,
        name: row.name,
        wbs_path: row.outline.unwrap_or_default(),
        r#type: row.r#type,
        status: row.status,
        deleted_at: Some(row.deleted_at),
        subtree_count: row.subtree_count,
    }
}

async fn restore(State(app): State<App>, actor: Actor, Path(id): Path<TaskId>) -> ApiResult<Versioned<Task>> {
    let since = oldest(app.clock.now());
    let found = trashed_one(&app.db, id, since).await?.ok_or_else(ApiError::not_found)?;
    let scope = Author::of(&app.db, &actor, found.project_id).await?;
    let mut edit = Edit::of_plan(&app, &scope).await?;
    let row = trashed_one(&edit, id, since).await?.ok_or_else(ApiError::not_found)?;
    let context = WriteContext::bare(&edit, &edit.grant).await?;
    let own = context.caller.role == Role::Member && row.assignee_id == Some(actor.id);
    if !context.caller.manages() && !own {
        return Err(ApiError::forbidden("You may restore only tasks that are assigned to you."));
    }
    let in_sprints = taken(&edit, row.act).await?;
    let (tx, lock) = edit.plan();
    bring_back(tx, lock, &context.announcer(Board::EachRow), id, row.act).await?;
    rejoin(&mut edit, row.act, &in_sprints).await?;
    edit.recalculate().await?;
    let task = decorate::one(&edit, &actor, id).await?;
    edit.commit().await?;
    Ok(Versioned::computed(task.server_version, task))
}
