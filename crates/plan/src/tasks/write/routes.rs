//! `/api/v1/tasks/` as people write it: create, replace, change, delete.
//! Each is one transaction; dates that move are in the answer.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, Item, NoContent, Partial, Routes, WrittenBody, says,
};

use super::{Author, PatchedTaskRequest, TaskRecord, TaskRequest, WriteContext};
use crate::edit::{self, Edit};
use crate::tasks::decorate;
use crate::tasks::model::Task;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post("/api/v1/tasks/", create, says("Add a task to a project, with its dates in the answer."))
        .write("/api/v1/tasks/{id}/", update, says("Replace a task."), says("Change some fields of a task."))
        .delete(
            "/api/v1/tasks/{id}/",
            delete,
            says("Delete a task with its subtasks and links; tasks below it move up one level."),
        )
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<TaskRequest>,
) -> ApiResult<Created<Task>> {
    let scope = Author::of(&app.db, &actor, request.project).await?;
    let mut edit = Edit::of_plan(&app, &scope).await?;
    let is_early = request.planned_start.is_given() && !request.duration.is_given();
    let (id, warnings) = super::create(&mut edit, request).await?;
    edit.recalculate_within_reach(if is_early { "planned_start" } else { "duration" }).await?;
    let task = decorate::one(&edit, &actor, id).await?.with_warnings(warnings);
    edit.commit().await?;
    Ok(Created(task))
}

async fn update(
    State(app): State<App>,
    item: Item<TaskRecord, may::AuthorPlan>,
    expected: Precondition,
    WrittenBody(request): WrittenBody<Partial<PatchedTaskRequest>>,
) -> ApiResult<Versioned<Task>> {
    let (mut edit, before) = edit::open_plan(&app, item, expected.clone()).await?;
    let (id, field) = (before.id, request.read.reaching());
    let written = super::update(&mut edit, before, expected, request).await?;
    edit.recalculate_within_reach(field).await?;
    let task = decorate::one(&edit, &edit.grant.actor, id).await?.with_warnings(written.warnings);
    edit.commit().await?;
    Ok(Versioned::computed(task.server_version, task).merged(written.merged))
}

async fn delete(
    State(app): State<App>,
    item: Item<TaskRecord, may::AuthorPlan>,
    expected: Precondition,
) -> ApiResult<NoContent> {
    let (mut edit, record) = edit::open_plan(&app, item, expected.clone()).await?;
    let context = WriteContext::bare(&edit, &edit.grant).await?;
    if !context.may_delete(&record) {
        return Err(ApiError::forbidden("You may delete the tasks that are assigned to you."));
    }
    super::nothing_unseen(&edit, &context, &expected, &record).await?;
    let (tx, lock) = edit.plan();
    super::deletion::delete(tx, lock, &context.announcer(super::Board::EachRow), &[record]).await?;
    edit.commit().await?;
    Ok(NoContent)
}
