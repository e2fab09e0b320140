//! The routes of comments themselves.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::CommentId;
use planwright_domain::words::ChangeKind;
use planwright_plan::edit::{self, Edit};
use planwright_plan::tasks::write::TaskRecord;
use planwright_store::page::Key;
use planwright_store::record::find_live;
use planwright_web::paging::Orderings;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{ApiError, ApiResult, App, Body, Created, Item, NoContent, Page, Paging, Routes, says};

use super::commands;
use super::model::*;
use super::queries;
use crate::author;

const ALL: &str = "/api/v1/projects/{project_pk}/tasks/{task_pk}/comments/";
const ONE: &str = "/api/v1/projects/{project_pk}/tasks/{task_pk}/comments/{id}/";

/// How many comments a task may have.
const MOST: i64 = 1000;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The comments of a task, the oldest first.").orderings(ORDERINGS))
        .post(ALL, create, says("Comment on a task, or answer a comment."))
        .get(ONE, show, says("One comment."))
        .patch(ONE, update, says("Change a comment, within 15 minutes."))
        .delete(ONE, delete, says("Delete a comment; an empty place stays."))
}

const ORDERINGS: Orderings = &[("created_at", "c.created_at")];

type Spoken = Item<CommentRow, may::TakePart>;

async fn list(
    State(app): State<App>,
    item: Item<TaskRecord, may::ReadProject>,
    paging: Paging,
) -> ApiResult<Page<TaskComment>> {
    let keys = paging.keys(ORDERINGS, &[Key::ascending("c.created_at")], "c.id")?;
    let me = item.scope.actor.id;
    let from = queries::of_task(&app.db, item.row.id, me, paging.search.as_deref());
    let columns = queries::columns();
    paging.fetch::<ShownCommentRow, _>(&app.db, &columns, from, "c.id", &keys, TaskComment::from).await
}

async fn create(
    State(app): State<App>,
    item: Item<TaskRecord, may::TakePart>,
    Body(request): Body<TaskCommentRequest>,
) -> ApiResult<Created<TaskComment>> {
    let mut edit = Edit::begin(&app, &item.scope).await?;
    let (id, by, now) = (edit.mint(), edit.grant.actor.id, edit.now());
    let task: TaskRecord = edit.lock(item.row.id).await?;
    let row = CommentRow::fresh(id, &task, by, request, now);
    may_be_added(&edit, &task, row.parent_id).await?;
    let resolved = commands::resolve(&app, &mut edit, &row).await?;
    edit.create(&row).await?;
    commands::tell_created(&mut edit, &task, &row).await?;
    commands::mention(&mut edit, &task, &row, &resolved).await?;
    let shown = queries::one(&edit, id, by).await?;
    edit.commit().await?;
    Ok(Created(shown.into()))
}

async fn show(
    State(app): State<App>,
    item: Item<CommentRow, may::ReadProject>,
) -> ApiResult<Versioned<TaskComment>> {
    let shown = queries::one(&app.db, item.row.id, item.scope.actor.id).await?;
    Ok(Versioned::new(item.row.server_version, shown.into()))
}

async fn update(
    State(app): State<App>,
    item: Spoken,
    expected: Precondition,
    Body(request): Body<PatchedTaskCommentRequest>,
) -> ApiResult<Versioned<TaskComment>> {
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    let now = edit.now();
    refuse_deleted(&before)?;
    author::may_edit(&edit.grant.actor, before.author_id, before.created_at, now)?;
    if request.parent.as_given().is_some_and(|parent| *parent != before.parent_id) {
        return Err(ApiError::invalid_field("parent", "A comment stays where it is."));
    }
    let mut after = before.clone();
    request.body.write_to(&mut after.body);
    if after.body != before.body {
        after.edited_at = Some(now);
    }
    let written = changed(&app, &mut edit, &before, after).await?;
    let shown = queries::one(&edit, before.id, edit.grant.actor.id).await?;
    edit.commit().await?;
    Ok(written.shown(|_| shown.into()))
}

async fn delete(State(app): State<App>, item: Spoken, expected: Precondition) -> ApiResult<NoContent> {
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    author::may_delete(&edit.grant.actor, before.author_id, edit.grant.role)?;
    if !before.is_deleted() {
        let (deleted_at, deleted_by) = (Some(edit.now()), Some(edit.grant.actor.id));
        let after = CommentRow { deleted_at, deleted_by, ..before.clone() };
        edit.update(&before, after).await?;
        commands::tell(&mut edit, &before, ChangeKind::Deleted).await?;
    }
    edit.commit().await?;
    Ok(NoContent)
}

/// Writes a changed comment, and mentions who is named anew.
async fn changed(
    app: &App,
    edit: &mut Edit,
    before: &CommentRow,
    after: CommentRow,
) -> ApiResult<planwright_plan::edit::Written<CommentRow>> {
    let resolved = commands::resolve(app, edit, &after).await?;
    let written = edit.update(before, after).await?;
    if let Some(task) = find_live::<TaskRecord>(&**edit, before.task_id.0).await? {
        commands::mention(edit, &task, &written.row, &resolved).await?;
    }
    if written.is_changed {
        commands::tell(edit, &written.row, ChangeKind::Updated).await?;
    }
    Ok(written)
}

/// Refuses an answer to an answer, and more comments than a task may have.
async fn may_be_added(edit: &Edit, task: &TaskRecord, parent: Option<CommentId>) -> ApiResult<()> {
    if queries::count(edit, task.id).await? >= MOST {
        return Err(ApiError::bad_request(format!("A task has at most {MOST} comments.")));
    }
    let Some(parent) = parent else { return Ok(()) };
    let refused = |message: &str| Err(ApiError::invalid_field("parent", message));
    match queries::parent(edit, task.id, parent).await? {
        None => refused("There is no such comment on the task."),
        Some(row) if row.parent_id.is_some() => refused("An answer cannot be answered."),
        Some(row) if row.is_deleted() => refused("The comment was deleted."),
        Some(_) => Ok(()),
    }
}

/// Refuses to change what was deleted.
pub(super) fn refuse_deleted(row: &CommentRow) -> ApiResult<()> {
    match row.is_deleted() {
        true => Err(ApiError::bad_request("The comment was deleted.")),
        false => Ok(()),
    }
}
