//! `/api/v1/tasks/{id}/split/` and `unsplit/`: one transaction and one recalculation each.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{DependencyId, TaskId};
use planwright_domain::words::{BatchKind, BatchStatus};
use planwright_plan::dependencies::splitting;
use planwright_plan::edit::{self, Edit};
use planwright_plan::outline::Rearranged;
use planwright_plan::tasks::decorate;
use planwright_plan::tasks::model::Task;
use planwright_plan::tasks::write::{self, Author, Board, PlannedWrite, TaskRecord, WriteContext, deletion};
use planwright_store::record::find_live;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{ApiError, ApiResult, App, Created, IgnoredBody, Item, OpenBody, Routes, says};
use serde_json::json;

use super::model::{SplitRequest, SplitSnapshot};
use super::{queries, rules};
use crate::batch::queries::{self as operations, OperationRow};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post(
            "/api/v1/tasks/{id}/split/",
            split,
            says(
                "Split a task: its remaining work becomes a new row, which takes the links of its end along.",
            ),
        )
        .post(
            "/api/v1/tasks/{id}/unsplit/",
            unsplit,
            says("Take the split back that made this row. Neither part may have changed since then."),
        )
}

type Authored = Item<TaskRecord, may::AuthorPlan>;

async fn split(
    State(app): State<App>,
    item: Authored,
    OpenBody(request): OpenBody<SplitRequest>,
) -> ApiResult<Created<Task>> {
    let (mut edit, before) = edit::open_plan(&app, item, Precondition::default()).await?;
    let second = divide(&mut edit, before, request).await?;
    edit.recalculate().await?;
    let task = decorate::one(&edit, &edit.scope.actor, second).await?;
    edit.commit().await?;
    Ok(Created(task))
}

async fn unsplit(State(app): State<App>, item: Authored, _: IgnoredBody) -> ApiResult<Versioned<Task>> {
    let (mut edit, second) = edit::open_plan(&app, item, Precondition::default()).await?;
    let first = join(&mut edit, second).await?;
    edit.recalculate().await?;
    let task = decorate::one(&edit, &edit.scope.actor, first).await?;
    edit.commit().await?;
    Ok(Versioned::computed(task.server_version, task))
}

/// Refuses whoever does not shape the backlog.
fn shaping(context: &WriteContext) -> ApiResult<()> {
    match context.caller.shapes_backlog() {
        true => Ok(()),
        false => Err(ApiError::forbidden("Splits are for Project Managers and Product Owners.")),
    }
}

/// Makes the second row, and writes down how to take it back.
async fn divide(edit: &mut Edit<Author>, before: TaskRecord, request: SplitRequest) -> ApiResult<TaskId> {
    let context = WriteContext::bare(edit, &edit.scope).await?;
    shaping(&context)?;
    rules::may_split(&before, has_rows_below(edit, before.id).await?)?;
    let shares = rules::shares(&before, &request)?;
    let fields = rules::first(&before, &shares);
    write::change(edit, before.clone(), fields).await?;
    let fresh = TaskRecord::fresh(edit.mint(), edit.scope.project, edit.now());
    let fresh = write::last_of(edit, TaskRecord { parent_id: before.parent_id, ..fresh }).await?;
    let second = rules::second(&before, &shares, request.split_name.given().map(String::from), fresh);
    let planned = PlannedWrite {
        owners: queries::owners(edit, before.id).await?,
        carries_pending: before.sprint_pending,
        ..PlannedWrite::fresh(second.clone())
    };
    let (tx, lock) = edit.plan();
    write::save(tx, lock, &context, vec![planned], Board::EachRow).await?;
    queries::copy_labels(tx, before.id, second.id).await?;
    stand_behind(edit, &context, &before, second.id).await?;
    let links = take_links(edit, before.id, second.id).await?;
    keep(edit, &before, second.id, links).await?;
    Ok(second.id)
}

async fn has_rows_below(edit: &Edit<Author>, task: TaskId) -> ApiResult<bool> {
    let (_, is_phase) = Rearranged::by(edit, edit.scope.project, |tree| Ok(tree.is_phase(task))).await?;
    Ok(is_phase)
}

