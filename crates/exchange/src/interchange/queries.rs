//! Every statement about imports of files.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{ProjectId, TaskId, UserId};
use planwright_domain::words::{FileImportKind, FileImportStatus};
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, Tx, row, sql};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::model::FileImportSummary;

row! {
    /// An import without its plan.
    pub(crate) struct FileImportRow {
        pub(crate) id: Uuid,
        pub(crate) project_id: ProjectId,
        pub(crate) kind: FileImportKind,
        pub(crate) status: FileImportStatus,
        pub(crate) filename: String,
        pub(crate) result_summary: FileImportSummary,
        pub(crate) error_detail: String,
        pub(crate) created_by: UserId,
        pub(crate) created_at: DateTime<Utc>,
        pub(crate) started_at: Option<DateTime<Utc>>,
        pub(crate) completed_at: Option<DateTime<Utc>>,
        pub(crate) undone_at: Option<DateTime<Utc>>,
        pub(crate) cancelled_at: Option<DateTime<Utc>>,
        pub(crate) phase: String,
        pub(crate) rows_done: i64,
        pub(crate) rows_total: i64,
    }
}

row! {
    /// An import as it is worked on.
    pub(crate) struct FileImportWork {
        pub(crate) project_id: ProjectId,
        pub(crate) kind: FileImportKind,
        pub(crate) created_by: UserId,
        pub(crate) document: String,
        pub(crate) report: Json,
    }
}

row! {
    /// A task with the dates that were computed for it.
    pub(crate) struct DatedRow {
        pub(crate) id: TaskId,
        pub(crate) name: String,
        /// The phase that it stands in.
        pub(crate) phase: Option<TaskId>,
        /// The name of the calendar that it has instead of that of the project.
        pub(crate) own_calendar: Option<String>,
        pub(crate) start: Option<i32>,
        pub(crate) finish: Option<i32>,
        pub(crate) is_phase: bool,
        pub(crate) constraint_type: Option<String>,
        pub(crate) constraint_date: Option<NaiveDate>,
        pub(crate) planned_start: Option<NaiveDate>,
        pub(crate) actual_start: Option<NaiveDate>,
        pub(crate) actual_finish: Option<NaiveDate>,
        pub(crate) percent_complete: f64,
        pub(crate) project_start: NaiveDate,
        pub(crate) status_date: Option<NaiveDate>,
        /// A predecessor whose link sets the start.
        pub(crate) driving: Option<String>,
        /// Any predecessor.
        pub(crate) ahead: Option<String>,
    }
}

/// The columns of [`FileImportRow`].
pub(crate) const COLUMNS: &str =
    "SELECT i.id, i.project_id, i.kind, i.status, i.filename, i.result_summary, i.error_detail,
    i.created_by, i.created_at, i.started_at, i.completed_at, i.undone_at, i.cancelled_at, i.phase, i.rows_done,
    i.rows_total";

/// An import to be added.
pub(crate) struct NewFileImport<'a> {
    pub(crate) project: ProjectId,
    pub(crate) kind: FileImportKind,
    pub(crate) filename: &'a str,
    pub(crate) document: &'a str,
    pub(crate) report: Json,
    pub(crate) user: UserId,
}

/// Adds an import.
pub(crate) async fn insert(tx: &mut Tx, new: &NewFileImport<'_>) -> Result<Uuid> {
    let id: Uuid = tx.mint();
    let statement = sql!(
        "INSERT INTO file_imports (id, project_id, kind, status, filename, document, report, result_summary,
            created_versions, error_detail, created_by, created_at)
         VALUES (:id, :project, :kind, :pending, :filename, :document, :report, :none, :none, '', :user, :now)",
        id = id,
        project = new.project,
        kind = new.kind,
        pending = FileImportStatus::Pending,
        filename = new.filename,
        document = new.document,
        report = new.report.clone(),
        none = json!({}),
        user = new.user,
        now = tx.now(),
    );
    tx.run(statement).await?;
    Ok(id)
}

