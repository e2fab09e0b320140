//! `/api/v1/calendars/{calendar_pk}/exceptions/`: the days that differ from the weekdays.
//! Each write raises the version of the calendar, whose row is locked for it, and needs the right to change the calendar.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::CalendarId;
use planwright_store::page::Key;
use planwright_store::{Record, sql};
use planwright_web::{
    ApiResult, App, Body, Created, Item, Json, NoContent, Page, Paging, Routes, WrittenBody, says,
};
use serde_json::{Map, json};

use super::model::{
    CalendarException, CalendarExceptionRequest, CalendarRow, ExceptionRow, PatchedCalendarExceptionRequest,
};
use super::{LibraryScope, check_right_to_change, rules};
use crate::edit::Edit;
use crate::schedule;

const ONE: &str = "/api/v1/calendars/{calendar_pk}/exceptions/{id}/";
const ALL: &str = "/api/v1/calendars/{calendar_pk}/exceptions/";

/// What the list may be ordered by.
const ORDERINGS: planwright_web::paging::Orderings = &[("exc_start", "e.exc_start")];

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The exceptions of a calendar.").orderings(ORDERINGS))
        .post(ALL, create, says("Add an exception."))
        .get(ONE, show, says("One exception."))
        .write(
            ONE,
            update,
            says("Write all fields of an exception."),
            says("Write some fields of an exception."),
        )
        .delete(ONE, delete, says("Remove an exception."))
}

type Editor = LibraryScope<may::EditCalendars>;

async fn list(
    State(app): State<App>,
    calendar: Item<CalendarRow, may::ReadCalendars>,
    paging: Paging,
) -> ApiResult<Page<CalendarException>> {
    let keys = paging.keys(ORDERINGS, &[Key::ascending("e.exc_start")], "e.id")?;
    let select = format!("SELECT {}", ExceptionRow::select_list("e"));
    let from = sql!("FROM calendar_exceptions e WHERE e.calendar_id = :calendar", calendar = calendar.row.id);
    paging.fetch::<ExceptionRow, _>(&app.db, &select, from, "e.id", &keys, Into::into).await
}

async fn create(
    State(app): State<App>,
    calendar: Item<CalendarRow, may::EditCalendars>,
    Body(request): Body<CalendarExceptionRequest>,
) -> ApiResult<Created<CalendarException>> {
    let (mut edit, calendar) = opened(&app, &calendar.scope, calendar.row.id).await?;
    let row =
        rules::changed_exception(ExceptionRow::fresh(edit.mint(), calendar.id, &request), request.into())?;
    edit.create(&row).await?;
    change_calendar(edit, &calendar, None, Some(&row)).await?;
    Ok(Created(row.into()))
}

async fn show(item: Item<ExceptionRow, may::ReadCalendars>) -> ApiResult<Json<CalendarException>> {
    Ok(Json(item.row.into()))
}

async fn update(
    State(app): State<App>,
    item: Item<ExceptionRow, may::EditCalendars>,
    WrittenBody(request): WrittenBody<PatchedCalendarExceptionRequest>,
) -> ApiResult<Json<CalendarException>> {
    let (mut edit, calendar) = opened(&app, &item.scope, item.row.calendar_id).await?;
    let before: ExceptionRow = edit.lock(item.row.id).await?;
    let written = edit.update(&before, rules::changed_exception(before.clone(), request)?).await?;
    if written.is_changed {
        change_calendar(edit, &calendar, Some(&before), Some(&written.row)).await?;
    }
    Ok(Json(written.row.into()))
}

async fn delete(
    State(app): State<App>,
    item: Item<ExceptionRow, may::EditCalendars>,
) -> ApiResult<NoContent> {
    let (mut edit, calendar) = opened(&app, &item.scope, item.row.calendar_id).await?;
    let row: ExceptionRow = edit.lock(item.row.id).await?;
    edit.delete(&row).await?;
    change_calendar(edit, &calendar, Some(&row), None).await?;
    Ok(NoContent)
}

/// Begins the change of a calendar's days: its row is locked, so that such changes come one after the other.
async fn opened(app: &App, scope: &Editor, calendar: CalendarId) -> ApiResult<(Edit, CalendarRow)> {
    let edit = Edit::begin(app, scope).await?;
    let calendar: CalendarRow = edit.lock(calendar).await?;
    check_right_to_change(&edit, &edit.grant.actor, calendar.id).await?;
    Ok((edit, calendar))
}

/// Raises the version of the calendar, recalculates the plans that use it, and ends the edit.
async fn change_calendar(
    mut edit: Edit,
    calendar: &CalendarRow,
    before: Option<&ExceptionRow>,
    after: Option<&ExceptionRow>,
) -> ApiResult<()> {
    let fields = Map::from_iter([("exceptions".to_owned(), json!([before, after]))]);
    edit.touch(calendar, fields).await?;
    schedule::request_for_calendar(&mut edit, calendar.id).await?;
    Ok(edit.commit().await?)
}
