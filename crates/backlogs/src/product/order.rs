//! Puts rows of a product backlog into another order: finds the place, and writes the ranks that follow from it.
//! What ranks follow is decided in `ranks.rs`.

use std::collections::{HashMap, HashSet};

use planwright_domain::ids::{ProjectId, TaskId};
use planwright_plan::Edit;
use planwright_plan::tasks::write::queries::{records, set_ranks};
use planwright_plan::tasks::write::{self, Board, PlannedWrite, TaskRecord, WriteContext};
use planwright_store::Read;
use planwright_web::{ApiError, ApiResult};

use super::model::SeenTask;
use super::rules::{Goal, nothing_stale};
use super::{queries, ranks};

/// How many neighbours are looked at before all rows are.
const NEIGHBOURS: i64 = 64;

type Ranked = Vec<(TaskId, Option<i64>)>;

/// Rows in their new order, within the ranks that lie around them.
struct Slot {
    rows: Ranked,
    below: Option<i64>,
    above: Option<i64>,
}

/// New ranks: those of rows that somebody moved, and those of rows that make room.
struct Order {
    moved: Vec<(TaskId, i64)>,
    others: Vec<(TaskId, i64)>,
}

/// Puts rows where they are to go; how many were moved.
///
/// # Errors
/// 400 when the place is not in the backlog, 409 when the order was made from another state.
pub async fn put(edit: &mut Edit, context: &WriteContext, seen: &[SeenTask], goal: Goal) -> ApiResult<usize> {
    let project = edit.project()?;
    if goal == Goal::Whole {
        let before = queries::waiting(edit, project).await?;
        let waiting: HashSet<TaskId> = before.iter().map(|row| row.0).collect();
        let named: HashSet<TaskId> = seen.iter().map(|row| row.id).collect();
        let differ: Vec<TaskId> = waiting.symmetric_difference(&named).copied().collect();
        check(edit, seen, &differ).await?;
        return arrange(edit, context, &before, seen.iter().map(|row| row.id).collect()).await;
    }
    let own: HashMap<TaskId, Option<i64>> =
        queries::among(edit, project, seen.iter().map(|row| row.id)).await?.into_iter().collect();
    let strangers: Vec<TaskId> = seen.iter().map(|row| row.id).filter(|id| !own.contains_key(id)).collect();
    check(edit, seen, &strangers).await?;
    let rows: Ranked = seen.iter().map(|row| (row.id, own[&row.id])).collect();
    if let Some(slot) = nearby(edit, project, &rows, goal).await?
        && let Some(order) = near(&slot, rows.len())
    {
        return save(edit, context, order).await;
    }
    let before = queries::shown(edit, project).await?;
    let after = placed(&before, &rows, goal)
        .ok_or_else(|| ApiError::bad_request("There is no such row in the backlog."))?;
    arrange(edit, context, &before, after).await
}

/// Puts a whole list into another order; how many were moved.
pub async fn arrange(
    edit: &mut Edit,
    context: &WriteContext,
    before: &[(TaskId, Option<i64>)],
    after: Vec<TaskId>,
) -> ApiResult<usize> {
    let order =
        whole(before, &after).ok_or_else(|| ApiError::conflict("The backlog has too many rows to order."))?;
    save(edit, context, order).await
}

/// The ranks of a list in another order. Rows without a rank at its end that nobody moved stay without one.
fn whole(before: &[(TaskId, Option<i64>)], after: &[TaskId]) -> Option<Order> {
    let stood: HashMap<TaskId, (usize, Option<i64>)> =
        before.iter().enumerate().map(|(place, (id, rank))| (*id, (place, *rank))).collect();
    let places: Vec<usize> = after.iter().map(|id| stood[id].0).collect();
    let moved = ranks::moved(&places);
    let rank = |id: &TaskId| stood[id].1;
    let counted = after.iter().zip(&moved).rposition(|(id, moved)| *moved || rank(id).is_some());
    let counted = &after[..counted.map_or(0, |last| last + 1)];
    let own: Vec<Option<i64>> = counted.iter().map(rank).collect();
    let fresh = ranks::ordered(&own, None, None)?;
    let mut order = Order { moved: Vec::new(), others: Vec::new() };
    for (at, (id, new)) in counted.iter().zip(fresh).enumerate() {
        match (own[at] == Some(new), moved[at]) {
            (true, _) => {}
            (false, true) => order.moved.push((*id, new)),
            (false, false) => order.others.push((*id, new)),
        }
    }
    Some(order)
}

/// The list with rows at their place in it; none when the place is not there.
fn placed(before: &[(TaskId, Option<i64>)], rows: &Ranked, goal: Goal) -> Option<Vec<TaskId>> {
    let going: HashSet<TaskId> = rows.iter().map(|row| row.0).collect();
    let mut list: Vec<TaskId> = before.iter().map(|row| row.0).filter(|id| !going.contains(id)).collect();
    let place = |other: TaskId| list.iter().position(|id| *id == other);
    let at = match goal {
        Goal::Before(other) => place(other)?,
        Goal::After(other) => place(other)? + 1,
        Goal::End | Goal::Whole => list.len(),
    };
    list.splice(at..at, rows.iter().map(|row| row.0));
    Some(list)
}

