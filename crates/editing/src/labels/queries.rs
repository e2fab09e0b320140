//! Every statement about labels; single rows are read and written through items and edits.

use planwright_domain::ids::{LabelId, ProgramId, ProjectId, TaskId};
use planwright_plan::tasks::facets::labels::name_key;
use planwright_store::dialect::{contains, pattern};
use planwright_store::value::list;
use planwright_store::{Read, Record, Result, Sql, Tx, sql};
use planwright_web::Actor;

use super::model::{CountedRow, Label, LabelOn, LabelRow, ProgramLabel};

const TASK_COUNT: &str = "(SELECT COUNT(*) FROM task_labels x JOIN tasks t ON t.id = x.task_id
    WHERE x.label_id = l.id AND t.deletion_id IS NULL)";

/// The columns of a label with the number of tasks that carry it.
pub fn counted() -> String {
    format!("SELECT {}, {TASK_COUNT} AS task_count", LabelRow::select_list("l"))
}

/// The labels of a project whose name contains the text.
pub fn live(db: &dyn Read, project: ProjectId, search: Option<&str>) -> Sql {
    let named = format!("AND {}", contains(db.engine(), "l.name", "search"));
    sql!("FROM labels l WHERE l.project_id = :project AND l.deletion_id IS NULL", project = project).when(
        &named,
        "search",
        search.map(pattern),
    )
}

/// One label with the number of tasks that carry it.
pub async fn one(db: &dyn Read, id: LabelId) -> Result<Label> {
    let row: CountedRow =
        db.one(sql!(format!("{} FROM labels l WHERE l.id = :id", counted()), id = id)).await?;
    Ok(row.into())
}

/// The labels of some tasks.
pub async fn on_tasks(db: &dyn Read, tasks: &[TaskId]) -> Result<Vec<LabelOn>> {
    let select = "SELECT x.task_id, l.id, l.name, l.color, l.position FROM task_labels x
         JOIN labels l ON l.id = x.label_id AND l.deletion_id IS NULL
         WHERE x.task_id IN (:tasks) ORDER BY l.position, l.name, l.id";
    db.all(sql!(select, tasks = list(tasks.iter().copied()))).await
}

/// Takes labels off a task.
pub async fn detach(tx: &mut Tx, task: TaskId, labels: &[LabelId]) -> Result<()> {
    let delete = "DELETE FROM task_labels WHERE task_id = :task AND label_id IN (:labels)";
    tx.run(sql!(delete, task = task, labels = list(labels.iter().copied()))).await.map(drop)
}

/// The labels of the projects of a program that the caller sees, by name without regard to case.
pub async fn catalog(db: &dyn Read, actor: &Actor, program: ProgramId) -> Result<Vec<ProgramLabel>> {
    let labels = sql!(
        format!(
            "SELECT l.name_key, l.id, l.name, l.color, {TASK_COUNT} AS tasks FROM labels l
             JOIN projects x ON x.id = l.project_id AND x.program_id = :program WHERE l.deletion_id IS NULL"
        ),
        program = program
    );
    let grouped = "SELECT MIN(CASE WHEN k.place = 1 THEN k.name END) AS name,
            MIN(CASE WHEN k.place = 1 THEN k.color END) AS color, COUNT(*) AS project_count,
            CAST(SUM(k.tasks) AS BIGINT) AS task_count
         FROM (SELECT o.*, ROW_NUMBER() OVER (PARTITION BY o.name_key ORDER BY o.id) AS place FROM (";
    let order = ") o) k GROUP BY k.name_key ORDER BY k.name_key";
    db.all(actor.in_visible_projects(labels, "l.project_id").wrap(grouped, order)).await
}

/// The columns of a labelled task.
pub const LABELLED: &str = "SELECT t.id, t.short_id, t.name, s.outline,
    CASE WHEN s.is_phase THEN COALESCE(s.rolled_status, t.status) ELSE t.status END AS status,
    CASE WHEN s.is_phase THEN COALESCE(s.rolled_percent, t.percent_complete) ELSE t.percent_complete END
        AS percent_complete,
    s.early_finish, t.is_milestone, p.id AS project_id, p.name AS project_name, p.code AS project_code";

/// The tasks of the projects of a program that the caller sees and that carry one of these labels, or any label.
pub fn labelled(actor: &Actor, program: ProgramId, names: Option<&str>) -> Sql {
    let tasks = sql!(
        "FROM tasks t JOIN projects p ON p.id = t.project_id AND p.deletion_id IS NULL
         LEFT JOIN task_schedule s ON s.task_id = t.id
         WHERE t.deletion_id IS NULL AND p.program_id = :program AND EXISTS (
             SELECT 1 FROM task_labels x JOIN labels l ON l.id = x.label_id AND l.deletion_id IS NULL
             WHERE x.task_id = t.id",
        program = program
    );
    let keys = names.map(|names| names.split(',').map(|name| name_key(name.trim())).collect::<Vec<_>>());
    let carrying = tasks.when("AND l.name_key IN (:names)", "names", keys.map(list));
    actor.in_visible_projects(carrying.push(")"), "t.project_id")
}
