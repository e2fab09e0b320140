//! `/api/v1/calendars/`: list, create, show, update, replace, delete.
//! A change that can move dates recalculates every plan that uses the calendar, in the same transaction.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_store::page::Key;
use planwright_store::{Read, Record, Result};
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, Item, Json, NoContent, Page, Paging, Routes, WrittenBody,
    says,
};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::model::{Calendar, CalendarRequest, CalendarRow, PatchedCalendarRequest};
use super::{LibraryScope, check_right_to_change, queries, rules};
use crate::edit::{self, Edit};
use crate::schedule;

/// What the list may be ordered by.
const ORDERINGS: planwright_web::paging::Orderings = &[("name", "c.name")];

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get("/api/v1/calendars/", list, says("The calendars of the library.").orderings(ORDERINGS))
        .post("/api/v1/calendars/", create, says("Add a calendar to the library.").members_only())
        .get("/api/v1/calendars/{id}/", show, says("One calendar with its exceptions."))
        .write(
            "/api/v1/calendars/{id}/",
            update,
            says("Write all fields of a calendar."),
            says("Write some fields of a calendar."),
        )
        .get("/api/v1/calendars/{id}/uses/", uses, says("List everything that uses a calendar."))
        .delete("/api/v1/calendars/{id}/", delete, says("Delete a calendar that nothing uses."))
}

async fn list(State(app): State<App>, _: Actor, paging: Paging) -> ApiResult<Page<Calendar>> {
    let keys = paging.keys(ORDERINGS, &[Key::ascending("c.name")], "c.id")?;
    let from = queries::live(&app.db, paging.search.as_deref());
    let columns = format!("SELECT {}", CalendarRow::select_list("c"));
    let page = paging.fetch::<CalendarRow, _>(&app.db, &columns, from, "c.id", &keys, |row| row).await?;
    let mut exceptions = queries::exceptions_of(&app.db, page.results.iter().map(|row| row.id)).await?;
    Ok(page.map(|row| {
        let own = exceptions.remove(&row.id).unwrap_or_default();
        Calendar::of(row, own)
    }))
}

async fn create(
    State(app): State<App>,
    scope: LibraryScope<may::EditCalendars>,
    Body(request): Body<CalendarRequest>,
) -> ApiResult<Created<Calendar>> {
    let mut edit = Edit::begin(&app, &scope).await?;
    let row = rules::changed(CalendarRow::fresh(edit.mint(), edit.now()), request.into())?;
    edit.create(&row).await?;
    edit.commit().await?;
    Ok(Created(Calendar::of(row, Vec::new())))
}

async fn show(
    State(app): State<App>,
    item: Item<CalendarRow, may::ReadCalendars>,
) -> ApiResult<Versioned<Calendar>> {
    Ok(Versioned::new(item.row.server_version, with_exceptions(&app.db, item.row).await?))
}

async fn update(
    State(app): State<App>,
    item: Item<CalendarRow, may::EditCalendars>,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedCalendarRequest>,
) -> ApiResult<Versioned<Calendar>> {
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    check_right_to_change(&edit, &edit.grant.actor, before.id).await?;
    let written = edit.update(&before, rules::changed(before.clone(), request)?).await?;
    if written.row.working_days != before.working_days {
        schedule::request_for_calendar(&mut edit, before.id).await?;
    }
    let calendar = with_exceptions(&edit, written.row.clone()).await?;
    edit.commit().await?;
    Ok(written.shown(|_| calendar))
}

async fn delete(
    State(app): State<App>,
    item: Item<CalendarRow, may::EditCalendars>,
    expected: Precondition,
) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open(&app, item, expected).await?;
    let uses = queries::uses(&edit, row.id, edit.grant.actor.id).await?;
    if !uses.is_empty() {
        return Err(in_use(uses));
    }
    edit.delete(&row).await?;
    edit.commit().await?;
    Ok(NoContent)
}

/// Something that uses a calendar.
#[derive(Serialize, JsonSchema)]
struct CalendarUse {
    /// `project`, `overlay`, `tasks`, `program`, `workspace` or `resource`.
    r#type: String,
    /// The id; that of the project for an overlay and for tasks. Null for the workspace.
    id: Option<Uuid>,
    /// Its name.
    name: String,
}

async fn uses(
    State(app): State<App>,
    item: Item<CalendarRow, may::EditCalendars>,
) -> ApiResult<Json<Vec<CalendarUse>>> {
    let caller = item.scope.actor.id;
    let uses = queries::uses(&app.db, item.row.id, caller).await?.into_iter().filter(|used| used.is_known);
    Ok(Json(uses.map(|used| CalendarUse { r#type: used.kind, id: used.id, name: used.name }).collect()))
}

fn in_use(uses: Vec<queries::Use>) -> ApiError {
    let count = uses.len();
    let shown: Vec<_> = uses
        .into_iter()
        .filter(|used| used.is_known)
        .take(10)
        .map(|used| serde_json::json!({ "type": used.kind, "id": used.id, "name": used.name }))
        .collect();
    ApiError::conflict("The calendar is in use and cannot be deleted.")
        .with_code("calendar_in_use")
        .with("reference_count", count)
        .with("references", shown)
}

/// A calendar with its exceptions.
pub async fn with_exceptions(db: &dyn Read, row: CalendarRow) -> Result<Calendar> {
    let exceptions = queries::exceptions_of(db, [row.id]).await?.remove(&row.id).unwrap_or_default();
    Ok(Calendar::of(row, exceptions))
}
