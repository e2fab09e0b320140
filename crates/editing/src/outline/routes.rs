//! `/api/v1/projects/{id}/tasks/…`: putting siblings into an order, and moving a row in, out or elsewhere.
//! Each answers with the rows whose numbers changed.

use axum::extract::State;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::TaskId;
use planwright_plan::tasks::write::{self, Author, WriteContext};
use planwright_store::Tx;
use planwright_web::{ApiError, ApiResult, App, Body, IgnoredBody, Json, Path, Routes, says};

use super::commands::{self, Rearranged};
use super::model::{TaskReorderRequest, TaskReorderResponse, TaskReparentRequest, TaskRestructureResponse};
use super::queries;
use super::structure::{Obstacle, Structure};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post("/api/v1/projects/{id}/tasks/reorder/", reorder, says("Put all rows below one into an order."))
        .post(
            "/api/v1/projects/{id}/tasks/{task_id}/indent/",
            indent,
            says("Put a row below the sibling before it."),
        )
        .post(
            "/api/v1/projects/{id}/tasks/{task_id}/outdent/",
            outdent,
            says("Put a row right after the one above it; the siblings behind it go below it."),
        )
        .post(
            "/api/v1/projects/{id}/tasks/{task_id}/reparent/",
            reparent,
            says("Put a row below another, or at the top."),
        )
}

async fn reorder(
    State(app): State<App>,
    scope: Author,
    Body(request): Body<TaskReorderRequest>,
) -> ApiResult<Json<TaskReorderResponse>> {
    if request.ordered_ids.is_empty() {
        return Err(ApiError::invalid_field("ordered_ids", "This list may not be empty."));
    }
    let mut tx = app.db.begin().await?;
    let (scope, mut lock) = write::hold(&mut tx, &scope).await?;
    let context = WriteContext::bare(&tx, &scope).await?;
    let path = request.parent_path.given().map(String::from).unwrap_or_default();
    let order = request.ordered_ids;
    let (rearranged, old) = Rearranged::by(&tx, scope.project, |tree| {
        let parent = at_path(tree, &path)?;
        let old = tree.children(parent);
        tree.reorder(parent, &order)?;
        Ok(old)
    })
    .await?;
    may_swap(&tx, &context, &old, &order).await?;
    rearranged.save(&mut tx, &mut lock, &context, SocketEvent::TasksReordered).await?;
    commands::note_order(&mut tx, &context, &old, &order).await?;
    lock.end(&mut tx).await?;
    tx.commit().await?;
    Ok(Json(TaskReorderResponse { updated: rearranged.renumbered() }))
}

fn at_path(tree: &Structure, path: &str) -> Result<Option<TaskId>, Obstacle> {
    if path.is_empty() {
        return Ok(None);
    }
    let numbered = tree.ids().zip(tree.numbers());
    let found = numbered.into_iter().find(|(_, place)| place.number.as_deref() == Some(path));
    found.map(|(id, _)| Some(id)).ok_or(Obstacle::Missing)
}

/// Somebody who does not manage the project may move rows of their own: without them, the order has to be the old one.
async fn may_swap(tx: &Tx, context: &WriteContext, old: &[TaskId], new: &[TaskId]) -> ApiResult<()> {
    if context.caller.manages() {
        return Ok(());
    }
    let records = write::queries::records(tx, old).await?;
    let others: std::collections::HashSet<TaskId> =
        records.iter().filter(|row| !context.may_edit(row)).map(|row| row.id).collect();
    let of_others = |order: &[TaskId]| -> Vec<TaskId> {
        order.iter().copied().filter(|id| others.contains(id)).collect()
    };
    match of_others(old) == of_others(new) {
        true => Ok(()),
        false => Err(ApiError::forbidden("You may move the tasks that are assigned to you.")),
    }
}

async fn indent(
    state: State<App>,
    scope: Author,
    Path(task): Path<TaskId>,
    _: IgnoredBody,
) -> ApiResult<Json<TaskRestructureResponse>> {
    restructure(state, scope, task, |tree| tree.indent(task).map(|parent| Some(Some(parent)))).await
}

async fn outdent(
    state: State<App>,
    scope: Author,
    Path(task): Path<TaskId>,
    _: IgnoredBody,
) -> ApiResult<Json<TaskRestructureResponse>> {
    restructure(state, scope, task, |tree| tree.outdent(task).map(|_| Some(Some(task)))).await
}

async fn reparent(
    state: State<App>,
    scope: Author,
    Path(task): Path<TaskId>,
    Body(request): Body<TaskReparentRequest>,
) -> ApiResult<Json<TaskRestructureResponse>> {
    let parent = request.new_parent_id;
    restructure(state, scope, task, |tree| Ok(tree.reparent(task, parent)?.then_some(parent))).await
}

/// Moves one row; `how` tells the row that got rows below it, or nothing when all stays as it is.
async fn restructure(
    State(app): State<App>,
    scope: Author,
    task: TaskId,
    how: impl FnOnce(&mut Structure) -> Result<Option<Option<TaskId>>, Obstacle>,
) -> ApiResult<Json<TaskRestructureResponse>> {
    let mut tx = app.db.begin().await?;
    let (scope, mut lock) = write::hold(&mut tx, &scope).await?;
    let record = write::queries::record(&tx, task).await?;
    let record = record.filter(|row| row.project_id == scope.project).ok_or_else(ApiError::not_found)?;
    let context = WriteContext::bare(&tx, &scope).await?;
    if !context.may_edit(&record) {
        return Err(ApiError::forbidden("You may move the tasks that are assigned to you."));
    }
    let (rearranged, moved) = Rearranged::by(&tx, scope.project, how).await?;
    let Some(holder) = moved else {
        return Ok(Json(TaskRestructureResponse { updated: Vec::new(), warning: None }));
    };
    rearranged.save(&mut tx, &mut lock, &context, SocketEvent::TasksRestructured).await?;
    let warning = match holder.filter(|holder| rearranged.is_new_phase(*holder)) {
        Some(holder) => queries::warning(&tx, holder).await?.map(str::to_owned),
        None => None,
    };
    lock.end(&mut tx).await?;
    tx.commit().await?;
    Ok(Json(TaskRestructureResponse { updated: rearranged.renumbered(), warning }))
}
