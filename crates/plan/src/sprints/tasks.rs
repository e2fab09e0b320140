//! The tasks of sprints as a whole sprint moves them: written as a batch is, with one event for the board.
//! What follows for scope from a task that enters or leaves a sprint is in `scope.rs`.

use std::collections::BTreeSet;

use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{SprintId, TaskId};
use planwright_store::{Result, ToValue, Tx, sql};

use super::milestones::payloads;
use crate::edit::Edit;
use crate::tasks::write::{self, Board, PlannedWrite, WriteContext, announce};

/// Writes tasks that a command changed; the ids of those that differ.
pub async fn write(edit: &mut Edit, planned: Vec<PlannedWrite>) -> Result<Vec<TaskId>> {
    if planned.is_empty() {
        return Ok(Vec::new());
    }
    let context = WriteContext::bare(edit, &edit.grant).await?;
    let (tx, lock) = edit.plan();
    let written = write::save(tx, lock, &context, planned, Board::OneForAll).await?;
    announce::tell_all(tx, context.project.id, context.project.program_id, &written).await?;
    Ok(written)
}

/// Tells how far milestones are after a change of their sprints.
pub async fn tell_milestones(edit: &mut Edit, milestones: impl IntoIterator<Item = TaskId>) -> Result<()> {
    let milestones: BTreeSet<TaskId> = milestones.into_iter().collect();
    for told in payloads(edit, &milestones.into_iter().collect::<Vec<_>>()).await? {
        edit.announce(SocketEvent::MilestoneRollupUpdated, told).await?;
    }
    Ok(())
}

/// Numbers the tasks of a sprint that begins, in the order of the board; no version rises, since nobody moved them.
pub async fn seed_ranks(tx: &mut Tx, sprint: SprintId, number: i64) -> Result<()> {
    let update = "UPDATE tasks SET sprint_rank = x.place, change_number = :number FROM (
            SELECT t.id, ROW_NUMBER() OVER (ORDER BY t.priority_rank ASC NULLS LAST, t.short_id, t.id) AS place
            FROM tasks t WHERE t.sprint_id = :sprint AND t.deletion_id IS NULL AND t.type <> 'epic') AS x
         WHERE tasks.id = x.id";
    tx.run(sql!(update, number = number, sprint = sprint)).await.map(drop)
}

/// Takes the places away of tasks that stay in a sprint that is over.
pub async fn clear_ranks(tx: &mut Tx, sprint: SprintId, number: i64) -> Result<()> {
    let update = "UPDATE tasks SET sprint_rank = NULL, change_number = :number
         WHERE sprint_id = :sprint AND sprint_rank IS NOT NULL AND deletion_id IS NULL";
    tx.run(sql!(update, number = number, sprint = sprint)).await.map(drop)
}

/// Puts tasks at other places on the board of their sprint; no version rises, since the tasks themselves stay as they are.
pub async fn rank(tx: &mut Tx, number: i64, places: &[(TaskId, i64)]) -> Result<()> {
    let rows = places.iter().map(|(id, place)| {
        vec![("sprint_rank", place.to_value()), ("change_number", number.to_value()), ("id", id.to_value())]
    });
    tx.update_rows("tasks", "id", rows.collect()).await.map(drop)
}
