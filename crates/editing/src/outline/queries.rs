//! Every statement of the outline: the rows as a tree, the links on it, and the places that are written.
//! Rows that get another parent are written by the task commands, with their history.

use std::collections::HashMap;

use planwright_domain::ids::{ProjectId, TaskId};
use planwright_plan::schedule::PlanLock;
use planwright_plan::schedule::outline::Placed;
use planwright_store::value::list;
use planwright_store::{Read, Result, ToValue, Tx, row, sql};

use super::structure::{Move, Row, Structure};

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
pub async fn structure(db: &impl Read, project: ProjectId) -> Result<Structure> {
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

/// Notes that a person put rows elsewhere among their siblings; gives their versions.
pub async fn mark_edited(tx: &mut Tx, ids: &[TaskId]) -> Result<HashMap<TaskId, i64>> {
    let update = "UPDATE tasks SET server_version = server_version + 1, edited_at = :now
         WHERE id IN (:ids) RETURNING id, server_version";
    let now = tx.now();
    let rows: Vec<(TaskId, i64)> = tx.all(sql!(update, now = now, ids = list(ids.iter().copied()))).await?;
    Ok(rows.into_iter().collect())
}

/// What does not belong to a row that has become a phase: somebody who works on it, or a sprint.
pub async fn warning(db: &impl Read, task: TaskId) -> Result<Option<&'static str>> {
    let workers = "SELECT (SELECT COUNT(*) FROM task_resources WHERE task_id = :task AND deletion_id IS NULL)
                     + (SELECT COUNT(*) FROM tasks WHERE id = :task AND assignee_id IS NOT NULL)";
    let sprints = "SELECT COUNT(*) FROM tasks WHERE id = :task AND sprint_id IS NOT NULL";
    match () {
        () if db.count(sql!(workers, task = task)).await? > 0 => Ok(Some("has_assignments")),
        () if db.count(sql!(sprints, task = task)).await? > 0 => Ok(Some("phase_in_sprint")),
        () => Ok(None),
    }
}

row! {
    /// A row at the top of a project, as its phase.
    pub struct PhaseRow {
        pub id: TaskId,
        pub name: String,
        pub color: Option<String>,
        pub priority_rank: Option<i64>,
        pub server_version: i64,
    }
}

/// The rows at the top of a project that are no subtasks.
pub async fn phases(db: &impl Read, project: ProjectId) -> Result<Vec<PhaseRow>> {
    let select = "SELECT id, name, color, priority_rank, server_version FROM tasks
         WHERE project_id = :project AND parent_id IS NULL AND deletion_id IS NULL AND has_place AND NOT is_subtask
         ORDER BY position, id";
    db.all(sql!(select, project = project)).await
}
