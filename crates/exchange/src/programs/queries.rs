//! Every statement about running imports and about leftovers, the two tables of this area.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProgramId, ProjectId, UserId};
use planwright_domain::words::{RunStatus, SprintState};
use planwright_store::{Read, Result, Tx, row, sql};
use serde_json::Value as Json;
use uuid::Uuid;

row! {
    /// The state of an import.
    pub(crate) struct ImportRow {
        pub(crate) id: Uuid,
        pub(crate) program_id: ProgramId,
        pub(crate) status: RunStatus,
        pub(crate) filename: String,
        pub(crate) replace_existing: bool,
        pub(crate) replaced_program_id: Option<ProgramId>,
        pub(crate) result_summary: Option<Json>,
        pub(crate) error_detail: String,
        pub(crate) expires_at: DateTime<Utc>,
        pub(crate) created_at: DateTime<Utc>,
        pub(crate) started_at: Option<DateTime<Utc>>,
        pub(crate) completed_at: Option<DateTime<Utc>>,
        pub(crate) cancelled_at: Option<DateTime<Utc>>,
        pub(crate) phase: String,
        pub(crate) rows_done: i64,
        pub(crate) rows_total: i64,
    }
}

row! {
    /// An import as it is worked on.
    pub(crate) struct ImportWork {
        pub(crate) program_id: ProgramId,
        pub(crate) created_by: UserId,
        pub(crate) username: String,
        pub(crate) document: String,
    }
}

/// An import to be added.
pub(crate) struct NewImport<'a> {
    /// The program it goes into.
    pub(crate) program: ProgramId,
    /// Who asked for it.
    pub(crate) user: UserId,
    /// The document in its canonical form, with dates that no longer depend on the day; packed.
    pub(crate) document: &'a str,
    /// The name of the file; may be empty.
    pub(crate) filename: &'a str,
    /// Whether another program was to be replaced.
    pub(crate) replace: bool,
    /// The program that was replaced.
    pub(crate) replaced: Option<ProgramId>,
    /// The time until which the import can be followed.
    pub(crate) expires_at: DateTime<Utc>,
}

/// Adds an import.
pub(crate) async fn insert_import(tx: &mut Tx, new: &NewImport<'_>) -> Result<Uuid> {
    let id: Uuid = tx.mint();
    let statement = sql!(
        "INSERT INTO seed_imports (id, program_id, status, filename, replace_existing, replaced_program_id,
            document, error_detail, created_by, created_at, expires_at)
         VALUES (:id, :program, :status, :filename, :replace, :replaced,
            :document, '', :user, :now, :expires)",
        id = id,
        program = new.program,
        status = RunStatus::Pending,
        filename = new.filename,
        replace = new.replace,
        replaced = new.replaced,
        document = new.document,
        user = new.user,
        now = tx.now(),
        expires = new.expires_at,
    );
    tx.run(statement).await?;
    Ok(id)
}

/// An import of a program.
pub(crate) async fn find_import(db: &dyn Read, program: ProgramId, id: Uuid) -> Result<Option<ImportRow>> {
    db.maybe(sql!(
        "SELECT id, program_id, status, filename, replace_existing, replaced_program_id, result_summary,
            error_detail, expires_at, created_at, started_at, completed_at, cancelled_at, phase, rows_done, rows_total
         FROM seed_imports WHERE id = :id AND program_id = :program",
        id = id,
        program = program,
    ))
    .await
}

/// What an import needs to be worked on.
pub(crate) async fn find_work(db: &dyn Read, id: Uuid) -> Result<Option<ImportWork>> {
    db.maybe(sql!(
        "SELECT i.program_id, i.created_by, u.username, i.document
         FROM seed_imports i JOIN users u ON u.id = i.created_by WHERE i.id = :id",
        id = id,
    ))
    .await
}

