//! The rows of a project as a tree, and the places that are written.
//! Rows that get another parent are written by the task commands, with their history.

use planwright_domain::ids::{ProjectId, TaskId};
use planwright_store::{Read, Result, ToValue, Tx, row, sql};

use super::structure::{Move, Row, Structure};
use crate::schedule::PlanLock;
use crate::schedule::outline::Placed;

row! {
    struct TreeRow {
        id: TaskId,
        parent_id: Option<TaskId>,
        position: i64,
        has_place: bool,
        is_subtask: bool,
        is_milestone: bool,
        is_recurring: bool,
    }
}

/// The rows of a project as a tree.
pub async fn structure(db: &dyn Read, project: ProjectId) -> Result<Structure> {
    let select =
        "SELECT id, parent_id, position, has_place, is_subtask, is_milestone, is_recurring FROM tasks
                  WHERE project_id = :project AND deletion_id IS NULL";
    let rows: Vec<TreeRow> = db.all(sql!(select, project = project)).await?;
    Ok(Structure::of(
        rows.into_iter()
            .map(|row| Row {
                placed: Placed {
                    id: row.id,
                    parent: row.parent_id,
                    position: row.position,
                    has_place: row.has_place,
                    is_subtask: row.is_subtask,
                },
                is_milestone: row.is_milestone,
                is_recurring: row.is_recurring,
            })
            .collect(),
    ))
}

/// Writes the places of rows that keep the row above them; no version rises, since most only make room for others.
pub async fn write_positions(tx: &mut Tx, lock: &PlanLock, project: ProjectId, moves: &[Move]) -> Result<()> {
    let counter = lock.counter(project);
    let rows = moves.iter().map(|to| {
        vec![
            ("position", to.position.to_value()),
            ("change_number", counter.to_value()),
            ("id", to.id.to_value()),
        ]
    });
    tx.update_rows("tasks", "id", rows.collect()).await.map(drop)
}
