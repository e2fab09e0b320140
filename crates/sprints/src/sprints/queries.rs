//! The statements by which sprints are read and deleted.

use planwright_domain::ids::{DeletionId, ProjectId, SprintId, TaskId};
use planwright_domain::words::SprintState;
use planwright_plan::sprints::SprintRow;
use planwright_plan::tasks::write::TaskRecord;
use planwright_store::record::Record;
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, Tx, sql};

use super::model::ShownRow;

/// The select list of a [`ShownRow`].
pub fn columns() -> String {
    let sprint = SprintRow::select_list("s");
    format!("SELECT p.code AS project_code, u.first_name, u.last_name, u.username, {sprint}")
}

const FROM: &str = "FROM sprints s JOIN projects p ON p.id = s.project_id
    LEFT JOIN users u ON u.id = s.milestone_bound_by WHERE s.deletion_id IS NULL";

/// The live sprints of a project, in one state or in any.
pub fn of_project(project: ProjectId, state: Option<SprintState>) -> Sql {
    sql!(format!("{FROM} AND s.project_id = :project"), project = project).when(
        "AND s.state = :state",
        "state",
        state,
    )
}

/// The live sprints of a project as they are stored.
pub async fn live(db: &impl Read, project: ProjectId) -> Result<Vec<SprintRow>> {
    let columns = SprintRow::select_list("s");
    let select = format!(
        "SELECT {columns} FROM sprints s WHERE s.project_id = :project AND s.deletion_id IS NULL
         ORDER BY s.start_date, s.id"
    );
    db.all(sql!(select, project = project)).await
}

/// One live sprint.
pub async fn one(db: &impl Read, sprint: SprintId) -> Result<Option<ShownRow>> {
    db.maybe(sql!(format!("{} {FROM} AND s.id = :id", columns()), id = sprint)).await
}

/// The live tasks that some tasks wait for: who waits, and for what.
pub async fn predecessors(db: &impl Read, tasks: &[TaskId]) -> Result<Vec<(TaskId, TaskId)>> {
    if tasks.is_empty() {
        return Ok(Vec::new());
    }
    let select = "SELECT DISTINCT d.successor_id, d.predecessor_id FROM dependencies d
         JOIN tasks t ON t.id = d.predecessor_id AND t.deletion_id IS NULL
         WHERE d.successor_id IN (:tasks) AND d.deletion_id IS NULL AND NOT d.pending_acceptance
         ORDER BY d.successor_id, d.predecessor_id";
    db.all(sql!(select, tasks = list(tasks.iter().copied()))).await
}

/// The live tasks in a sprint, in the order of the board.
pub async fn tasks_in(db: &impl Read, sprint: SprintId) -> Result<Vec<TaskRecord>> {
    let columns = TaskRecord::select_list("t");
    let select = format!(
        "SELECT {columns} FROM tasks t WHERE t.sprint_id = :sprint AND t.deletion_id IS NULL
         ORDER BY t.sprint_rank ASC NULLS LAST, t.priority_rank ASC NULLS LAST, t.short_id, t.id"
    );
    db.all(sql!(select, sprint = sprint)).await
}

/// The act of deletion that took a sprint.
pub async fn act_of(db: &impl Read, sprint: SprintId) -> Result<Option<DeletionId>> {
    db.scalar(sql!("SELECT deletion_id FROM sprints WHERE id = :id", id = sprint)).await
}

/// Notes the tasks that stood in a sprint that goes.
pub async fn note_departures(tx: &mut Tx, deletion: DeletionId, tasks: &[TaskId]) -> Result<()> {
    let insert = "INSERT INTO deleted_sprint_tasks (deletion_id, task_id) VALUES (:deletion, :task)";
    let rows = tasks.iter().map(|task| sql!(insert, deletion = deletion, task = *task));
    tx.run_each(rows.collect()).await.map(drop)
}
