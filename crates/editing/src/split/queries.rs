//! Statements of splits.

use chrono::NaiveDate;
use planwright_domain::ids::{LabelId, OperationId, ProjectId, RiskId, TaskId};
use planwright_domain::words::{BatchKind, BatchStatus};
use planwright_plan::tasks::write::validate::Owner;
use planwright_store::{Read, Result, Tx, sql};
use serde_json::Value as Json;

use crate::batch::queries::{COLUMNS, OperationRow};

/// The allocations of a task.
pub async fn owners(db: &dyn Read, task: TaskId) -> Result<Vec<Owner>> {
    let select = "SELECT a.resource_id, a.units FROM task_resources a
         JOIN resources r ON r.id = a.resource_id AND r.deletion_id IS NULL
         WHERE a.task_id = :task AND a.deletion_id IS NULL ORDER BY a.id";
    let rows: Vec<(_, i64)> = db.all(sql!(select, task = task)).await?;
    Ok(rows.into_iter().map(|(resource, units)| Owner { resource, units }).collect())
}

/// Puts the labels of a task on another one.
pub async fn copy_labels(tx: &mut Tx, from: TaskId, to: TaskId) -> Result<()> {
    let insert = "INSERT INTO task_labels (task_id, label_id)
         SELECT :to, label_id FROM task_labels WHERE task_id = :from";
    tx.run(sql!(insert, to = to, from = from)).await.map(drop)
}

/// The labels of a task.
pub async fn labels(db: &dyn Read, task: TaskId) -> Result<Vec<LabelId>> {
    let select = "SELECT label_id FROM task_labels WHERE task_id = :task ORDER BY label_id";
    db.scalars(sql!(select, task = task)).await
}

/// The live risks that threaten a task.
pub async fn risks(db: &dyn Read, task: TaskId) -> Result<Vec<RiskId>> {
    let select =
        "SELECT x.risk_id FROM risk_tasks x JOIN risks r ON r.id = x.risk_id AND r.deletion_id IS NULL
         WHERE x.task_id = :task ORDER BY x.risk_id";
    db.scalars(sql!(select, task = task)).await
}

/// The status date of a project.
pub async fn status_date(db: &dyn Read, project: ProjectId) -> Result<Option<NaiveDate>> {
    let select = "SELECT status_date FROM projects WHERE id = :id";
    let date: Option<Option<NaiveDate>> = db.scalar(sql!(select, id = project)).await?;
    Ok(date.flatten())
}

/// Notes which row a row was split from, and the share of its promise that it took along.
pub async fn note_split(
    tx: &mut Tx,
    project: ProjectId,
    row: TaskId,
    from: TaskId,
    share: f64,
) -> Result<()> {
    let insert = "INSERT INTO task_splits (task_id, split_from, project_id, share)
         VALUES (:row, :from, :project, :share)";
    tx.run(sql!(insert, row = row, from = from, project = project, share = share)).await.map(drop)
}

/// Forgets that a row was split from another one.
pub async fn forget_split(tx: &mut Tx, row: TaskId) -> Result<()> {
    tx.run(sql!("DELETE FROM task_splits WHERE task_id = :row", row = row)).await.map(drop)
}

/// The live rows that were split off a row.
pub async fn split_off(db: &dyn Read, row: TaskId) -> Result<Vec<TaskId>> {
    let select =
        "SELECT x.task_id FROM task_splits x JOIN tasks t ON t.id = x.task_id AND t.deletion_id IS NULL
         WHERE x.split_from = :row ORDER BY x.task_id";
    db.scalars(sql!(select, row = row)).await
}

/// Keeps another snapshot of a split.
pub async fn keep_snapshot(tx: &mut Tx, id: OperationId, snapshot: &Json) -> Result<()> {
    let update = "UPDATE batch_operations SET snapshot = :snapshot WHERE id = :id";
    tx.run(sql!(update, snapshot = snapshot, id = id)).await.map(drop)
}

/// What hangs on rows of people's making, and how it is called: rows that a split does not make.
const HANGING: &[(&str, &str)] = &[
    ("time entries", "time_entries x WHERE x.task_id = :row AND x.deletion_id IS NULL"),
    ("a running timer", "timers x WHERE x.task_id = :row"),
    ("comments", "task_comments x WHERE x.task_id = :row AND x.deletion_id IS NULL AND x.deleted_at IS NULL"),
    ("notes", "task_notes x WHERE x.task_id = :row AND x.deletion_id IS NULL"),
    ("files", "task_attachments x WHERE x.task_id = :row AND x.deletion_id IS NULL"),
    ("addresses", "task_links x WHERE x.task_id = :row AND x.deletion_id IS NULL"),
    ("acceptance criteria", "acceptance_criteria x WHERE x.task_id = :row AND x.deletion_id IS NULL"),
    ("required skills", "task_skill_requirements x WHERE x.task_id = :row AND x.deletion_id IS NULL"),
    ("values of fields", "custom_field_values x WHERE x.task_id = :row"),
    ("relations", "task_relations x WHERE :row IN (x.source_id, x.target_id) AND x.deletion_id IS NULL"),
    ("a recurrence rule", "recurrence_rules x WHERE x.task_id = :row AND x.deletion_id IS NULL"),
    ("estimates in a poker session", "poker_sessions x WHERE x.task_id = :row AND x.deletion_id IS NULL"),
    ("suggestions", "task_suggestions x WHERE x.task_id = :row AND x.deletion_id IS NULL"),
    ("rows below it", "tasks x WHERE x.parent_id = :row AND x.deletion_id IS NULL"),
    (
        "a baseline that has it",
        "tasks t JOIN baselines b ON b.project_id = t.project_id AND b.deletion_id IS NULL
         JOIN baseline_tasks x ON x.baseline_id = b.id AND x.task_id = t.id WHERE t.id = :row",
    ),
    ("tasks that it blocks", "tasks x WHERE x.blocking_task_id = :row AND x.deletion_id IS NULL"),
];

/// What people put on a row, by the words for it.
pub async fn hanging(db: &dyn Read, row: TaskId) -> Result<Vec<String>> {
    let parts: Vec<String> =
        HANGING.iter().map(|(name, from)| format!("SELECT '{name}' AS name FROM {from}")).collect();
    db.scalars(sql!(format!("{} ORDER BY name", parts.join(" UNION ")), row = row)).await
}

/// The split that made a row, unless it was taken back.
pub async fn of_row(db: &dyn Read, row: TaskId) -> Result<Option<OperationRow>> {
    let select = format!(
        "{COLUMNS} FROM batch_operations o
         WHERE o.kind = :kind AND o.subtree_id = :row AND o.status = :status ORDER BY o.id DESC LIMIT 1"
    );
    db.maybe(sql!(select, kind = BatchKind::Split, row = row, status = BatchStatus::Active)).await
}
