//! Taking tasks out of a plan, and bringing them back with exactly what their deletion took.
//! A deletion takes the row, its drawer subtasks, its links and relations; rows of their own below it move up one level.

use planwright_domain::ids::{DeletionId, ProjectId, TaskId};
use planwright_store::{Result, Tx};
use planwright_web::{ApiError, ApiResult};

use super::deletion_queries as queries;
use super::record::TaskRecord;
use super::tell::Telling;
use crate::schedule::Turn;

/// What an act of deletion that takes a task is called.
pub const ACT: &str = "task";

/// How long a deleted task can be brought back, in days.
pub const RETENTION_DAYS: i64 = 90;

/// Deletes rows, each by an act of its own; rows below others come first. Returns every id that was taken.
pub async fn delete(
    tx: &mut Tx,
    turn: &mut Turn,
    telling: &Telling<'_>,
    roots: &[TaskRecord],
) -> Result<Vec<TaskId>> {
    let ids: Vec<TaskId> = roots.iter().map(|root| root.id).collect();
    for neighbour in queries::linked_projects(tx, telling.project, &ids).await? {
        turn.hold(tx, neighbour).await?;
        turn.moves_dates(neighbour);
    }
    let with_children = queries::with_structural_children(tx, &ids).await?;
    let mut taken = Vec::new();
    for root in roots {
        let act = tx.begin_deletion(ACT, root.id, Some(telling.caller.id), Some(telling.project)).await?;
        if with_children.contains(&root.id) {
            lift_children(tx, turn, act, root).await?;
        }
        let rows = queries::rows_of(tx, root.id).await?;
        queries::take(tx, turn, act, telling.project, root.id).await?;
        telling.deleted(tx, &rows).await?;
        taken.extend(rows.into_iter().map(|row| row.id));
    }
    turn.moves_dates(telling.project);
    Ok(taken)
}

/// The rows below one that goes take its place, in their order.
async fn lift_children(tx: &mut Tx, turn: &Turn, act: DeletionId, root: &TaskRecord) -> Result<()> {
    let siblings = queries::children(tx, root.project_id, root.parent_id).await?;
    let children: Vec<TaskId> = queries::children(tx, root.project_id, Some(root.id))
        .await?
        .into_iter()
        .filter(|row| !row.is_subtask)
        .map(|row| row.id)
        .collect();
    queries::note_moves(tx, act, &children).await?;
    queries::move_below(tx, turn, root.project_id, &children, root.parent_id).await?;
    let order = siblings
        .iter()
        .flat_map(|row| if row.id == root.id { children.clone() } else { vec![row.id] })
        .collect::<Vec<_>>();
    queries::number(tx, turn, root.project_id, &order).await
}

/// Brings a task back; 404 when it is not the root of a deletion that can still be taken back.
pub async fn restore(
    tx: &mut Tx,
    turn: &mut Turn,
    telling: &Telling<'_>,
    task: TaskId,
    act: DeletionId,
) -> ApiResult<()> {
    for neighbour in queries::linked_projects(tx, telling.project, &[task]).await? {
        turn.hold(tx, neighbour).await?;
        turn.moves_dates(neighbour);
    }
    let parent = queries::nearest_live_ancestor(tx, task).await?;
    queries::give(tx, turn, act, telling.project).await?;
    queries::close(tx, act).await?;
    let project: ProjectId = telling.project;
    queries::put_below(tx, turn, project, task, parent).await?;
    let moved = queries::moves_to_undo(tx, act, parent).await?;
    queries::move_below(tx, turn, project, &moved, Some(task)).await?;
    turn.moves_dates(project);
    let rows = queries::rows_of(tx, task).await?;
    if rows.is_empty() {
        return Err(ApiError::not_found());
    }
    telling.restored(tx, &rows).await?;
    Ok(())
}
