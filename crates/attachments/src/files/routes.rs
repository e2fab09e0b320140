//! The routes of attachments.

use axum::extract::State;
use chrono::Duration;
use http::{HeaderMap, Uri};
use planwright_domain::Role;
use planwright_domain::access::may;
use planwright_plan::edit;
use planwright_plan::tasks::write::TaskRecord;
use planwright_store::page::Key;
use planwright_web::limits::Limit;
use planwright_web::paging::{Orderings, origin};
use planwright_web::version::Precondition;
use planwright_web::{
    ApiError, ApiResult, App, Created, Item, Json, NoContent, Page, Paging, Query, Routes, StreamedForm, says,
};

use super::download::signed;
use super::model::*;
use super::{queries, upload};

const ALL: &str = "/api/v1/projects/{project_pk}/tasks/{task_pk}/attachments/";
const ONE: &str = "/api/v1/projects/{project_pk}/tasks/{task_pk}/attachments/{id}/";
const SIGNED: &str = "/api/v1/projects/{project_pk}/tasks/{task_pk}/attachments/{id}/signed-url/";

/// The largest request, in bytes; the setting of the largest file is checked while it is read.
const MOST_REQUEST_BYTES: usize = 1 << 30;
/// How long a signed address works by default, in seconds.
const USUAL_SECONDS: i64 = 900;

const ORDERINGS: Orderings = &[("created_at", "a.created_at"), ("file_name", "a.file_name")];

/// The routes of this file.
pub(super) fn table() -> Routes {
    Routes::new()
        .get(
            ALL,
            list,
            says("The files and addresses on a task, the pinned ones first.").orderings(ORDERINGS),
        )
        .post(
            ALL,
            add,
            says("Put a file or an address on a task.")
                .streamed(MOST_REQUEST_BYTES)
                .limit(Limit::TaskAttachmentUpload),
        )
        .get(ONE, show, says("One file or address on a task."))
        .delete(ONE, delete, says("Take a file or an address off a task."))
        .get(SIGNED, sign, says("An address by which a file can be fetched for a while."))
}

async fn list(
    State(app): State<App>,
    item: Item<TaskRecord, may::ReadProject>,
    paging: Paging,
) -> ApiResult<Page<TaskAttachment>> {
    let pinned_first =
        [Key::descending("a.is_pinned"), Key::descending("a.created_at"), Key::descending("a.id")];
    let keys = paging.keys(ORDERINGS, &pinned_first, "a.id")?;
    let from = queries::of_task(&app.db, item.row.id, paging.search.as_deref());
    paging.fetch::<ShownRow, _>(&app.db, queries::COLUMNS, from, "a.id", &keys, TaskAttachment::from).await
}

async fn add(
    State(app): State<App>,
    item: Item<TaskRecord, may::TakePart>,
    form: StreamedForm<TaskAttachmentRequest>,
) -> ApiResult<Created<TaskAttachment>> {
    let row = upload::add(&app, &item.scope, item.row.id, form).await?;
    Ok(Created(row.into()))
}

async fn show(
    State(app): State<App>,
    item: Item<AttachmentRow, may::ReadProject>,
) -> ApiResult<Json<TaskAttachment>> {
    let row = queries::shown(&app.db, item.row.id).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(row.into()))
}

async fn delete(
    State(app): State<App>,
    item: Item<AttachmentRow, may::TakePart>,
    expected: Precondition,
) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open(&app, item, expected).await?;
    if row.uploaded_by != edit.grant.actor.id && edit.grant.role < Role::ProjectManager {
        return Err(ApiError::forbidden(
            "Only the person who put it there or a Project Manager can take it off.",
        ));
    }
    edit.delete(&row).await?;
    edit.commit().await?;
    Ok(NoContent)
}

async fn sign(
    State(app): State<App>,
    item: Item<AttachmentRow, may::ReadProject>,
    Query(query): Query<SignedUrlQuery>,
    headers: HeaderMap,
) -> ApiResult<Json<SignedDownloadUrl>> {
    if item.row.storage_key.is_empty() {
        return Err(ApiError::bad_request("This is an address of another place. There is no file to fetch."));
    }
    let seconds = query.ttl.given().map_or(USUAL_SECONDS, i64::from);
    let expires_at = app.clock.now() + Duration::seconds(seconds);
    let origin = origin(&app, &headers, &Uri::default());
    Ok(Json(signed(&app, &origin, &item.row, item.scope.actor.id, expires_at)?))
}
