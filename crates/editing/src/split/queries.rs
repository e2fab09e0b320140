//! Statements of splits.

use planwright_domain::ids::TaskId;
use planwright_domain::words::{BatchKind, BatchStatus};
use planwright_plan::tasks::write::validate::Owner;
use planwright_store::{Read, Result, Tx, sql};

use crate::batch::queries::{COLUMNS, OperationRow};

/// The allocations of a task.
pub async fn owners(db: &impl Read, task: TaskId) -> Result<Vec<Owner>> {
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

/// The split that made a row, unless it was taken back.
pub async fn of_row(db: &impl Read, row: TaskId) -> Result<Option<OperationRow>> {
    let select = format!(
        "{COLUMNS} FROM batch_operations o
         WHERE o.kind = :kind AND o.subtree_id = :row AND o.status = :status ORDER BY o.id DESC LIMIT 1"
    );
    db.maybe(sql!(select, kind = BatchKind::Split, row = row, status = BatchStatus::Active)).await
}
