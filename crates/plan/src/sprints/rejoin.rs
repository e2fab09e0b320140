//! What becomes of restored tasks whose sprint went on without them: one that was deleted takes nobody back, and one that
//! has begun since then decides on them as on everything that comes in.

use planwright_domain::ids::{DeletionId, TaskId};
use planwright_store::value::list;
use planwright_store::{Read, Result, row, sql};

use crate::edit::Edit;
use crate::tasks::write::queries::records;
use crate::tasks::write::{self, Board, PlannedWrite, TaskRecord, WriteContext};

/// The tasks with a sprint that an act of deletion took.
pub async fn taken(db: &dyn Read, act: DeletionId) -> Result<Vec<TaskId>> {
    let select = "SELECT id FROM tasks WHERE deletion_id = :act AND sprint_id IS NOT NULL ORDER BY id";
    db.scalars(sql!(select, act = act)).await
}

row! {
    /// A restored task that is not in its sprint as it was.
    struct Stray { task_id: TaskId, is_gone: bool }
}

/// Those of some restored tasks whose sprint is gone, or has begun since the tasks were deleted.
async fn strays(db: &dyn Read, act: DeletionId, tasks: &[TaskId]) -> Result<Vec<Stray>> {
    let select = "SELECT t.id AS task_id, s.deletion_id IS NOT NULL AS is_gone
         FROM tasks t JOIN sprints s ON s.id = t.sprint_id JOIN deletions d ON d.id = :act
         WHERE t.id IN (:tasks) AND (s.deletion_id IS NOT NULL OR (s.state = 'ACTIVE' AND s.activated_at > d.at))";
    db.all(sql!(select, act = act, tasks = list(tasks.iter().copied()))).await
}

/// Brings restored tasks into agreement with their sprints.
pub async fn rejoin(edit: &mut Edit, act: DeletionId, tasks: &[TaskId]) -> Result<()> {
    if tasks.is_empty() {
        return Ok(());
    }
    let strays = strays(edit, act, tasks).await?;
    let ids: Vec<TaskId> = strays.iter().map(|stray| stray.task_id).collect();
    let context = WriteContext::bare(edit, &edit.grant).await?;
    let planned = records(edit, &ids).await?.into_iter().map(|task| {
        let outside = TaskRecord { sprint_id: None, sprint_rank: None, ..task.clone() };
        match strays.iter().any(|stray| stray.task_id == task.id && stray.is_gone) {
            true => PlannedWrite::direct(task, outside),
            false => PlannedWrite::direct(outside, task),
        }
    });
    let planned = planned.collect();
    let (tx, lock) = edit.plan();
    write::save(tx, lock, &context, planned, Board::EachRow).await.map(drop)
}
