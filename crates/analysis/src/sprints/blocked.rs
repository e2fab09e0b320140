//! What is blocked in a sprint and in a project, the longest first. Why it is blocked is said on the task, to those concerned.

use axum::extract::State;
use chrono::{DateTime, Duration, Utc};
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, SprintId, TaskId, UserId};
use planwright_domain::words::BlockerType;
use planwright_plan::sprints::SprintRow;
use planwright_store::{Read, Result, Sql, row, sql};
use planwright_web::input::{Int, Patch};
use planwright_web::{ApiResult, App, Item, Json, ProjectScope, Query, Routes, input, says};
use schemars::JsonSchema;
use serde::Serialize;

/// How many blocked tasks are listed.
const MOST: usize = 500;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/sprints/{id}/blocked/",
            of_sprint,
            says("What is blocked in a sprint, the longest first."),
        )
        .get(
            "/api/v1/projects/{id}/blocked/",
            of_project,
            says("What is blocked in a project, the longest first."),
        )
}

input! {
    /// Which blocked tasks to show.
    pub struct BlockedQuery {
        /// Only those that wait for this kind of thing.
        pub blocker_type: Patch<BlockerType>,
        /// Only those that have been blocked for so many days.
        pub min_age_days: Patch<Int<0, 36500>>,
    }
}

row! {
    struct BlockedRow {
        id: TaskId,
        short_id: String,
        name: String,
        assignee_id: Option<UserId>,
        assignee_username: Option<String>,
        blocker_type: Option<BlockerType>,
        blocked_since: DateTime<Utc>,
        blocked_by: Option<UserId>,
        blocking_id: Option<TaskId>,
        blocking_short_id: Option<String>,
        blocking_name: Option<String>,
    }
}

/// Who works on a blocked task.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BlockedAssignee {
    pub id: UserId,
    pub username: String,
}

/// The task that another one waits for.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BlockingTask {
    pub id: TaskId,
    pub short_id: String,
    pub title: String,
}

/// A blocked task.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BlockedTask {
    pub task_id: TaskId,
    pub task_short_id: String,
    pub title: String,
    pub assignee: Option<BlockedAssignee>,
    pub blocker_type: Option<BlockerType>,
    pub blocked_since: DateTime<Utc>,
    pub blocked_age_seconds: i64,
    /// Who said that it is blocked.
    pub blocked_by: Option<UserId>,
    pub blocking_task: Option<BlockingTask>,
}

/// What is blocked in a sprint.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SprintBlocked {
    pub sprint_id: SprintId,
    #[serde(flatten)]
    pub list: BlockedList,
}

/// What is blocked in a project.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProjectBlocked {
    pub project_id: ProjectId,
    #[serde(flatten)]
    pub list: BlockedList,
}

/// Blocked tasks, the longest first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BlockedList {
    /// How many are listed.
    pub count: usize,
    pub blocked: Vec<BlockedTask>,
    /// Whether there are more than are listed: 500.
    pub truncated: bool,
}

async fn of_sprint(
    State(app): State<App>,
    item: Item<SprintRow, may::ReadProject>,
    Query(query): Query<BlockedQuery>,
) -> ApiResult<Json<SprintBlocked>> {
    let which = sql!("t.sprint_id = :sprint", sprint = item.row.id);
    let list = listed(&app.db, which, &query, app.clock.now()).await?;
    Ok(Json(SprintBlocked { sprint_id: item.row.id, list }))
}

async fn of_project(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    Query(query): Query<BlockedQuery>,
) -> ApiResult<Json<ProjectBlocked>> {
    let which = sql!("t.project_id = :project", project = scope.project);
    let list = listed(&app.db, which, &query, app.clock.now()).await?;
    Ok(Json(ProjectBlocked { project_id: scope.project, list }))
}

async fn listed(db: &dyn Read, which: Sql, query: &BlockedQuery, now: DateTime<Utc>) -> Result<BlockedList> {
    let mut rows = blocked(db, which, query, now).await?;
    let truncated = rows.len() > MOST;
    rows.truncate(MOST);
    Ok(BlockedList {
        count: rows.len(),
        blocked: rows.into_iter().map(|row| shown(row, now)).collect(),
        truncated,
    })
}

fn shown(row: BlockedRow, now: DateTime<Utc>) -> BlockedTask {
    let blocking = row.blocking_id.zip(row.blocking_short_id).zip(row.blocking_name);
    let assignee = row.assignee_id.zip(row.assignee_username);
    BlockedTask {
        task_id: row.id,
        task_short_id: row.short_id,
        title: row.name,
        assignee: assignee.map(|(id, username)| BlockedAssignee { id, username }),
        blocker_type: row.blocker_type,
        blocked_since: row.blocked_since,
        blocked_age_seconds: (now - row.blocked_since).num_seconds().max(0),
        blocked_by: row.blocked_by,
        blocking_task: blocking.map(|((id, short_id), title)| BlockingTask { id, short_id, title }),
    }
}

/// The blocked tasks of a sprint or a project, and one more than are listed.
async fn blocked(
    db: &dyn Read,
    which: Sql,
    query: &BlockedQuery,
    now: DateTime<Utc>,
) -> Result<Vec<BlockedRow>> {
    let age = query.min_age_days.as_given().map(|days| now - Duration::days((*days).into()));
    let select = "SELECT t.id, t.short_id, t.name, t.assignee_id, u.username AS assignee_username, t.blocker_type,
            t.blocked_since, t.blocked_by_id AS blocked_by, b.id AS blocking_id, b.short_id AS blocking_short_id,
            b.name AS blocking_name
         FROM tasks t LEFT JOIN users u ON u.id = t.assignee_id
         LEFT JOIN tasks b ON b.id = t.blocking_task_id AND b.deletion_id IS NULL AND b.project_id = t.project_id
         WHERE t.deletion_id IS NULL AND t.blocked_since IS NOT NULL AND t.status <> 'COMPLETE' AND ";
    let select = which
        .wrap(select, "")
        .when("AND t.blocker_type = :blocker", "blocker", query.blocker_type.as_given().copied())
        .when("AND t.blocked_since <= :age", "age", age)
        .push(" ORDER BY t.blocked_since, t.id LIMIT :most")
        .bind("most", MOST as i64 + 1);
    db.all(select).await
}
