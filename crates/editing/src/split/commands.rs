//! What happens when a task is split, and when a split is taken back: rows, links, risks, and what is kept of it.

use std::collections::HashSet;

use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{DependencyId, RiskId, TaskId};
use planwright_domain::words::{BatchKind, BatchStatus};
use planwright_plan::dependencies::splitting;
use planwright_plan::edit::Edit;
use planwright_plan::outline::Rearranged;
use planwright_plan::risks::{go_along, go_back};
use planwright_plan::tasks::write::{self, Board, PlannedWrite, TaskRecord, WriteContext, deletion};
use planwright_store::record::find_live;
use planwright_web::{ApiError, ApiResult};
use serde_json::json;

use super::model::{Hung, SplitRequest, SplitSnapshot};
use super::{queries, rules};
use crate::batch::queries::{self as operations, OperationRow};

/// Refuses whoever does not shape the backlog.
fn shaping(context: &WriteContext) -> ApiResult<()> {
    match context.caller.shapes_backlog() {
        true => Ok(()),
        false => Err(ApiError::forbidden("Splits are for Project Managers and Product Owners.")),
    }
}

/// Makes the second row, and writes down how to take it back.
pub async fn divide(edit: &mut Edit, before: TaskRecord, request: SplitRequest) -> ApiResult<TaskId> {
    let context = WriteContext::bare(edit, &edit.grant).await?;
    shaping(&context)?;
    rules::may_split(&before, has_rows_below(edit, before.id).await?)?;
    let shares = rules::shares(&before, &request)?;
    let status_date = queries::status_date(edit, before.project_id).await?;
    write::change(edit, before.clone(), rules::first(&before, &shares, status_date)).await?;
    share_estimates(edit, &context, &before, &shares).await?;
    let fresh = TaskRecord::fresh(edit.mint(), edit.project()?, edit.now());
    let fresh = write::last_of(edit, TaskRecord { parent_id: before.parent_id, ..fresh }).await?;
    let second = rules::second(&before, &shares, request.split_name.given().map(String::from), fresh);
    let planned = PlannedWrite {
        owners: queries::owners(edit, before.id).await?,
        carries_pending: before.sprint_pending,
        is_split_off: true,
        ..PlannedWrite::fresh(second.clone())
    };
    let (tx, lock) = edit.plan();
    write::save(tx, lock, &context, vec![planned], Board::EachRow).await?;
    queries::copy_labels(tx, before.id, second.id).await?;
    queries::note_split(tx, before.project_id, second.id, before.id, shares.of_promise(&before)).await?;
    stand_behind(edit, &context, &before, second.id).await?;
    let links = take_links(edit, before.id, second.id).await?;
    if shares.is_done {
        // What threatened the task threatens what is left of it.
        let risks = queries::risks(edit, before.id).await?;
        go_along(edit, &risks, before.id, second.id).await?;
    }
    keep(edit, &before, second.id, links).await?;
    Ok(second.id)
}

async fn has_rows_below(edit: &Edit, task: TaskId) -> ApiResult<bool> {
    let (_, is_phase) = Rearranged::by(edit, edit.project()?, |tree| Ok(tree.is_phase(task))).await?;
    Ok(is_phase)
}

/// Gives the first row its share of the estimates. Nobody has to approve them again.
async fn share_estimates(
    edit: &mut Edit,
    context: &WriteContext,
    before: &TaskRecord,
    shares: &rules::Shares,
) -> ApiResult<()> {
    let first: TaskRecord = find_live(edit, before.id.0).await?.ok_or_else(ApiError::not_found)?;
    let after = rules::with_own_estimates(&first, shares, before);
    if after == first {
        return Ok(());
    }
    let (tx, lock) = edit.plan();
    write::save(tx, lock, context, vec![PlannedWrite::direct(first, after)], Board::EachRow).await?;
    Ok(())
}

