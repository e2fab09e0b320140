//! Approving estimates: `/api/v1/tasks/{id}/approve-estimates/` and `withdraw-approval/`.
//! Only where the project wants suggested estimates to be approved; doing it twice changes nothing.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::words::{EstimateStatus, EstimationMode};
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{ApiError, ApiResult, App, IgnoredBody, Item, Routes, says};

use planwright_plan::edit;
use planwright_plan::tasks::decorate;
use planwright_plan::tasks::model::Task;
use planwright_plan::tasks::write::{self, Board, PlannedWrite, TaskRecord, WriteContext};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post(
            "/api/v1/tasks/{id}/approve-estimates/",
            approve,
            says("Accept the suggested estimates of a task."),
        )
        .post(
            "/api/v1/tasks/{id}/withdraw-approval/",
            withdraw,
            says("Withdraw the acceptance of the estimates of a task."),
        )
}

type Approved = Item<TaskRecord, may::ApproveEstimates>;

async fn approve(State(app): State<App>, item: Approved, _: IgnoredBody) -> ApiResult<Versioned<Task>> {
    set(&app, item, EstimateStatus::Accepted).await
}

async fn withdraw(State(app): State<App>, item: Approved, _: IgnoredBody) -> ApiResult<Versioned<Task>> {
    set(&app, item, EstimateStatus::Pending).await
}

async fn set(app: &App, item: Approved, wanted: EstimateStatus) -> ApiResult<Versioned<Task>> {
    let (mut edit, before) = edit::open_plan(app, item, Precondition::default()).await?;
    let context = WriteContext::bare(&edit, &edit.grant).await?;
    if context.project.estimation_mode != EstimationMode::SuggestApprove {
        return Err(ApiError::bad_request("Estimates of this project need no approval."));
    }
    let (id, mut after) = (before.id, before.clone());
    after.estimate_status = before.estimate_status.map(|_| wanted);
    let (tx, lock) = edit.plan();
    write::save(tx, lock, &context, vec![PlannedWrite::direct(before, after)], Board::EachRow).await?;
    edit.recalculate().await?;
    let task = decorate::one(&edit, &edit.grant.actor, id).await?;
    edit.commit().await?;
    Ok(Versioned::computed(task.server_version, task))
}
