//! `/api/v1/calendars/{calendar_pk}/exceptions/`: the days that differ from the weekdays.
//! Each write raises the version of the calendar.

use axum::extract::State;
use planwright_domain::ids::{CalendarId, ExceptionId};
use planwright_store::Read;
use planwright_store::page::Key;
use planwright_store::sql;
use planwright_web::scope::OuterPath;
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, Json, NoContent, Page, Paging, Path, Routes, says,
};

use super::model::{
    CalendarException, CalendarExceptionRequest, ExceptionRow, PatchedCalendarExceptionRequest,
};
use super::{LibraryEditor, queries, rules};
use crate::schedule;

const ONE: &str = "/api/v1/calendars/{calendar_pk}/exceptions/{id}/";
const ALL: &str = "/api/v1/calendars/{calendar_pk}/exceptions/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The exceptions of a calendar."))
        .post(ALL, create, says("Add an exception."))
        .get(ONE, show, says("One exception."))
        .put(ONE, replace, says("Write all of an exception."))
        .patch(ONE, update, says("Write some fields of an exception."))
        .delete(ONE, delete, says("Remove an exception."))
}

async fn calendar(db: &impl Read, id: CalendarId) -> ApiResult<CalendarId> {
    queries::find(db, id).await?.map(|row| row.id).ok_or_else(ApiError::not_found)
}

async fn list(
    State(app): State<App>,
    _: Actor,
    OuterPath(of): OuterPath<CalendarId>,
    paging: Paging,
) -> ApiResult<Page<CalendarException>> {
    let of = calendar(&app.db, of).await?;
    let keys = paging.keys(&[("exc_start", "e.exc_start")], &[Key::ascending("e.exc_start")], "e.id")?;
    let select = "SELECT e.id, e.calendar_id, e.exc_start, e.exc_end, e.description, e.working";
    let from = sql!("FROM calendar_exceptions e WHERE e.calendar_id = :calendar", calendar = of);
    paging.fetch::<ExceptionRow, ExceptionId, _>(&app.db, select, from, "e.id", &keys, Into::into).await
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    OuterPath(of): OuterPath<CalendarId>,
    Body(request): Body<CalendarExceptionRequest>,
) -> ApiResult<Created<CalendarException>> {
    let mut tx = app.db.begin().await?;
    let editor = LibraryEditor::of(&tx, &actor).await?;
    let fresh = ExceptionRow {
        id: tx.mint(),
        calendar_id: calendar(&tx, of).await?,
        exc_start: request.exc_start,
        exc_end: request.exc_end,
        description: String::new(),
        working: false,
    };
    let row = rules::changed_exception(fresh, request.into())?;
    queries::insert_exception(&mut tx, &editor, &row).await?;
    schedule::request_for_calendar(&mut tx, row.calendar_id).await?;
    tx.commit().await?;
    Ok(Created(row.into()))
}

async fn found(db: &impl Read, of: CalendarId, id: ExceptionId) -> ApiResult<ExceptionRow> {
    let of = calendar(db, of).await?;
    queries::find_exception(db, of, id).await?.ok_or_else(ApiError::not_found)
}

async fn show(
    State(app): State<App>,
    _: Actor,
    OuterPath(of): OuterPath<CalendarId>,
    Path(id): Path<ExceptionId>,
) -> ApiResult<Json<CalendarException>> {
    Ok(Json(found(&app.db, of, id).await?.into()))
}

async fn replace(
    state: State<App>,
    actor: Actor,
    of: OuterPath<CalendarId>,
    id: Path<ExceptionId>,
    Body(request): Body<CalendarExceptionRequest>,
) -> ApiResult<Json<CalendarException>> {
    update(state, actor, of, id, Body(request.into())).await
}

async fn update(
    State(app): State<App>,
    actor: Actor,
    OuterPath(of): OuterPath<CalendarId>,
    Path(id): Path<ExceptionId>,
    Body(request): Body<PatchedCalendarExceptionRequest>,
) -> ApiResult<Json<CalendarException>> {
    let mut tx = app.db.begin().await?;
    let editor = LibraryEditor::of(&tx, &actor).await?;
    let row = rules::changed_exception(found(&tx, of, id).await?, request)?;
    queries::update_exception(&mut tx, &editor, &row).await?;
    schedule::request_for_calendar(&mut tx, row.calendar_id).await?;
    tx.commit().await?;
    Ok(Json(row.into()))
}

async fn delete(
    State(app): State<App>,
    actor: Actor,
    OuterPath(of): OuterPath<CalendarId>,
    Path(id): Path<ExceptionId>,
) -> ApiResult<NoContent> {
    let mut tx = app.db.begin().await?;
    let editor = LibraryEditor::of(&tx, &actor).await?;
    let row = found(&tx, of, id).await?;
    queries::delete_exception(&mut tx, &editor, &row).await?;
    schedule::request_for_calendar(&mut tx, row.calendar_id).await?;
    tx.commit().await?;
    Ok(NoContent)
}
