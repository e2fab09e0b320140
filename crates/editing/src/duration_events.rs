//! What happened to durations under way: `/api/v1/tasks/{id}/duration-events/` and, for a sprint, the sum of its tasks.
//! Rows are written with the change they tell of; none is ever changed.

use axum::extract::State;
use chrono::{DateTime, SecondsFormat, Utc};
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, SprintId, TaskId, UserId};
use planwright_domain::words::PercentPolicy;
use planwright_store::page::Key;
use planwright_store::{Read, Result, row, sql};
use planwright_web::{Actor, ApiError, ApiResult, App, Json, Page, Paging, Path, ProjectScope, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use planwright_plan::tasks::queries;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/tasks/{id}/duration-events/",
            of_task,
            says("List the changes of the duration of a task, newest first."),
        )
        .get(
            "/api/v1/sprints/{id}/duration-events/",
            of_sprint,
            says("List the changes of durations in a sprint, newest first."),
        )
}

row! {
    struct EventRow {
        id: Uuid,
        task_id: TaskId,
        task_name: String,
        actor_id: Option<UserId>,
        actor_name: String,
        old_duration: i64,
        new_duration: i64,
        percent_complete_at_change: f64,
        percent_complete_after: Option<f64>,
        policy_applied: PercentPolicy,
        source: String,
        sprint_id: Option<SprintId>,
        created_at: DateTime<Utc>,
    }
}

/// A change of a duration.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskDurationChangeEvent {
    /// The event.
    pub id: Uuid,
    /// The task.
    pub task: TaskId,
    /// Who changed it.
    pub actor: Option<UserId>,
    /// The name that the person had at that time.
    pub actor_name: Option<String>,
    /// The duration before the change, in working days.
    pub old_duration: i64,
    /// The duration after the change, in working days.
    pub new_duration: i64,
    /// The percent complete at the time of the change.
    pub percent_complete_at_change: f64,
    /// The percent complete after the change, if the policy changed it.
    pub percent_complete_after: Option<f64>,
    /// The effective policy.
    pub policy_applied: PercentPolicy,
    /// The kind of write that changed it.
    pub source: String,
    /// The active sprint it was in.
    pub sprint: Option<SprintId>,
    /// The time.
    pub created_at: DateTime<Utc>,
}

/// A change of a duration, in the list of its sprint.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SprintDurationChangeEvent {
    /// The event.
    pub id: Uuid,
    /// The task.
    pub task_id: TaskId,
    /// Its name.
    pub task_name: Option<String>,
    /// The duration before the change, in working days.
    pub old_duration: i64,
    /// The duration after the change, in working days.
    pub new_duration: i64,
    /// The percent complete at the time of the change.
    pub percent_complete_at_change: f64,
    /// The percent complete after the change, if the policy changed it.
    pub percent_complete_after: Option<f64>,
    /// The effective policy.
    pub policy_applied: PercentPolicy,
    /// The name of who changed it.
    pub actor_name: Option<String>,
    /// The time of the change, with the numeric offset of its zone.
    pub created_at: String,
}

/// The changes of durations in a sprint.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SprintDurationChangeEventList {
    /// The changes, newest first. Empty if there is none.
    pub events: Vec<SprintDurationChangeEvent>,
}

const COLUMNS: &str = "SELECT e.id, e.task_id, t.name AS task_name, e.actor_id, e.actor_name, e.old_duration,
    e.new_duration, e.percent_complete_at_change, e.percent_complete_after, e.policy_applied, e.source, e.sprint_id,
    e.created_at";

async fn of_task(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<TaskId>,
    paging: Paging,
) -> ApiResult<Page<TaskDurationChangeEvent>> {
    let task = queries::find(&app.db, &actor, id).await?.ok_or_else(ApiError::not_found)?;
    let from = sql!(
        "FROM duration_events e JOIN tasks t ON t.id = e.task_id WHERE e.task_id = :task",
        task = task.written.id
    );
    let keys = [Key::descending("e.created_at"), Key::descending("e.id")];
    let page = paging.fetch::<EventRow, _>(&app.db, COLUMNS, from, "e.id", &keys, |row| row).await?;
    Ok(page.map(|row| TaskDurationChangeEvent {
        id: row.id,
        task: row.task_id,
        actor: row.actor_id,
        actor_name: Some(row.actor_name),
        old_duration: row.old_duration,
        new_duration: row.new_duration,
        percent_complete_at_change: row.percent_complete_at_change,
        percent_complete_after: row.percent_complete_after,
        policy_applied: row.policy_applied,
        source: row.source,
        sprint: row.sprint_id,
        created_at: row.created_at,
    }))
}

async fn of_sprint(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<SprintId>,
) -> ApiResult<Json<SprintDurationChangeEventList>> {
    let project = project_of(&app.db, id).await?.ok_or_else(ApiError::not_found)?;
    ProjectScope::<may::ReadProject>::of(&app.db, &actor, project).await?;
    let events = in_sprint(&app.db, id).await?.into_iter().map(|row| SprintDurationChangeEvent {
        id: row.id,
        task_id: row.task_id,
        task_name: Some(row.task_name),
        old_duration: row.old_duration,
        new_duration: row.new_duration,
        percent_complete_at_change: row.percent_complete_at_change,
        percent_complete_after: row.percent_complete_after,
        policy_applied: row.policy_applied,
        actor_name: Some(row.actor_name),
        created_at: row.created_at.to_rfc3339_opts(SecondsFormat::Micros, false),
    });
    Ok(Json(SprintDurationChangeEventList { events: events.collect() }))
}

async fn project_of(db: &dyn Read, sprint: SprintId) -> Result<Option<ProjectId>> {
    let select = "SELECT project_id FROM sprints WHERE id = :id AND deletion_id IS NULL";
    Ok(db.scalars(sql!(select, id = sprint)).await?.pop())
}

async fn in_sprint(db: &dyn Read, sprint: SprintId) -> Result<Vec<EventRow>> {
    let rest = "FROM duration_events e JOIN tasks t ON t.id = e.task_id WHERE e.sprint_id = :sprint
                ORDER BY e.created_at DESC, e.id DESC";
    db.all(sql!(format!("{COLUMNS} {rest}"), sprint = sprint)).await
}
