//! `/api/v1/calendars/`: list, create, show, update, replace, delete.
//! A change that can move dates recalculates every plan that uses the calendar, in the same transaction.

use axum::extract::State;
use planwright_domain::ids::CalendarId;
use planwright_domain::words::ChangeKind;
use planwright_store::history::Change;
use planwright_store::page::Key;
use planwright_store::{Read, Tx};
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, Json, NoContent, Page, Paging, Path, Routes, says,
};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::model::{Calendar, CalendarRequest, CalendarRow, PatchedCalendarRequest};
use super::{LibraryEditor, queries, rules};
use crate::schedule;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get("/api/v1/calendars/", list, says("The calendars of the library."))
        .post("/api/v1/calendars/", create, says("Add a calendar to the library."))
        .get("/api/v1/calendars/{id}/", show, says("One calendar with its exceptions."))
        .put("/api/v1/calendars/{id}/", replace, says("Write all of a calendar."))
        .patch("/api/v1/calendars/{id}/", update, says("Write some fields of a calendar."))
        .get("/api/v1/calendars/{id}/uses/", uses, says("What uses a calendar."))
        .delete(
            "/api/v1/calendars/{id}/",
            delete,
            says("Take a calendar that nothing uses out of the library."),
        )
}

async fn list(State(app): State<App>, _: Actor, paging: Paging) -> ApiResult<Page<Calendar>> {
    let keys = paging.keys(&[("name", "c.name")], &[Key::ascending("c.name")], "c.id")?;
    let from = queries::live(&app.db, paging.search.as_deref());
    let page = paging
        .fetch::<CalendarRow, CalendarId, _>(&app.db, queries::COLUMNS, from, "c.id", &keys, |row| row)
        .await?;
    let mut exceptions = queries::exceptions_of(&app.db, page.results.iter().map(|row| row.id)).await?;
    Ok(page.map(|row| {
        let own = exceptions.remove(&row.id).unwrap_or_default();
        Calendar::of(row, own)
    }))
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<CalendarRequest>,
) -> ApiResult<Created<Calendar>> {
    let mut tx = app.db.begin().await?;
    let editor = LibraryEditor::of(&tx, &actor).await?;
    let fresh = CalendarRow {
        id: tx.mint(),
        name: String::new(),
        working_days: 31,
        hours_per_day: 8.0,
        timezone: "UTC".into(),
        server_version: 1,
    };
    let row = rules::changed(fresh, request.into())?;
    queries::insert(&mut tx, &editor, &row).await?;
    tx.record(Change::of("calendar", row.id, ChangeKind::Created, actor.id)).await?;
    tx.commit().await?;
    Ok(Created(Calendar::of(row, Vec::new())))
}

async fn show(
    State(app): State<App>,
    _: Actor,
    Path(id): Path<CalendarId>,
) -> ApiResult<Versioned<Calendar>> {
    load(&app.db, id).await
}

async fn replace(
    state: State<App>,
    actor: Actor,
    path: Path<CalendarId>,
    expected: Precondition,
    Body(request): Body<CalendarRequest>,
) -> ApiResult<Versioned<Calendar>> {
    update(state, actor, path, expected, Body(request.into())).await
}

async fn update(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<CalendarId>,
    expected: Precondition,
    Body(request): Body<PatchedCalendarRequest>,
) -> ApiResult<Versioned<Calendar>> {
    let mut tx = app.db.begin().await?;
    let editor = LibraryEditor::of(&tx, &actor).await?;
    let row = queries::find(&tx, id).await?.ok_or_else(ApiError::not_found)?;
    expected.check(row.server_version)?;
    let changed = rules::changed(row.clone(), request)?;
    write(&mut tx, &editor, &row, &changed).await?;
    let calendar = load(&tx, id).await?;
    tx.commit().await?;
    Ok(calendar)
}

/// Writes what differs, if anything does; only other weekdays can move dates.
async fn write(tx: &mut Tx, editor: &LibraryEditor, old: &CalendarRow, new: &CalendarRow) -> ApiResult<()> {
    let change = Change::of("calendar", old.id, ChangeKind::Updated, editor.actor.id).between(old, new);
    if change.fields.is_empty() {
        return Ok(());
    }
    queries::update(tx, editor, new).await?;
    tx.record(Change { version: old.server_version + 1, ..change }).await?;
    if old.working_days != new.working_days {
        schedule::request_for_calendar(tx, old.id).await?;
    }
    Ok(())
}

async fn delete(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<CalendarId>,
    expected: Precondition,
) -> ApiResult<NoContent> {
    let mut tx = app.db.begin().await?;
    let editor = LibraryEditor::of(&tx, &actor).await?;
    let row = queries::find_held(&tx, id).await?.ok_or_else(ApiError::not_found)?;
    expected.check(row.server_version)?;
    let uses = queries::uses(&tx, id, actor.id).await?;
    if !uses.is_empty() {
        return Err(in_use(uses));
    }
    queries::delete(&mut tx, &editor, id).await?;
    let version = row.server_version + 1;
    tx.record(Change { version, ..Change::of("calendar", id, ChangeKind::Deleted, actor.id) }).await?;
    tx.commit().await?;
    Ok(NoContent)
}

/// Something that uses a calendar.
#[derive(Serialize, JsonSchema)]
struct CalendarUse {
    /// `project`, `overlay`, `program`, `workspace` or `resource`.
    r#type: String,
    /// Which one; null for the workspace.
    id: Option<Uuid>,
    /// Its name.
    name: String,
}

async fn uses(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<CalendarId>,
) -> ApiResult<Json<Vec<CalendarUse>>> {
    LibraryEditor::of(&app.db, &actor).await?;
    let row = queries::find(&app.db, id).await?.ok_or_else(ApiError::not_found)?;
    let uses = queries::uses(&app.db, row.id, actor.id).await?.into_iter().filter(|used| used.is_known);
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
pub async fn load(db: &impl Read, id: CalendarId) -> ApiResult<Versioned<Calendar>> {
    let row = queries::find(db, id).await?.ok_or_else(ApiError::not_found)?;
    let exceptions = queries::exceptions_of(db, [id]).await?.remove(&id).unwrap_or_default();
    Ok(Versioned::new(row.server_version, Calendar::of(row, exceptions)))
}
