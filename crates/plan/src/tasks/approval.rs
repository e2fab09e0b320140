//! Approving estimates: `/api/v1/tasks/{id}/approve-estimates/` and `withdraw-approval/`.
//! Only where the project wants suggested estimates to be approved; doing it twice changes nothing.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::TaskId;
use planwright_domain::words::{EstimateStatus, EstimationMode};
use planwright_web::version::Versioned;
use planwright_web::{Actor, ApiError, ApiResult, App, IgnoredBody, Path, ProjectScope, Routes, says};

use super::decorate;
use super::model::Task;
use super::write::{self, Board, PlannedWrite, WriteContext, queries};

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
            says("Take the acceptance of a task's estimates back."),
        )
}

async fn approve(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<TaskId>,
    _: IgnoredBody,
) -> ApiResult<Versioned<Task>> {
    set(&app, &actor, id, EstimateStatus::Accepted).await
}

async fn withdraw(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<TaskId>,
    _: IgnoredBody,
) -> ApiResult<Versioned<Task>> {
    set(&app, &actor, id, EstimateStatus::Pending).await
}

async fn set(app: &App, actor: &Actor, id: TaskId, wanted: EstimateStatus) -> ApiResult<Versioned<Task>> {
    let mut tx = app.db.begin().await?;
    let found = queries::record(&tx, id).await?.ok_or_else(ApiError::not_found)?;
    let scope = ProjectScope::<may::ApproveEstimates>::of(&tx, actor, found.project_id).await?;
    let (scope, mut lock) = write::hold(&mut tx, &scope).await?;
    let before = queries::record(&tx, id).await?.ok_or_else(ApiError::not_found)?;
    let context = WriteContext::bare(&tx, &scope).await?;
    if context.project.estimation_mode != EstimationMode::SuggestApprove {
        return Err(ApiError::bad_request("Estimates of this project need no approval."));
    }
    let mut after = before.clone();
    after.estimate_status = before.estimate_status.map(|_| wanted);
    write::save(&mut tx, &mut lock, &context, vec![PlannedWrite::direct(before, after)], Board::EachRow)
        .await?;
    lock.end(&mut tx).await?;
    let task = decorate::one(&tx, actor, id).await?;
    tx.commit().await?;
    Ok(Versioned::new(task.server_version, task))
}