/// Marks an import as running; false when it has ended or is gone. Whoever marks it keeps others from it until the end of
/// the transaction.
pub(crate) async fn begin_import(tx: &mut Tx, id: Uuid) -> Result<bool> {
    let statement = sql!(
        "UPDATE seed_imports SET status = :running, started_at = COALESCE(started_at, :now)
         WHERE id = :id AND status IN (:pending, :running)",
        running = RunStatus::Running,
        pending = RunStatus::Pending,
        now = tx.now(),
        id = id,
    );
    Ok(tx.run(statement).await? == 1)
}

/// Marks an import as done and forgets its document; false when it has ended in the meantime.
pub(crate) async fn finish_import(tx: &mut Tx, id: Uuid, summary: Json) -> Result<bool> {
    let statement = sql!(
        "UPDATE seed_imports SET status = :success, result_summary = :summary, completed_at = :now, document = ''
         WHERE id = :id AND status = :running",
        success = RunStatus::Success,
        running = RunStatus::Running,
        summary = summary,
        now = tx.now(),
        id = id,
    );
    Ok(tx.run(statement).await? == 1)
}

/// Marks an import as failed, unless it has ended.
pub(crate) async fn fail_import(tx: &mut Tx, id: Uuid, detail: &str) -> Result<()> {
    let statement = sql!(
        "UPDATE seed_imports SET status = :failed, error_detail = :detail, completed_at = :now, document = ''
         WHERE id = :id AND status IN (:pending, :running)",
        failed = RunStatus::Failed,
        detail = detail,
        now = tx.now(),
        id = id,
        pending = RunStatus::Pending,
        running = RunStatus::Running,
    );
    tx.run(statement).await.map(drop)
}

/// Fails imports that were begun before an instant and never ended.
pub(crate) async fn fail_abandoned(tx: &mut Tx, begun_before: DateTime<Utc>, detail: &str) -> Result<()> {
    let statement = sql!(
        "UPDATE seed_imports SET status = :failed, error_detail = :detail, completed_at = :now, document = ''
         WHERE status = :running AND started_at < :before",
        failed = RunStatus::Failed,
        detail = detail,
        now = tx.now(),
        running = RunStatus::Running,
        before = begun_before,
    );
    tx.run(statement).await.map(drop)
}

/// Forgets imports that nobody needs to follow any more.
pub(crate) async fn forget_expired(tx: &mut Tx) -> Result<()> {
    let statement = sql!(
        "DELETE FROM seed_imports WHERE expires_at < :now AND status IN (:success, :failed)",
        now = tx.now(),
        success = RunStatus::Success,
        failed = RunStatus::Failed,
    );
    tx.run(statement).await.map(drop)
}

/// The name that somebody signs in with.
pub(crate) async fn username(db: &dyn Read, user: UserId) -> Result<Option<String>> {
    db.scalar(sql!("SELECT username FROM users WHERE id = :user", user = user)).await
}

/// A project of a program that has a sprint in that state.
pub(crate) async fn project_with_sprint(
    db: &dyn Read,
    program: ProgramId,
    state: SprintState,
) -> Result<Option<ProjectId>> {
    db.scalar(sql!(
        "SELECT p.id FROM projects p JOIN sprints s ON s.project_id = p.id AND s.deletion_id IS NULL
         WHERE p.program_id = :program AND p.deletion_id IS NULL AND s.state = :state
         ORDER BY p.created_at, p.id LIMIT 1",
        program = program,
        state = state,
    ))
    .await
}

/// The leftovers of a program.
pub(crate) async fn leftovers(db: &dyn Read, program: ProgramId) -> Result<Option<Json>> {
    let select = "SELECT document FROM seed_leftovers WHERE program_id = :program";
    db.scalar(sql!(select, program = program)).await
}

/// Keeps the leftovers of a program.
pub(crate) async fn save_leftovers(tx: &mut Tx, program: ProgramId, document: Json) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO seed_leftovers (program_id, document) VALUES (:program, :document)
         ON CONFLICT (program_id) DO UPDATE SET document = excluded.document",
        program = program,
        document = document,
    ))
    .await
    .map(drop)
}