/// What lies around a place, when its neighbour has a rank. The end is only known to the whole list.
async fn nearby(db: &dyn Read, project: ProjectId, rows: &Ranked, goal: Goal) -> ApiResult<Option<Slot>> {
    let (Goal::Before(other) | Goal::After(other)) = goal else { return Ok(None) };
    let Some((_, Some(rank))) = queries::among(db, project, [other]).await?.pop() else { return Ok(None) };
    let going: HashSet<TaskId> = rows.iter().map(|row| row.0).collect();
    let most = NEIGHBOURS + rows.len() as i64;
    let stays = |row: &(TaskId, i64)| !going.contains(&row.0);
    let following = queries::ranked_from(db, project, (rank, other), most).await?;
    let is_all = (following.len() as i64) < most;
    let mut following: Vec<_> = following.into_iter().filter(stays).collect();
    let above = if is_all { None } else { following.pop().map(|row| row.1) };
    let below = match goal {
        Goal::After(_) => {
            following.remove(0);
            Some(rank)
        }
        _ => {
            let preceding = queries::ranked_before(db, project, (rank, other), rows.len() as i64 + 1).await?;
            preceding.into_iter().find(stays).map(|row| row.1)
        }
    };
    let rows = rows.iter().copied().chain(following.into_iter().map(|(id, rank)| (id, Some(rank))));
    Ok(Some(Slot { rows: rows.collect(), below, above }))
}

/// The ranks of the first rows of a slot, which are moved, and of those that make room.
fn near(slot: &Slot, moved: usize) -> Option<Order> {
    let own: Vec<Option<i64>> = slot.rows.iter().map(|row| row.1).collect();
    let fresh = ranks::ordered(&own, slot.below, slot.above)?;
    let changed = |rows: std::ops::Range<usize>| {
        let pairs = rows.map(|at| (slot.rows[at], fresh[at]));
        pairs.filter(|((_, old), new)| *old != Some(*new)).map(|((id, _), new)| (id, new)).collect()
    };
    Some(Order { moved: changed(0..moved), others: changed(moved..slot.rows.len()) })
}

/// Refuses what was seen in another state.
async fn check(edit: &Edit, seen: &[SeenTask], differ: &[TaskId]) -> ApiResult<()> {
    let ids: Vec<TaskId> = seen.iter().map(|row| row.id).chain(differ.iter().copied()).collect();
    nothing_stale(seen, &in_project(edit, &ids).await?, differ)
}

/// Those of some rows that are live in the project of an edit.
pub async fn in_project(edit: &Edit, ids: &[TaskId]) -> ApiResult<HashMap<TaskId, TaskRecord>> {
    let project = edit.project()?;
    let rows = records(edit, ids).await?.into_iter().filter(|row| row.project_id == project);
    Ok(rows.map(|row| (row.id, row)).collect())
}

/// Writes new ranks; how many rows were moved.
async fn save(edit: &mut Edit, context: &WriteContext, order: Order) -> ApiResult<usize> {
    let (tx, lock) = edit.plan();
    if !order.others.is_empty() {
        set_ranks(tx, lock, context.project.id, &order.others).await?;
    }
    write_ranks(edit, context, &order.moved).await
}

/// Writes the ranks of rows that somebody moved; how many changed.
pub async fn write_ranks(
    edit: &mut Edit,
    context: &WriteContext,
    ranks: &[(TaskId, i64)],
) -> ApiResult<usize> {
    let ids: Vec<TaskId> = ranks.iter().map(|row| row.0).collect();
    let rows = in_project(edit, &ids).await?;
    let planned = ranks.iter().filter_map(|(id, rank)| {
        let before = rows.get(id)?.clone();
        let after = TaskRecord { priority_rank: Some(*rank), ..before.clone() };
        Some(PlannedWrite::direct(before, after))
    });
    let planned = planned.collect();
    let (tx, lock) = edit.plan();
    Ok(write::save(tx, lock, context, planned, Board::OneForAll).await?.len())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn id(number: u128) -> TaskId {
        TaskId(Uuid::from_u128(number))
    }

    #[test]
    fn rows_that_nobody_moved_stay_without_a_rank_behind_the_others() {
        let before = [(id(1), None), (id(2), None), (id(3), None), (id(4), None)];
        let order = whole(&before, &[id(2), id(1), id(3), id(4)]).unwrap();
        assert_eq!(order.moved, [(id(2), ranks::GAP)], "it stands before all that have none");
        assert!(order.others.is_empty());
        assert!(whole(&before, &[id(1), id(2), id(3), id(4)]).unwrap().moved.is_empty());
    }

    #[test]
    fn rows_go_to_their_place_in_the_order_in_which_they_were_named() {
        let before = [(id(1), None), (id(2), None), (id(3), None), (id(4), None)];
        let rows = vec![(id(4), None), (id(1), None)];
        assert_eq!(placed(&before, &rows, Goal::After(id(2))), Some(vec![id(2), id(4), id(1), id(3)]));
        assert_eq!(placed(&before, &rows, Goal::Before(id(2))), Some(vec![id(4), id(1), id(2), id(3)]));
        assert_eq!(placed(&before, &rows, Goal::End), Some(vec![id(2), id(3), id(4), id(1)]));
        assert_eq!(placed(&before, &rows, Goal::After(id(9))), None);
    }
}
