//! Every statement of the routes of the outline and of the phases.
//! The tree itself is read and written in `planwright_plan::outline`.

use std::collections::HashMap;

use planwright_domain::ids::{ProjectId, TaskId};
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, row, sql};

/// Notes that a person put rows elsewhere among their siblings; gives their versions.
pub async fn mark_edited(tx: &mut Tx, ids: &[TaskId]) -> Result<HashMap<TaskId, i64>> {
    let update = "UPDATE tasks SET server_version = server_version + 1, edited_at = :now
         WHERE id IN (:ids) RETURNING id, server_version";
    let now = tx.now();
    let rows: Vec<(TaskId, i64)> = tx.all(sql!(update, now = now, ids = list(ids.iter().copied()))).await?;
    Ok(rows.into_iter().collect())
}

/// What does not belong to a row that has become a phase: somebody who works on it, or a sprint.
pub async fn warning(db: &dyn Read, task: TaskId) -> Result<Option<&'static str>> {
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
pub async fn phases(db: &dyn Read, project: ProjectId) -> Result<Vec<PhaseRow>> {
    let select = "SELECT id, name, color, priority_rank, server_version FROM tasks
         WHERE project_id = :project AND parent_id IS NULL AND deletion_id IS NULL AND has_place AND NOT is_subtask
         ORDER BY position, id";
    db.all(sql!(select, project = project)).await
}
