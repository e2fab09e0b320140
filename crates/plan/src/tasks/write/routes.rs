//! `/api/v1/tasks/` as people write it: create, replace, change, delete.
//! Each is one transaction; dates that move are in the answer.

use axum::extract::State;
use planwright_domain::ids::TaskId;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, NoContent, Partial, Path, Routes, says,
};

use super::{PatchedTaskRequest, TaskRequest};
use crate::span::Reach;
use crate::tasks::decorate;
use crate::tasks::model::Task;
use crate::tasks::seen::SeenTask;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post("/api/v1/tasks/", create, says("Add a task to a project, with its dates in the answer."))
        .put("/api/v1/tasks/{id}/", replace, says("Replace a task."))
        .patch("/api/v1/tasks/{id}/", update, says("Change some fields of a task."))
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
    let mut tx = app.db.begin().await?;
    let (scope, mut lock) = super::lock_plan(&mut tx, &actor, request.project).await?;
    let reach = Reach::of(&tx, scope.project).await?;
    let is_early = request.planned_start.is_given() && !request.duration.is_given();
    let (id, warnings) = super::create(&mut tx, &mut lock, &scope, request).await?;
    lock.end(&mut tx).await?;
    reach.keep(&tx, if is_early { "planned_start" } else { "duration" }).await?;
    let task = decorate::one(&tx, &actor, id).await?.with_warnings(warnings);
    tx.commit().await?;
    Ok(Created(task))
}

async fn replace(
    state: State<App>,
    actor: Actor,
    task: SeenTask,
    expected: Precondition,
    Body(Partial { read, problems }): Body<Partial<TaskRequest>>,
) -> ApiResult<Versioned<Task>> {
    update(state, actor, task, expected, Body(Partial { read: read.into(), problems })).await
}

async fn update(
    State(app): State<App>,
    actor: Actor,
    SeenTask(id): SeenTask,
    expected: Precondition,
    Body(request): Body<Partial<PatchedTaskRequest>>,
) -> ApiResult<Versioned<Task>> {
    let mut tx = app.db.begin().await?;
    let (scope, mut lock, before) = super::open(&mut tx, &actor, id).await?;
    let (reach, field) = (Reach::of(&tx, scope.project).await?, request.read.reaching());
    let written = super::update(&mut tx, &mut lock, &scope, before, expected, request).await?;
    lock.end(&mut tx).await?;
    reach.keep(&tx, field).await?;
    let task = decorate::one(&tx, &actor, id).await?.with_warnings(written.warnings);
    tx.commit().await?;
    Ok(Versioned { version: task.server_version, row: task, merged: written.merged })
}

async fn delete(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<TaskId>,
    expected: Precondition,
) -> ApiResult<NoContent> {
    let mut tx = app.db.begin().await?;
    let (scope, mut lock, record) = super::open(&mut tx, &actor, id).await?;
    let context = super::WriteContext::bare(&tx, &scope).await?;
    if !context.may_delete(&record) {
        return Err(ApiError::forbidden("You may delete the tasks that are assigned to you."));
    }
    super::nothing_unseen(&tx, &context, &expected, &record).await?;
    super::deletion::delete(&mut tx, &mut lock, &context.announcer(super::Board::EachRow), &[record]).await?;
    lock.end(&mut tx).await?;
    tx.commit().await?;
    Ok(NoContent)
}
