//! `POST /api/v1/projects/{id}/commit/`: the draft of a plan becomes the plan that was promised, with a baseline of its own.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::BaselineId;
use planwright_domain::words::Lifecycle;
use planwright_plan::containers::ProjectRow;
use planwright_plan::edit;
use planwright_web::version::Precondition;
use planwright_web::{ApiError, ApiResult, App, IgnoredBody, Item, Json, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::capture::capture;
use super::queries;
use super::routes::make_active;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().post(
        "/api/v1/projects/{id}/commit/",
        commit,
        says("Make the draft of a plan the plan that was promised, with a baseline of its own."),
    )
}

/// What a commitment left behind.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CommitProjectResult {
    pub baseline_id: BaselineId,
    pub baseline_name: String,
    pub task_count: i64,
    /// How many people have a task in the plan.
    pub notified_resource_count: i64,
}

async fn commit(
    State(app): State<App>,
    item: Item<ProjectRow, may::CommitPlan>,
    _: IgnoredBody,
) -> ApiResult<Json<CommitProjectResult>> {
    let (mut edit, before) = edit::open_plan(&app, item, Precondition::default()).await?;
    if before.written.lifecycle == Lifecycle::Active {
        return Err(ApiError::conflict("The plan is not a draft.").with_code("already_committed"));
    }
    let mut after = ProjectRow { updated_at: edit.now(), ..before.clone() };
    after.written.lifecycle = Lifecycle::Active;
    edit.update(&before, after).await?;
    edit.announce(SocketEvent::ProjectUpdated, json!({ "id": before.id })).await?;
    let (names, _) = queries::names(&edit, before.id).await?;
    let name = (1..).map(|number| format!("Baseline v{number}")).find(|name| !names.contains(name));
    let captured = capture(&mut edit, &name.unwrap_or_default(), false).await?;
    make_active(&mut edit, &captured.baseline).await?;
    let notified_resource_count = queries::people_with_tasks(&edit, before.id).await?;
    edit.commit().await?;
    let (baseline_id, baseline_name) = (captured.baseline.id, captured.baseline.name);
    Ok(Json(CommitProjectResult {
        baseline_id,
        baseline_name,
        task_count: captured.task_count,
        notified_resource_count,
    }))
}