/// The imports of a project, as the part of a list behind its columns.
pub(crate) fn of_project(project: ProjectId) -> Sql {
    sql!("FROM file_imports i WHERE i.project_id = :project", project = project)
}

/// An import of a project.
pub(crate) async fn find(db: &dyn Read, project: ProjectId, id: Uuid) -> Result<Option<FileImportRow>> {
    let select = format!("{COLUMNS} FROM file_imports i WHERE i.id = :id AND i.project_id = :project");
    db.maybe(sql!(select, id = id, project = project)).await
}

/// What an import needs to be worked on. `None` when it has ended or is gone.
pub(crate) async fn find_work(db: &dyn Read, id: Uuid) -> Result<Option<FileImportWork>> {
    db.maybe(sql!(
        "SELECT project_id, kind, created_by, document, report FROM file_imports
         WHERE id = :id AND status IN (:pending, :dispatched)",
        id = id,
        pending = FileImportStatus::Pending,
        dispatched = FileImportStatus::Dispatched,
    ))
    .await
}

/// Marks an import as done, and forgets its plan; false when it was cancelled in the meantime.
pub(crate) async fn finish(
    tx: &mut Tx,
    id: Uuid,
    summary: Json,
    versions: &HashMap<TaskId, i64>,
) -> Result<bool> {
    let statement = sql!(
        "UPDATE file_imports SET status = :done, result_summary = :summary, created_versions = :versions,
            completed_at = :now, document = '', report = :none, rows_done = rows_total WHERE id = :id AND status = :dispatched",
        done = FileImportStatus::Done,
        dispatched = FileImportStatus::Dispatched,
        summary = summary,
        versions = json!(versions),
        now = tx.now(),
        none = json!({}),
        id = id,
    );
    Ok(tx.run(statement).await? == 1)
}

/// Marks an import as taken back.
pub(crate) async fn note_undone(tx: &mut Tx, id: Uuid) -> Result<()> {
    let update = "UPDATE file_imports SET status = :undone, undone_at = :now WHERE id = :id";
    tx.run(sql!(update, undone = FileImportStatus::Undone, now = tx.now(), id = id)).await.map(drop)
}

/// The tasks that an import made, each with its version right after it.
pub(crate) async fn created_versions(db: &dyn Read, id: Uuid) -> Result<HashMap<TaskId, i64>> {
    let select = "SELECT created_versions FROM file_imports WHERE id = :id";
    let kept: Option<Json> = db.scalar(sql!(select, id = id)).await?;
    Ok(kept.and_then(|kept| serde_json::from_value(kept).ok()).unwrap_or_default())
}

/// Tasks with the dates that were computed for them, and a predecessor that drives each.
pub(crate) async fn dated(db: &dyn Read, tasks: &[TaskId]) -> Result<Vec<DatedRow>> {
    let mut rows = Vec::with_capacity(tasks.len());
    for some in tasks.chunks(1_000) {
        let select = sql!(
            "SELECT t.id, t.name, t.parent_id AS phase, c.name AS own_calendar, COALESCE(s.scheduled_start, s.early_start) AS start,
                s.early_finish AS finish, s.is_phase, t.constraint_type, t.constraint_date, t.planned_start, t.actual_start, t.actual_finish,
                t.percent_complete, r.start_date AS project_start, r.status_date,
                (SELECT MIN(p.name) FROM dependencies d JOIN tasks p ON p.id = d.predecessor_id
                 WHERE d.successor_id = t.id AND d.is_driving AND d.deletion_id IS NULL) AS driving,
                (SELECT MIN(p.name) FROM dependencies d JOIN tasks p ON p.id = d.predecessor_id
                 WHERE d.successor_id = t.id AND d.deletion_id IS NULL AND NOT d.pending_acceptance) AS ahead
             FROM tasks t JOIN task_schedule s ON s.task_id = t.id JOIN projects r ON r.id = t.project_id
                LEFT JOIN calendars c ON c.id = t.calendar_id
             WHERE t.id IN (:tasks)",
            tasks = list(some.iter().copied()),
        );
        rows.extend(db.all::<DatedRow>(select).await?);
    }
    Ok(rows)
}
