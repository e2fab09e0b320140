//! The statements by which sprints are read and deleted.

use planwright_domain::ids::{DeletionId, ProjectId, SprintId, TaskId};
use planwright_domain::words::SprintState;
use planwright_plan::sprints::SprintRow;
use planwright_plan::tasks::write::TaskRecord;
use planwright_store::record::Record;
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, Tx, record, sql};

use super::model::ShownRow;

/// The select list of a [`ShownRow`].
pub fn columns() -> String {
    let sprint = SprintRow::select_list("s");
    format!("SELECT p.code AS project_code, u.first_name, u.last_name, u.username, {sprint}")
}

const FROM: &str = "FROM sprints s JOIN projects p ON p.id = s.project_id
    LEFT JOIN users u ON u.id = s.milestone_bound_by WHERE";

const LIVE: &str = "s.deletion_id IS NULL";

/// What was deleted by itself.
const DELETED: &str = "s.deletion_id IN (SELECT d.id FROM deletions d WHERE d.entity = 'sprint')";

/// The sprints of a project, live or in the trash, in one state or in any.
pub fn of_project(project: ProjectId, is_deleted: bool, state: Option<SprintState>) -> Sql {
    let which = if is_deleted { DELETED } else { LIVE };
    let all = sql!(format!("{FROM} {which} AND s.project_id = :project"), project = project);
    all.when("AND s.state = :state", "state", state)
}

/// The live sprints of a project as they are stored.
pub async fn live(db: &dyn Read, project: ProjectId) -> Result<Vec<SprintRow>> {
    let columns = SprintRow::select_list("s");
    let select = format!(
        "SELECT {columns} FROM sprints s WHERE s.project_id = :project AND s.deletion_id IS NULL
         ORDER BY s.start_date, s.id"
    );
    db.all(sql!(select, project = project)).await
}

/// One live sprint.
pub async fn one(db: &dyn Read, sprint: SprintId) -> Result<Option<ShownRow>> {
    db.maybe(sql!(format!("{} {FROM} {LIVE} AND s.id = :id", columns()), id = sprint)).await
}

/// The live tasks that some tasks wait for: who waits, and for what.
pub async fn predecessors(db: &dyn Read, tasks: &[TaskId]) -> Result<Vec<(TaskId, TaskId)>> {
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
pub async fn tasks_in(db: &dyn Read, sprint: SprintId) -> Result<Vec<TaskRecord>> {
    let columns = TaskRecord::select_list("t");
    let select = format!(
        "SELECT {columns} FROM tasks t WHERE t.sprint_id = :sprint AND t.deletion_id IS NULL
         ORDER BY t.sprint_rank ASC NULLS LAST, t.priority_rank ASC NULLS LAST, t.short_id, t.id"
    );
    db.all(sql!(select, sprint = sprint)).await
}

/// The act of deletion that took a sprint.
pub async fn act_of(db: &dyn Read, sprint: SprintId) -> Result<Option<DeletionId>> {
    db.scalar(sql!("SELECT deletion_id FROM sprints WHERE id = :id", id = sprint)).await
}

/// Notes the tasks that stood in a sprint that goes.
pub async fn note_departures(tx: &mut Tx, deletion: DeletionId, tasks: &[TaskId]) -> Result<()> {
    let insert = "INSERT INTO deleted_sprint_tasks (deletion_id, task_id) VALUES (:deletion, :task)";
    let rows = tasks.iter().map(|task| sql!(insert, deletion = deletion, task = *task));
    tx.run_each(rows.collect()).await.map(drop)
}

record! {
    /// A sprint, live or deleted.
    pub struct EverRow {
        pub deletion_id: Option<DeletionId>,
    }
    and pub sprint: SprintRow
}

/// A sprint whether it is deleted or not.
pub async fn ever(db: &dyn Read, sprint: SprintId) -> Result<Option<EverRow>> {
    let columns = SprintRow::select_list("s");
    let select = format!("SELECT s.deletion_id, {columns} FROM sprints s WHERE s.id = :id");
    db.maybe(sql!(select, id = sprint)).await
}

/// The live tasks without a sprint that stood in a sprint when it was deleted.
pub async fn departed(db: &dyn Read, deletion: DeletionId) -> Result<Vec<TaskRecord>> {
    let columns = TaskRecord::select_list("t");
    let select = format!(
        "SELECT {columns} FROM tasks t JOIN deleted_sprint_tasks x ON x.task_id = t.id
         WHERE x.deletion_id = :deletion AND t.deletion_id IS NULL AND t.sprint_id IS NULL ORDER BY t.short_id, t.id"
    );
    db.all(sql!(select, deletion = deletion)).await
}
