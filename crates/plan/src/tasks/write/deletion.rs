//! Taking tasks out of a plan, and bringing them back with exactly what their deletion took.
//! A deletion takes the row, its drawer subtasks, its links and relations; rows of their own below it move up one level.

use std::collections::{BTreeSet, HashMap, HashSet};

use futures_util::future::BoxFuture;
use planwright_domain::ids::{DeletionId, ProjectId, TaskId};
use planwright_domain::words::ChangeKind;
use planwright_store::{Result, Tx};
use planwright_web::{ApiError, ApiResult};

use super::announce::{self, Announcer};
pub use super::deletion_plan::Drawer;
use super::deletion_plan::Leaving;
use super::deletion_queries as queries;
use super::record::TaskRecord;
use super::relations;
use super::restoration_queries as restoring;
use crate::dependencies::commands;
use crate::dependencies::queries::LinkRow;
use crate::schedule::PlanLock;
use crate::sprints::milestones;

/// What an act of deletion that takes a task is called.
pub const ACT: &str = "task";

/// How long a deleted task can be brought back, in days.
pub const RETENTION_DAYS: i64 = 90;

/// What a deletion did.
#[derive(Debug, Default)]
pub struct Deleted {
    /// The rows that went.
    pub taken: Vec<TaskId>,
    /// The rows that stay and moved up.
    pub moved: Vec<TaskId>,
}

/// Deletes rows with their drawer subtasks, each by an act of its own. Returns every id that was taken.
pub async fn delete(
    tx: &mut Tx,
    lock: &mut PlanLock,
    announcer: &Announcer<'_>,
    roots: &[TaskRecord],
) -> Result<Vec<TaskId>> {
    delete_all(tx, lock, announcer, Drawer::GoesAlong, roots).await.map(|deleted| deleted.taken)
}

/// Deletes rows in a few statements, however many there are; the order of the roots does not matter.
pub fn delete_all<'a>(
    tx: &'a mut Tx,
    lock: &'a mut PlanLock,
    announcer: &'a Announcer<'a>,
    drawer: Drawer,
    roots: &'a [TaskRecord],
) -> BoxFuture<'a, Result<Deleted>> {
    Box::pin(async move {
        if roots.is_empty() {
            return Ok(Deleted::default());
        }
        let ids: Vec<TaskId> = roots.iter().map(|root| root.id).collect();
        let leaving = Leaving::of(roots, queries::below(tx, &ids).await?, drawer);
        let going: Vec<TaskId> = leaving.taken().keys().copied().collect();
        let links = queries::links(tx, &going).await?;
        commands::hold(tx, lock, links.iter().flat_map(LinkRow::projects)).await?;
        let holding = links.iter().filter(|link| !link.pending_acceptance);
        holding.flat_map(LinkRow::projects).for_each(|project| lock.moves_dates(project));
        let mut acts: HashMap<TaskId, DeletionId> = HashMap::new();
        let mut opened = Vec::new();
        for root in roots.iter().filter(|root| leaving.taken().get(&root.id) == Some(&root.id)) {
            let act: DeletionId = tx.mint();
            acts.insert(root.id, act);
            opened.push((act, root.id.0));
        }
        tx.begin_deletions(ACT, &opened, Some(announcer.caller.id), Some(announcer.project)).await?;
        let moved = lift(tx, lock, announcer, &leaving, &acts).await?;
        let act_of = |row: &TaskId| leaving.taken().get(row).and_then(|root| acts.get(root)).copied();
        let mut taken: Vec<(TaskId, DeletionId)> =
            leaving.taken().keys().filter_map(|row| Some((*row, act_of(row)?))).collect();
        taken.sort_unstable();
        let rows = records_of(tx, roots, &taken).await?;
        queries::take_rows(tx, lock, announcer.project, &taken).await?;
        queries::take_links(tx, lock, &links, &taken).await?;
        announcer.deleted(tx, &rows).await?;
        let (actor, quiet) = (announcer.caller.id, announcer.quiet());
        announce::links(tx, actor, ChangeKind::Deleted, &links, quiet).await?;
        relations::take(tx, actor, &taken, quiet).await?;
        milestones::tell_of_tasks(tx, announcer, &rows).await?;
        lock.moves_dates(announcer.project);
        Ok(Deleted { taken: rows.into_iter().map(|row| row.id).collect(), moved })
    })
}

