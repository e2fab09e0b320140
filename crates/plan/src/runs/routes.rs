//! `/api/v1/task-runs/`, and `task-runs/` and `scheduler-runs/` below a project: read runs, and cancel one.
//! `POST /api/v1/projects/{id}/schedule/` asks for one.

use crate::schedule::queue_run;
use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, TaskRunId};
use planwright_domain::words::{RunReason, TaskRunStatus};
use planwright_store::page::Key;
use planwright_web::input::Patch;
use planwright_web::{
    Accepted, Actor, ApiError, ApiResult, App, Grant, Json, Page, Paging, Path, ProjectScope, Query, Routes,
    says,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::model::{RunFilter, RunRow, SchedulerRun, TaskRun};
use super::{queries, work};
use crate::edit::Edit;

/// What the list may be ordered by.
const ORDERINGS: planwright_web::paging::Orderings = &[("created_at", "r.created_at")];

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post(
            "/api/v1/projects/{id}/schedule/",
            run_by_hand,
            says("Recalculate a project. An event announces the result, and the tasks show it."),
        )
        .get("/api/v1/task-runs/", all, says("Queued work in your projects.").orderings(ORDERINGS))
        .get("/api/v1/task-runs/active/", active, says("List the waiting and running work in your projects."))
        .get("/api/v1/task-runs/{id}/", one, says("A piece of queued work."))
        .get("/api/v1/projects/{project_pk}/task-runs/", of_project, says("Queued work of a project."))
        .get(
            "/api/v1/projects/{project_pk}/task-runs/{id}/",
            one_of_project,
            says("Get a piece of queued work of a project."),
        )
        .post(
            "/api/v1/projects/{project_pk}/task-runs/{id}/cancel/",
            cancel,
            says("Cancel a run. If it has begun, it stops at its next step."),
        )
        .get(
            "/api/v1/projects/{project_pk}/scheduler-runs/",
            recalculations,
            says("List the queued recalculations of a project, newest first."),
        )
        .get(
            "/api/v1/projects/{project_pk}/scheduler-runs/{id}/",
            recalculation,
            says("Get a queued recalculation of a project."),
        )
}

async fn page(
    app: &App,
    actor: &Actor,
    project: Option<ProjectId>,
    paging: &Paging,
    filter: &RunFilter,
) -> ApiResult<Page<RunRow>> {
    let keys = paging.keys(ORDERINGS, &[Key::descending("r.created_at")], "r.id")?;
    let from = queries::visible(actor, project, filter);
    paging.fetch::<RunRow, _>(&app.db, queries::COLUMNS, from, "r.id", &keys, |row| row).await
}

async fn all(
    State(app): State<App>,
    actor: Actor,
    paging: Paging,
    Query(filter): Query<RunFilter>,
) -> ApiResult<Page<TaskRun>> {
    Ok(page(&app, &actor, None, &paging, &filter).await?.map(TaskRun::from))
}

async fn active(State(app): State<App>, actor: Actor, paging: Paging) -> ApiResult<Page<TaskRun>> {
    let filter = RunFilter {
        status: Patch::Set(vec![TaskRunStatus::Pending, TaskRunStatus::Running]),
        started_after: Patch::Absent,
        started_before: Patch::Absent,
    };
    Ok(page(&app, &actor, None, &paging, &filter).await?.map(TaskRun::from))
}

async fn one(State(app): State<App>, actor: Actor, Path(id): Path<TaskRunId>) -> ApiResult<Json<TaskRun>> {
    let row = queries::find(&app.db, &actor, None, id).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(row.into()))
}

async fn of_project(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    paging: Paging,
    Query(filter): Query<RunFilter>,
) -> ApiResult<Page<TaskRun>> {
    Ok(page(&app, &scope.actor, Some(scope.project), &paging, &filter).await?.map(TaskRun::from))
}

async fn found(app: &App, grant: &Grant, id: TaskRunId) -> ApiResult<RunRow> {
    let row = queries::find(&app.db, &grant.actor, Some(grant.project()?), id).await?;
    row.ok_or_else(ApiError::not_found)
}

async fn one_of_project(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    Path(id): Path<TaskRunId>,
) -> ApiResult<Json<TaskRun>> {
    Ok(Json(found(&app, &scope, id).await?.into()))
}

async fn recalculations(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    paging: Paging,
    Query(filter): Query<RunFilter>,
) -> ApiResult<Page<SchedulerRun>> {
    Ok(page(&app, &scope.actor, Some(scope.project), &paging, &filter).await?.map(SchedulerRun::from))
}

async fn recalculation(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    Path(id): Path<TaskRunId>,
) -> ApiResult<Json<SchedulerRun>> {
    Ok(Json(found(&app, &scope, id).await?.into()))
}

async fn cancel(
    State(app): State<App>,
    scope: ProjectScope<may::CancelRun>,
    Path(id): Path<TaskRunId>,
) -> ApiResult<Accepted<TaskRun>> {
    let mut edit = Edit::begin(&app, &scope).await?;
    let run = queries::hold(&mut edit, id, Some(scope.project)).await?.ok_or_else(ApiError::not_found)?;
    match run.status {
        TaskRunStatus::Pending => work::cancelled(&mut edit, &run).await?,
        TaskRunStatus::Running => queries::request_stop(&mut edit, id).await?,
        _ => return Err(ApiError::conflict("The run has already ended.").with_code("run_not_active")),
    }
    let row = queries::find(&edit, &scope.actor, Some(scope.project), id).await?;
    edit.commit().await?;
    Ok(Accepted(row.ok_or_else(ApiError::not_found)?.into()))
}

/// Work has been queued.
#[derive(Serialize, JsonSchema)]
struct ScheduleQueued {
    /// Always true.
    queued: bool,
    /// The new run, or the run that was already waiting.
    run: TaskRunId,
}

async fn run_by_hand(
    State(app): State<App>,
    scope: ProjectScope<may::RunSchedule>,
) -> ApiResult<Accepted<ScheduleQueued>> {
    let mut edit = Edit::begin(&app, &scope).await?;
    let run = queue_run(&mut edit, scope.project, RunReason::Manual, Some(scope.actor.id)).await?;
    edit.commit().await?;
    Ok(Accepted(ScheduleQueued { queued: true, run }))
}
