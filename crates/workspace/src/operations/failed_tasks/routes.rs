//! `/api/v1/admin/failed-tasks/`: list, show, requeue and drop, one or all that match.
//! A job that was settled once stays settled.

use axum::extract::State;
use planwright_jobs::dead;
use planwright_plan::edit::Edit;
use planwright_store::Read;
use planwright_store::page::Key;
use planwright_web::paging::Orderings;
use planwright_web::{ApiError, ApiResult, App, Body, Json, Page, Paging, Path, Query, Routes, says};
use uuid::Uuid;

use super::model::{
    FailedTask, FailedTaskBulkOutcome, FailedTaskDropRequest, FailedTaskQuery, FailedTaskRequeueRequest,
    FailedTaskRow,
};
use super::queries::{self, Filter};
use crate::Administrator;
use crate::operations::OperatorSettings;

/// The largest page of this list.
const LARGEST_SIZE: i64 = 200;

const ORDERINGS: Orderings = &[
    ("last_failed_at", "f.last_failed_at"),
    ("first_failed_at", "f.first_failed_at"),
    ("failure_count", "f.failure_count"),
    ("task_name", "f.kind"),
];

/// The routes of this file.
pub fn table() -> Routes {
    let requeues = || says("Requeue the failed jobs that match.");
    let drops = || says("Discard the failed jobs that match.");
    // Both spellings answer; the document lists one, since an operation has one name.
    Routes::new()
        .get(
            "/api/v1/admin/failed-tasks/",
            list,
            says("List the failed jobs, newest first.").orderings(ORDERINGS),
        )
        .post("/api/v1/admin/failed-tasks/requeue-all/", requeue_all, requeues())
        .post("/api/v1/admin/failed-tasks/requeue_all/", requeue_all, requeues().hidden())
        .post("/api/v1/admin/failed-tasks/drop-all/", drop_all, drops())
        .post("/api/v1/admin/failed-tasks/drop_all/", drop_all, drops().hidden())
        .get("/api/v1/admin/failed-tasks/{id}/", show, says("Get one failed job."))
        .post("/api/v1/admin/failed-tasks/{id}/requeue/", requeue, says("Requeue a failed job."))
        .post("/api/v1/admin/failed-tasks/{id}/drop/", discard, says("Discard a failed job."))
}

async fn list(
    State(app): State<App>,
    _: Administrator,
    Query(asked): Query<FailedTaskQuery>,
    mut paging: Paging,
) -> ApiResult<Page<FailedTask>> {
    paging.size = paging.size.min(LARGEST_SIZE);
    let keys = paging.keys(ORDERINGS, &[Key::descending("f.last_failed_at")], "f.id")?;
    let from = queries::matching(&app.db, &Filter::of(asked, paging.search.clone()));
    let (columns, id) = (queries::COLUMNS, "f.id");
    paging.fetch::<FailedTaskRow, _>(&app.db, columns, from, id, &keys, FailedTask::from).await
}

async fn show(State(app): State<App>, _: Administrator, Path(id): Path<Uuid>) -> ApiResult<Json<FailedTask>> {
    Ok(Json(load(&app.db, id).await?))
}

async fn load(db: &dyn Read, id: Uuid) -> ApiResult<FailedTask> {
    let row = queries::find(db, id).await?.ok_or_else(ApiError::not_found)?;
    Ok(row.into())
}

async fn requeue(
    State(app): State<App>,
    administrator: Administrator,
    Path(id): Path<Uuid>,
    Body(request): Body<FailedTaskRequeueRequest>,
) -> ApiResult<Json<FailedTask>> {
    let mut edit = Edit::begin(&app, &administrator).await?;
    load(&edit, id).await?;
    if !dead::requeue(&mut edit, id, administrator.actor.id, request.delay()).await? {
        return Err(settled());
    }
    let task = load(&edit, id).await?;
    edit.commit().await?;
    Ok(Json(task))
}

async fn discard(
    State(app): State<App>,
    administrator: Administrator,
    Path(id): Path<Uuid>,
    Body(request): Body<FailedTaskDropRequest>,
) -> ApiResult<Json<FailedTask>> {
    let mut edit = Edit::begin(&app, &administrator).await?;
    load(&edit, id).await?;
    if !dead::dismiss(&mut edit, id, administrator.actor.id, &request.note()).await? {
        return Err(settled());
    }
    let task = load(&edit, id).await?;
    edit.commit().await?;
    Ok(Json(task))
}

fn settled() -> ApiError {
    ApiError::bad_request("The job was already requeued or discarded.")
}

async fn requeue_all(
    State(app): State<App>,
    administrator: Administrator,
    Query(asked): Query<FailedTaskQuery>,
    Body(request): Body<FailedTaskRequeueRequest>,
) -> ApiResult<Json<FailedTaskBulkOutcome>> {
    let mut edit = Edit::begin(&app, &administrator).await?;
    let most = app.get::<OperatorSettings>().bulk_action_max;
    let (matched, ids) = queries::still_dead(&edit, &Filter::of(asked, None), most).await?;
    let mut processed = 0;
    for id in ids {
        processed += i64::from(dead::requeue(&mut edit, id, administrator.actor.id, request.delay()).await?);
    }
    edit.commit().await?;
    Ok(Json(FailedTaskBulkOutcome::of(processed, matched)))
}

async fn drop_all(
    State(app): State<App>,
    administrator: Administrator,
    Query(asked): Query<FailedTaskQuery>,
    Body(request): Body<FailedTaskDropRequest>,
) -> ApiResult<Json<FailedTaskBulkOutcome>> {
    let mut edit = Edit::begin(&app, &administrator).await?;
    let most = app.get::<OperatorSettings>().bulk_action_max;
    let (matched, ids) = queries::still_dead(&edit, &Filter::of(asked, None), most).await?;
    let (note, mut processed) = (request.note(), 0);
    for id in ids {
        processed += i64::from(dead::dismiss(&mut edit, id, administrator.actor.id, &note).await?);
    }
    edit.commit().await?;
    Ok(Json(FailedTaskBulkOutcome::of(processed, matched)))
}