/// The rows that go, the roots first, as they were before.
async fn records_of(
    tx: &Tx,
    roots: &[TaskRecord],
    taken: &[(TaskId, DeletionId)],
) -> Result<Vec<TaskRecord>> {
    let context: HashSet<TaskId> = roots.iter().map(|root| root.id).collect();
    let others: Vec<TaskId> =
        taken.iter().map(|(row, _)| *row).filter(|row| !context.contains(row)).collect();
    let mut rows = roots.to_vec();
    rows.extend(queries::records_in_parts(tx, &others).await?);
    Ok(rows)
}

/// The rows below those that go take their places, in their order.
async fn lift(
    tx: &mut Tx,
    lock: &PlanLock,
    announcer: &Announcer<'_>,
    leaving: &Leaving,
    acts: &HashMap<TaskId, DeletionId>,
) -> Result<Vec<TaskId>> {
    let moves = leaving.moves();
    if moves.is_empty() {
        return Ok(Vec::new());
    }
    let heirs: BTreeSet<TaskId> = moves.iter().filter_map(|a_move| a_move.to).collect();
    let mut siblings = queries::below(tx, &heirs.into_iter().collect::<Vec<_>>()).await?;
    if moves.iter().any(|a_move| a_move.to.is_none()) {
        siblings.extend(queries::at_the_top(tx, announcer.project).await?);
    }
    let numbers = leaving.numbers(&moves, siblings);
    queries::note_moves(tx, &moves, acts).await?;
    queries::move_up(tx, lock, announcer.project, &moves).await?;
    queries::renumber(tx, lock, announcer.project, &numbers).await?;
    let told: Vec<_> =
        moves.iter().map(|at| (at.row.id, at.row.server_version + 1, at.row.parent_id, at.to)).collect();
    announcer.moved(tx, &told).await?;
    Ok(moves.into_iter().map(|a_move| a_move.row.id).collect())
}

/// Brings a task back; 404 when it is not the root of a deletion that can still be taken back.
pub fn restore<'a>(
    tx: &'a mut Tx,
    lock: &'a mut PlanLock,
    announcer: &'a Announcer<'a>,
    task: TaskId,
    act: DeletionId,
) -> BoxFuture<'a, ApiResult<()>> {
    Box::pin(async move {
        let project: ProjectId = announcer.project;
        let back = restoring::rows_of_act(tx, act).await?;
        if !back.contains(&task) {
            return Err(ApiError::not_found());
        }
        let neighbours = restoring::linked_projects(tx, act, &back).await?;
        let together = commands::hold(tx, lock, neighbours.into_iter().chain([project])).await?;
        let place = restoring::place_of(tx, task).await?;
        restoring::give_rows(tx, lock, act, project).await?;
        restoring::close(tx, act).await?;
        restoring::put(tx, lock, project, task, place).await?;
        let moved = restoring::moves_to_undo(tx, act, place.parent).await?;
        restoring::move_below(tx, lock, project, &moved, task).await?;
        let lost = restoring::lost_links(tx, act, &back).await?;
        let links = commands::give_back(tx, lock, &together, lost).await?;
        lock.moves_dates(project);
        let mut rows = queries::records_in_parts(tx, &back).await?;
        rows.sort_by_key(|row| (row.id != task, row.position, row.id));
        announcer.restored(tx, &rows).await?;
        let told: Vec<_> =
            moved.iter().map(|row| (row.id, row.server_version + 1, place.parent, Some(task))).collect();
        announcer.moved(tx, &told).await?;
        announce::links(tx, announcer.caller.id, ChangeKind::Restored, &links, announcer.quiet()).await?;
        relations::give(tx, announcer.caller.id, act, &back).await?;
        milestones::tell_of_tasks(tx, announcer, &rows).await?;
        Ok(())
    })
}