/// Puts the second row right behind the first one, where rows have places.
async fn stand_behind(
    edit: &mut Edit<Author>,
    context: &WriteContext,
    first: &TaskRecord,
    second: TaskId,
) -> ApiResult<()> {
    if !first.has_place {
        return Ok(());
    }
    let (rearranged, ()) = Rearranged::by(edit, first.project_id, |tree| {
        let mut order = tree.children(first.parent_id);
        order.retain(|id| *id != second);
        let at = order.iter().position(|id| *id == first.id).map_or(order.len(), |at| at + 1);
        order.insert(at, second);
        tree.reorder(first.parent_id, &order)
    })
    .await?;
    let (tx, lock) = edit.plan();
    rearranged.save(tx, lock, context, SocketEvent::TasksReordered).await
}

/// Ties the links of the end of the first row to the second one, and the second one to the first.
async fn take_links(edit: &mut Edit<Author>, first: TaskId, second: TaskId) -> ApiResult<Vec<DependencyId>> {
    let actor = edit.scope.actor.id;
    let rows = splitting::of_task(edit, first).await?;
    let (tx, lock) = edit.plan();
    let mut taken = Vec::new();
    for row in rows.into_iter().filter(|row| rules::goes_along(row.dep_type, row.predecessor_id == first)) {
        taken.push(row.id);
        let at = |end: TaskId| if end == first { second } else { end };
        let ends = [at(row.predecessor_id), at(row.successor_id)];
        splitting::reattach(tx, lock, actor, row, ends).await?;
    }
    splitting::tie(tx, lock, actor, [first, second]).await?;
    Ok(taken)
}

async fn keep(
    edit: &mut Edit<Author>,
    before: &TaskRecord,
    second: TaskId,
    links: Vec<DependencyId>,
) -> ApiResult<()> {
    let first: TaskRecord = find_live(edit, before.id.0).await?.ok_or_else(ApiError::not_found)?;
    let made: TaskRecord = find_live(edit, second.0).await?.ok_or_else(ApiError::not_found)?;
    let snapshot = SplitSnapshot {
        first: before.id,
        first_version: first.server_version,
        second_version: made.server_version,
        before: rules::kept(before),
        links,
    };
    let operation = OperationRow {
        id: edit.mint(),
        project_id: edit.scope.project,
        applied_by: Some(edit.scope.actor.id),
        subtree_id: Some(second),
        status: BatchStatus::Active,
        snapshot: json!(snapshot),
        result_summary: json!({}),
        created_at: edit.now(),
        undone_at: None,
    };
    Ok(operations::insert(edit, BatchKind::Split, &operation).await?)
}

/// Makes one row of two again.
async fn join(edit: &mut Edit<Author>, second: TaskRecord) -> ApiResult<TaskId> {
    let context = WriteContext::bare(edit, &edit.scope).await?;
    shaping(&context)?;
    let none = || ApiError::conflict("No split made this task, or it was taken back.");
    let operation = queries::of_row(edit, second.id).await?.ok_or_else(none)?;
    let snapshot: SplitSnapshot = serde_json::from_value(operation.snapshot).map_err(|_| none())?;
    let first: Option<TaskRecord> = find_live(edit, snapshot.first.0).await?;
    let is_untouched = |first: &TaskRecord| {
        first.server_version == snapshot.first_version && second.server_version == snapshot.second_version
    };
    let changed = || ApiError::conflict("One of the two tasks was changed after the split.");
    let first = first.filter(is_untouched).ok_or_else(changed)?;
    let actor = edit.scope.actor.id;
    let links = splitting::of_task(edit, second.id).await?;
    let (tx, lock) = edit.plan();
    for row in links.into_iter().filter(|row| snapshot.links.contains(&row.id)) {
        let at = |end: TaskId| if end == second.id { first.id } else { end };
        let ends = [at(row.predecessor_id), at(row.successor_id)];
        splitting::reattach(tx, lock, actor, row, ends).await?;
    }
    deletion::delete(tx, lock, &context.announcer(Board::EachRow), &[second]).await?;
    let after = rules::restored(&first, &snapshot.before);
    write::save(tx, lock, &context, vec![PlannedWrite::direct(first.clone(), after)], Board::EachRow).await?;
    operations::close(tx, operation.id).await?;
    Ok(first.id)
}