/// Puts the second row right behind the first one, where rows have places.
async fn stand_behind(
    edit: &mut Edit,
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
async fn take_links(edit: &mut Edit, first: TaskId, second: TaskId) -> ApiResult<Vec<DependencyId>> {
    let actor = edit.grant.actor.id;
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

/// What hangs on a row of that which a split puts there.
async fn hung(edit: &Edit, row: TaskId) -> ApiResult<Hung> {
    let owners = queries::owners(edit, row).await?;
    Ok(Hung {
        links: splitting::of_task(edit, row).await?.into_iter().map(|link| link.id).collect(),
        labels: queries::labels(edit, row).await?,
        resources: owners.into_iter().map(|owner| (owner.resource, owner.units)).collect(),
        risks: queries::risks(edit, row).await?,
    })
}

async fn keep(
    edit: &mut Edit,
    before: &TaskRecord,
    second: TaskId,
    links: Vec<DependencyId>,
) -> ApiResult<()> {
    let first: TaskRecord = find_live(edit, before.id.0).await?.ok_or_else(ApiError::not_found)?;
    let made: TaskRecord = find_live(edit, second.0).await?.ok_or_else(ApiError::not_found)?;
    let snapshot = SplitSnapshot {
        first: before.id,
        version_before: before.server_version,
        first_version: first.server_version,
        second_version: made.server_version,
        before: rules::kept(before),
        links,
        hung: hung(edit, second).await?,
    };
    let operation = OperationRow {
        id: edit.mint(),
        project_id: edit.project()?,
        applied_by: Some(edit.grant.actor.id),
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
pub async fn join(edit: &mut Edit, second: TaskRecord) -> ApiResult<TaskId> {
    let context = WriteContext::bare(edit, &edit.grant).await?;
    shaping(&context)?;
    let none = || ApiError::conflict("No split made this task, or it was taken back.");
    // Whoever hangs something on the row holds it meanwhile.
    let second: TaskRecord = edit.lock(second.id).await?;
    let (operation, snapshot) = split_of(edit, second.id).await?.ok_or_else(none)?;
    let first = untouched(edit, &snapshot, &second).await?;
    let actor = edit.grant.actor.id;
    let links = splitting::of_task(edit, second.id).await?;
    let (tx, lock) = edit.plan();
    for row in links.into_iter().filter(|row| snapshot.links.contains(&row.id)) {
        let at = |end: TaskId| if end == second.id { first.id } else { end };
        let ends = [at(row.predecessor_id), at(row.successor_id)];
        splitting::reattach(tx, lock, actor, row, ends).await?;
    }
    deletion::delete(tx, lock, &context.announcer(Board::EachRow), std::slice::from_ref(&second)).await?;
    let after = rules::restored(&first, &snapshot.before);
    write::save(tx, lock, &context, vec![PlannedWrite::direct(first.clone(), after)], Board::EachRow).await?;
    operations::close(tx, operation.id).await?;
    queries::forget_split(tx, second.id).await?;
    give_back_risks(edit, &snapshot.hung.risks, second.id, first.id).await?;
    carry_on(edit, first.id, snapshot.version_before).await?;
    if second.has_place {
        edit.announce(SocketEvent::TasksReordered, json!({})).await?;
    }
    Ok(first.id)
}

/// The first row of a split, if neither row has changed since and nothing more hangs on the second one.
///
/// # Errors
/// 409 that names what was changed.
async fn untouched(edit: &Edit, snapshot: &SplitSnapshot, second: &TaskRecord) -> ApiResult<TaskRecord> {
    if !queries::split_off(edit, second.id).await?.is_empty() {
        return Err(ApiError::conflict("This task was split again later. Take that split back first."));
    }
    let first: Option<TaskRecord> = find_live(edit, snapshot.first.0).await?;
    let is_untouched = |first: &TaskRecord| {
        first.server_version == snapshot.first_version && second.server_version == snapshot.second_version
    };
    let changed = || ApiError::conflict("One of the two tasks was changed after the split.");
    let first = first.filter(is_untouched).ok_or_else(changed)?;
    let mut other = queries::hanging(edit, second.id).await?;
    other.extend(rules::differences(&snapshot.hung, &hung(edit, second.id).await?));
    match other.is_empty() {
        true => Ok(first),
        false => {
            let what = other.join(", ");
            Err(ApiError::conflict(format!("The new task was changed after the split: {what}.")))
        }
    }
}

/// The split that made a row, unless it was taken back.
async fn split_of(edit: &Edit, row: TaskId) -> ApiResult<Option<(OperationRow, SplitSnapshot)>> {
    let operation = queries::of_row(edit, row).await?;
    Ok(operation.and_then(|operation| {
        let snapshot = serde_json::from_value(operation.snapshot.clone()).ok()?;
        Some((operation, snapshot))
    }))
}

/// Lets the risks that a split took along threaten the whole row again.
async fn give_back_risks(edit: &mut Edit, risks: &[RiskId], second: TaskId, first: TaskId) -> ApiResult<()> {
    let still: HashSet<RiskId> = queries::risks(edit, second).await?.into_iter().collect();
    let back: Vec<RiskId> = risks.iter().copied().filter(|risk| still.contains(risk)).collect();
    go_back(edit, &back, second, first).await
}

/// Splits before this one expect the row as it was; a row that is whole again is as it was.
async fn carry_on(edit: &mut Edit, row: TaskId, version_before: i64) -> ApiResult<()> {
    let whole: TaskRecord = find_live(edit, row.0).await?.ok_or_else(ApiError::not_found)?;
    let mut made = queries::split_off(edit, row).await?;
    made.push(row);
    for second in made {
        let Some((operation, mut snapshot)) = split_of(edit, second).await? else { continue };
        let version = match second == row {
            true => &mut snapshot.second_version,
            false => &mut snapshot.first_version,
        };
        if *version == version_before {
            *version = whole.server_version;
            queries::keep_snapshot(edit, operation.id, &json!(snapshot)).await?;
        }
    }
    Ok(())
}
