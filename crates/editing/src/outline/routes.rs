//! `/api/v1/projects/{id}/tasks/…`: putting siblings into an order, and moving a row in, out or elsewhere.
//! Each answers with the rows whose numbers changed.

use std::collections::{HashMap, HashSet};

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::TaskId;
use planwright_domain::words::ChangeKind;
use planwright_plan::edit::{self, Edit};
use planwright_plan::outline::{Obstacle, Rearranged, Structure};
use planwright_plan::tasks::write::{self, Author, TaskRecord, WriteContext};
use planwright_store::Tx;
use planwright_store::history::Change;
use planwright_web::version::Precondition;
use planwright_web::{ApiError, ApiResult, App, Body, Item, Json, Routes, says};
use serde_json::{Map, json};

use super::model::{
    TaskReorderRequest, TaskReorderResponse, TaskReparentRequest, TaskRestructureResponse, WbsPathEntry,
};
use super::queries;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post(
            "/api/v1/projects/{id}/tasks/reorder/",
            reorder,
            says("Change the order of all rows below a row."),
        )
        .post(
            "/api/v1/projects/{id}/tasks/{task_id}/indent/",
            indent,
            says("Indent a row: move it below the sibling before it."),
        )
        .post(
            "/api/v1/projects/{id}/tasks/{task_id}/outdent/",
            outdent,
            says("Outdent a row: move it after its parent. The siblings after it become its children."),
        )
        .post(
            "/api/v1/projects/{id}/tasks/{task_id}/reparent/",
            reparent,
            says("Move a row below another row, or to the top."),
        )
}

type Authored = Item<TaskRecord, may::AuthorPlan>;

async fn reorder(
    State(app): State<App>,
    scope: Author,
    Body(request): Body<TaskReorderRequest>,
) -> ApiResult<Json<TaskReorderResponse>> {
    if request.ordered_ids.is_empty() {
        return Err(ApiError::invalid_field("ordered_ids", "This list may not be empty."));
    }
    let mut edit = Edit::of_plan(&app, &scope).await?;
    let context = WriteContext::bare(&edit, &edit.grant).await?;
    let path = request.parent_path.given().map(String::from).unwrap_or_default();
    let order = request.ordered_ids;
    let (rearranged, old) = Rearranged::by(&edit, scope.project, |tree| {
        let parent = at_path(tree, &path)?;
        let old = tree.children(parent);
        tree.reorder(parent, &order)?;
        Ok(old)
    })
    .await?;
    may_swap(&edit, &context, &old, &order).await?;
    let (tx, lock) = edit.plan();
    rearranged.save(tx, lock, &context, SocketEvent::TasksReordered).await?;
    note_order(tx, &context, &old, &order).await?;
    edit.commit().await?;
    Ok(Json(TaskReorderResponse { updated: renumbered(&rearranged) }))
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
    let others: HashSet<TaskId> =
        records.iter().filter(|row| !context.may_edit(row)).map(|row| row.id).collect();
    let of_others = |order: &[TaskId]| -> Vec<TaskId> {
        order.iter().copied().filter(|id| others.contains(id)).collect()
    };
    match of_others(old) == of_others(new) {
        true => Ok(()),
        false => Err(ApiError::forbidden("You may move only tasks that are assigned to you.")),
    }
}

async fn indent(state: State<App>, item: Authored) -> ApiResult<Json<TaskRestructureResponse>> {
    let task = item.row.id;
    restructure(state, item, |tree| tree.indent(task).map(|parent| Some(Some(parent)))).await
}

async fn outdent(state: State<App>, item: Authored) -> ApiResult<Json<TaskRestructureResponse>> {
    let task = item.row.id;
    restructure(state, item, |tree| tree.outdent(task).map(|_| Some(Some(task)))).await
}

async fn reparent(
    state: State<App>,
    item: Authored,
    Body(request): Body<TaskReparentRequest>,
) -> ApiResult<Json<TaskRestructureResponse>> {
    let (task, parent) = (item.row.id, request.new_parent_id);
    restructure(state, item, |tree| Ok(tree.reparent(task, parent)?.then_some(parent))).await
}

/// Moves one row; `how` tells the row that got rows below it, or nothing when all stays as it is.
async fn restructure(
    State(app): State<App>,
    item: Authored,
    how: impl FnOnce(&mut Structure) -> Result<Option<Option<TaskId>>, Obstacle>,
) -> ApiResult<Json<TaskRestructureResponse>> {
    let (mut edit, record) = edit::open_plan(&app, item, Precondition::default()).await?;
    let context = WriteContext::bare(&edit, &edit.grant).await?;
    if !context.may_edit(&record) {
        return Err(ApiError::forbidden("You may move only tasks that are assigned to you."));
    }
    let (rearranged, moved) = Rearranged::by(&edit, edit.project()?, how).await?;
    let Some(holder) = moved else {
        return Ok(Json(TaskRestructureResponse { updated: Vec::new(), warning: None }));
    };
    let (tx, lock) = edit.plan();
    rearranged.save(tx, lock, &context, SocketEvent::TasksRestructured).await?;
    let warning = match holder.filter(|holder| rearranged.is_new_phase(*holder)) {
        Some(holder) => queries::warning(&edit, holder).await?.map(str::to_owned),
        None => None,
    };
    edit.commit().await?;
    Ok(Json(TaskRestructureResponse { updated: renumbered(&rearranged), warning }))
}

fn renumbered(rearranged: &Rearranged) -> Vec<WbsPathEntry> {
    let entries = rearranged.renumbered().into_iter();
    entries.map(|(id, wbs_path)| WbsPathEntry { id, wbs_path }).collect()
}

/// Notes in the rows and in the history that siblings were put into another order; those that keep their place are left
/// as they are.
async fn note_order(tx: &mut Tx, context: &WriteContext, old: &[TaskId], new: &[TaskId]) -> ApiResult<()> {
    let then: HashMap<TaskId, usize> = old.iter().enumerate().map(|(at, id)| (*id, at)).collect();
    let places = new.iter().enumerate().filter_map(|(at, id)| Some((*id, *then.get(id)?, at)));
    let moved: Vec<(TaskId, usize, usize)> = places.filter(|(_, then, now)| then != now).collect();
    if moved.is_empty() {
        return Ok(());
    }
    let versions = queries::mark_edited(tx, &moved.iter().map(|(id, ..)| *id).collect::<Vec<_>>()).await?;
    let changes = moved.iter().filter_map(|(id, then, now)| {
        let fields = Map::from_iter([("position".to_owned(), json!([then + 1, now + 1]))]);
        let (project, program) = (Some(context.project.id), context.project.program_id);
        let updated = Change::of("task", *id, ChangeKind::Updated, context.caller.id);
        Some(Change { project, program, version: *versions.get(id)?, fields, ..updated })
    });
    Ok(tx.record_each(changes.collect()).await?)
}
