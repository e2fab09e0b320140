//! `/api/v1/projects/{id}/retrospective/carryover/`: what earlier retrospectives wanted done and what is not done yet.

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::access::may;
use planwright_domain::ids::{RetroActionId, RetroId, SprintId, TaskId, UserId};
use planwright_domain::words::TaskStatus;
use planwright_web::{ApiResult, App, Json, ProjectScope, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

use super::queries::CarriedRow;
use super::{queries, rules};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/projects/{project_pk}/retrospective/carryover/",
        carryover,
        says("What the last two retrospectives of a project wanted done and what is not done."),
    )
}

/// An action item that is not done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CarriedAction {
    pub action_item_id: RetroActionId,
    pub text: String,
    pub from_retro_id: RetroId,
    pub from_sprint_id: SprintId,
    pub from_sprint_short_id: String,
    /// The task that it became, as long as that is there.
    pub promoted_task_id: Option<TaskId>,
    pub promoted_task_status: Option<TaskStatus>,
    pub promoted_task_short_id: Option<String>,
    /// For how many days it has been wanted.
    pub age_days: i64,
    pub assignee_id: Option<UserId>,
    pub assignee_username: Option<String>,
    pub story_points: Option<i64>,
}

impl CarriedAction {
    fn of(row: CarriedRow, now: DateTime<Utc>) -> Self {
        Self {
            action_item_id: row.action_item_id,
            text: row.text,
            from_retro_id: row.from_retro_id,
            from_sprint_id: row.from_sprint_id,
            from_sprint_short_id: row.from_sprint_short_id,
            promoted_task_id: row.promoted_task_id,
            promoted_task_status: row.promoted_task_status,
            promoted_task_short_id: row.promoted_task_short_id,
            age_days: (now - row.created_at).num_days(),
            assignee_id: row.assignee_id,
            assignee_username: row.assignee_username,
            story_points: row.story_points,
        }
    }
}

/// What is not done yet.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Carryover {
    pub items: Vec<CarriedAction>,
}

async fn carryover(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Json<Carryover>> {
    let now = app.clock.now();
    let rows = queries::carried(&app.db, scope.project).await?.into_iter();
    let readable = rows.filter(|row| rules::reads_all(scope.role, row.team_visibility));
    Ok(Json(Carryover { items: readable.map(|row| CarriedAction::of(row, now)).collect() }))
}
