//! Every statement of batches: the record of a write that can be taken back, and the rows that nobody touched.
//! The rows of tasks themselves are written by the write core.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{OperationId, ProjectId, TaskId, UserId};
use planwright_domain::words::{BatchKind, BatchStatus};
use planwright_plan::tasks::write::TaskRecord;
use planwright_store::record::select_list;
use planwright_store::{Read, Result, Sql, Tx, row, sql};
use planwright_web::Actor;
use serde_json::Value as Json;

row! {
    /// A write of many rows that can be taken back.
    pub struct OperationRow {
        pub id: OperationId,
        pub project_id: ProjectId,
        pub applied_by: Option<UserId>,
        pub subtree_id: Option<TaskId>,
        pub status: BatchStatus,
        pub snapshot: Json,
        pub result_summary: Json,
        pub created_at: DateTime<Utc>,
        pub undone_at: Option<DateTime<Utc>>,
    }
}

/// The select list of an [`OperationRow`].
pub const COLUMNS: &str = "SELECT o.id, o.project_id, o.applied_by, o.subtree_id, o.status, o.snapshot,
    o.result_summary, o.created_at, o.undone_at";

/// The writes of one kind in the projects of the caller, narrowed to a project.
pub fn visible(actor: &Actor, kind: BatchKind, project: Option<ProjectId>) -> Sql {
    let of_kind = sql!("FROM batch_operations o WHERE o.kind = :kind", kind = kind);
    actor.in_visible_projects(of_kind, "o.project_id").when("AND o.project_id = :project", "project", project)
}

/// One write of a kind, if the caller sees it.
pub async fn find(
    db: &dyn Read,
    actor: &Actor,
    kind: BatchKind,
    id: OperationId,
) -> Result<Option<OperationRow>> {
    let from = visible(actor, kind, None).push(" AND o.id = :id").bind("id", id);
    db.maybe(from.wrap(&format!("{COLUMNS} "), "")).await
}

/// Keeps a write so that it can be taken back.
pub async fn insert(tx: &mut Tx, kind: BatchKind, row: &OperationRow) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO batch_operations (id, project_id, kind, applied_by, subtree_id, status, snapshot,
            result_summary, created_at)
         VALUES (:id, :project, :kind, :by, :subtree, :status, :snapshot, :summary, :now)",
        id = row.id,
        project = row.project_id,
        kind = kind,
        by = row.applied_by,
        subtree = row.subtree_id,
        status = row.status,
        snapshot = &row.snapshot,
        summary = &row.result_summary,
        now = row.created_at,
    ))
    .await
    .map(drop)
}

/// Notes that a write was taken back.
pub async fn close(tx: &mut Tx, id: OperationId) -> Result<()> {
    let update = "UPDATE batch_operations SET status = :status, undone_at = :now WHERE id = :id";
    tx.run(sql!(update, status = BatchStatus::Undone, now = tx.now(), id = id)).await.map(drop)
}

/// The rows of a project that a machine wrote and nobody touched since.
pub async fn untouched(db: &dyn Read, project: ProjectId) -> Result<Vec<TaskRecord>> {
    let columns = select_list::<TaskRecord>("t");
    let select = format!(
        "SELECT {columns} FROM tasks t WHERE t.project_id = :project AND t.deletion_id IS NULL
            AND t.seeded_at IS NOT NULL AND t.edited_at IS NULL ORDER BY t.id"
    );
    db.all(sql!(select, project = project)).await
}
