//! `…/tasks/{task_pk}/notes/`: what people write down on a task, what is pinned, and what is a decision.

pub mod model;
mod queries;

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_plan::edit::{self, Edit};
use planwright_plan::tasks::write::TaskRecord;
use planwright_store::page::Key;
use planwright_web::paging::Orderings;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    ApiError, ApiResult, App, Body, Created, IgnoredBody, Item, NoContent, Page, Paging, Routes, says,
};
use serde_json::json;

use self::model::*;
use crate::author;

const ALL: &str = "/api/v1/projects/{project_pk}/tasks/{task_pk}/notes/";
const ONE: &str = "/api/v1/projects/{project_pk}/tasks/{task_pk}/notes/{id}/";

/// How many notes a task may have.
const MOST: i64 = 1000;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The notes of a task, pinned ones first, then the newest.").orderings(ORDERINGS))
        .post(ALL, create, says("Write a note on a task."))
        .get(ONE, show, says("One note."))
        .patch(ONE, update, says("Change a note, within 15 minutes."))
        .delete(ONE, delete, says("Delete a note."))
        .post(
            "/api/v1/projects/{project_pk}/tasks/{task_pk}/notes/{id}/pin/",
            pin,
            says("Pin a note, or take the pin off."),
        )
        .post(
            "/api/v1/projects/{project_pk}/tasks/{task_pk}/notes/{id}/decision/",
            decide,
            says("Mark a note as a decision, or take the mark off."),
        )
}

const ORDERINGS: Orderings = &[("created_at", "n.created_at")];

type Kept = Item<NoteRow, may::TakePart>;
async fn list(
    State(app): State<App>,
    item: Item<TaskRecord, may::ReadProject>,
    paging: Paging,
) -> ApiResult<Page<TaskNote>> {
    let usual = [Key::descending("n.pinned"), Key::descending("n.created_at")];
    let keys = paging.keys(ORDERINGS, &usual, "n.id")?;
    let from = queries::of_task(&app.db, item.row.id, paging.search.as_deref());
    paging.fetch::<ShownNoteRow, _>(&app.db, &queries::columns(), from, "n.id", &keys, TaskNote::from).await
}

async fn create(
    State(app): State<App>,
    item: Item<TaskRecord, may::TakePart>,
    Body(request): Body<TaskNoteRequest>,
) -> ApiResult<Created<TaskNote>> {
    let mut edit = Edit::begin(&app, &item.scope).await?;
    edit.lock::<TaskRecord>(item.row.id).await?;
    if queries::count(&edit, item.row.id).await? >= MOST {
        return Err(ApiError::bad_request(format!("A task has at most {MOST} notes.")));
    }
    let (id, now, by) = (edit.mint(), edit.now(), edit.grant.actor.id);
    let row = NoteRow::fresh(id, &item.row, by, request.body.into(), now);
    edit.create(&row).await?;
    let shown = queries::one(&edit, id).await?;
    edit.commit().await?;
    Ok(Created(shown.into()))
}

async fn show(
    State(app): State<App>,
    item: Item<NoteRow, may::ReadProject>,
) -> ApiResult<Versioned<TaskNote>> {
    let shown = queries::one(&app.db, item.row.id).await?;
    Ok(Versioned::new(item.row.server_version, shown.into()))
}

async fn update(
    State(app): State<App>,
    item: Kept,
    expected: Precondition,
    Body(request): Body<PatchedTaskNoteRequest>,
) -> ApiResult<Versioned<TaskNote>> {
    let (edit, before) = edit::open(&app, item, expected).await?;
    author::may_edit(&edit.grant.actor, before.author_id, before.created_at, edit.now())?;
    let mut after = before.clone();
    request.body.write_to(&mut after.body);
    if after.body != before.body {
        after.edited_at = Some(edit.now());
    }
    written(edit, &before, after).await
}

async fn delete(State(app): State<App>, item: Kept, expected: Precondition) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open(&app, item, expected).await?;
    author::may_delete(&edit.grant.actor, row.author_id, edit.grant.role)?;
    edit.delete(&row).await?;
    edit.commit().await?;
    Ok(NoContent)
}

async fn pin(
    State(app): State<App>,
    item: Kept,
    expected: Precondition,
    _: IgnoredBody,
) -> ApiResult<Versioned<TaskNote>> {
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    let after = NoteRow { pinned: !before.pinned, ..before.clone() };
    let told = json!({ "id": after.id, "task_id": after.task_id, "pinned": after.pinned });
    edit.announce(SocketEvent::TaskNotePinned, told).await?;
    written(edit, &before, after).await
}

async fn decide(
    State(app): State<App>,
    item: Kept,
    expected: Precondition,
    _: IgnoredBody,
) -> ApiResult<Versioned<TaskNote>> {
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    let after = NoteRow { decision: !before.decision, ..before.clone() };
    let told = json!({ "id": after.id, "task_id": after.task_id, "decision": after.decision });
    edit.announce(SocketEvent::TaskNoteDecisionToggled, told).await?;
    written(edit, &before, after).await
}

async fn written(mut edit: Edit, before: &NoteRow, after: NoteRow) -> ApiResult<Versioned<TaskNote>> {
    let written = edit.update(before, after).await?;
    let shown = queries::one(&edit, before.id).await?;
    edit.commit().await?;
    Ok(written.shown(|_| shown.into()))
}
