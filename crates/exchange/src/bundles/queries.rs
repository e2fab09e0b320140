//! Every statement about exports and their archives.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{ProgramId, ProjectId, UserId};
use planwright_domain::words::RunStatus;
use planwright_store::{Read, Result, Sql, Tx, row, sql};
use planwright_web::Actor;
use uuid::Uuid;

row! {
    /// An export.
    pub(crate) struct ExportRow {
        pub(crate) id: Uuid,
        pub(crate) status: RunStatus,
        pub(crate) filename: String,
        pub(crate) file_size: Option<i64>,
        pub(crate) error_detail: String,
        pub(crate) created_at: DateTime<Utc>,
        pub(crate) started_at: Option<DateTime<Utc>>,
        pub(crate) completed_at: Option<DateTime<Utc>>,
        pub(crate) expires_at: Option<DateTime<Utc>>,
    }
}

row! {
    /// An export as it is worked on.
    pub(crate) struct ExportWork {
        pub(crate) project_id: Option<ProjectId>,
        pub(crate) program_id: Option<ProgramId>,
        pub(crate) created_by: UserId,
    }
}

row! {
    /// Time that somebody logged.
    pub(crate) struct LoggedRow {
        pub(crate) project: String,
        pub(crate) wbs_path: String,
        pub(crate) task: String,
        pub(crate) entry_date: NaiveDate,
        pub(crate) minutes: i64,
        pub(crate) note: String,
    }
}

/// The columns of [`ExportRow`].
pub(crate) const COLUMNS: &str =
    "SELECT e.id, e.status, e.filename, e.file_size, e.error_detail, e.created_at, e.started_at,
    e.completed_at, e.expires_at";

/// What an export is of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Whole {
    Project(ProjectId),
    Program(ProgramId),
}

impl Whole {
    fn ids(self) -> (Option<ProjectId>, Option<ProgramId>) {
        match self {
            Self::Project(id) => (Some(id), None),
            Self::Program(id) => (None, Some(id)),
        }
    }
}

/// The exports of a project or program, as the part of a list behind its columns.
pub(crate) fn exports_of(whole: Whole) -> Sql {
    match whole {
        Whole::Project(id) => sql!("FROM export_jobs e WHERE e.project_id = :of", of = id),
        Whole::Program(id) => sql!("FROM export_jobs e WHERE e.program_id = :of", of = id),
    }
}

/// An export of a project or program.
pub(crate) async fn find(db: &impl Read, whole: Whole, id: Uuid) -> Result<Option<ExportRow>> {
    let from = exports_of(whole).push(" AND e.id = :id").bind("id", id);
    db.maybe(from.wrap(&format!("{COLUMNS} "), "")).await
}

/// Whether somebody asked for an export.
pub(crate) async fn is_asked_by(db: &impl Read, id: Uuid, person: UserId) -> Result<bool> {
    let select = "SELECT COUNT(*) FROM export_jobs WHERE id = :id AND created_by = :person";
    Ok(db.count(sql!(select, id = id, person = person)).await? > 0)
}

/// Adds an export.
pub(crate) async fn insert(tx: &mut Tx, whole: Whole, user: UserId, filename: &str) -> Result<Uuid> {
    let id: Uuid = tx.mint();
    let (project, program) = whole.ids();
    let statement = sql!(
        "INSERT INTO export_jobs (id, project_id, program_id, status, filename, error_detail, created_by, created_at)
         VALUES (:id, :project, :program, :pending, :filename, '', :user, :now)",
        id = id,
        project = project,
        program = program,
        pending = RunStatus::Pending,
        filename = filename,
        user = user,
        now = tx.now(),
    );
    tx.run(statement).await?;
    Ok(id)
}

/// What an export needs to be worked on. `None` when it has ended or is gone.
pub(crate) async fn find_work(db: &impl Read, id: Uuid) -> Result<Option<ExportWork>> {
    db.maybe(sql!(
        "SELECT project_id, program_id, created_by FROM export_jobs WHERE id = :id AND status IN (:pending, :running)",
        id = id,
        pending = RunStatus::Pending,
        running = RunStatus::Running,
    ))
    .await
}

/// Marks an export as under way; false when it has ended or is gone.
pub(crate) async fn begin(tx: &mut Tx, id: Uuid) -> Result<bool> {
    let statement = sql!(
        "UPDATE export_jobs SET status = :running, started_at = COALESCE(started_at, :now)
         WHERE id = :id AND status IN (:pending, :running)",
        running = RunStatus::Running,
        pending = RunStatus::Pending,
        now = tx.now(),
        id = id,
    );
    Ok(tx.run(statement).await? == 1)
}

/// Keeps the archive of an export and marks it as done.
pub(crate) async fn finish(
    tx: &mut Tx,
    id: Uuid,
    parts: &[String],
    file_size: i64,
    expires_at: DateTime<Utc>,
) -> Result<()> {
    tx.run(sql!("DELETE FROM export_parts WHERE job_id = :id", id = id)).await?;
    let insert = "INSERT INTO export_parts (job_id, part, content) VALUES (:id, :part, :content)";
    for (part, content) in (1i64..).zip(parts) {
        tx.run(sql!(insert, id = id, part = part, content = content)).await?;
    }
    let statement = sql!(
        "UPDATE export_jobs SET status = :success, file_size = :size, completed_at = :now, expires_at = :expires
         WHERE id = :id",
        success = RunStatus::Success,
        size = file_size,
        now = tx.now(),
        expires = expires_at,
        id = id,
    );
    tx.run(statement).await.map(drop)
}

/// Marks an export as failed, unless it has ended.
pub(crate) async fn fail(tx: &mut Tx, id: Uuid, detail: &str) -> Result<()> {
    let statement = sql!(
        "UPDATE export_jobs SET status = :failed, error_detail = :detail, completed_at = :now
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

/// The parts of an archive, in order.
pub(crate) async fn parts(db: &impl Read, id: Uuid) -> Result<Vec<String>> {
    db.scalars(sql!("SELECT content FROM export_parts WHERE job_id = :id ORDER BY part", id = id)).await
}

/// Forgets the archives that have expired; that they were there stays known.
pub(crate) async fn forget_expired(tx: &mut Tx) -> Result<()> {
    let delete =
        "DELETE FROM export_parts WHERE job_id IN (SELECT id FROM export_jobs WHERE expires_at < :now)";
    tx.run(sql!(delete, now = tx.now())).await.map(drop)
}

/// The name of a project or program.
pub(crate) async fn name(db: &impl Read, whole: Whole) -> Result<Option<String>> {
    let select = match whole {
        Whole::Project(id) => {
            sql!("SELECT name FROM projects WHERE id = :id AND deletion_id IS NULL", id = id)
        }
        Whole::Program(id) => {
            sql!("SELECT name FROM programs WHERE id = :id AND deletion_id IS NULL", id = id)
        }
    };
    db.scalar(select).await
}

/// The live projects of a program that somebody may know of.
pub(crate) async fn projects(db: &impl Read, program: ProgramId, actor: &Actor) -> Result<Vec<ProjectId>> {
    let select = "SELECT p.id FROM projects p WHERE p.program_id = :program AND p.deletion_id IS NULL";
    let known = actor.knowing_projects(sql!(select, program = program));
    db.scalars(known.push(" ORDER BY p.name, p.id")).await
}

/// The time that one person logged in a project. That of others is not for anybody else.
pub(crate) async fn logged(db: &impl Read, project: ProjectId, user: UserId) -> Result<Vec<LoggedRow>> {
    db.all(sql!(
        "SELECT p.name AS project, COALESCE(s.outline, '') AS wbs_path, t.name AS task, e.entry_date, e.minutes, e.note
         FROM time_entries e JOIN tasks t ON t.id = e.task_id JOIN projects p ON p.id = t.project_id
         LEFT JOIN task_schedule s ON s.task_id = t.id
         WHERE t.project_id = :project AND e.user_id = :user AND e.deletion_id IS NULL AND t.deletion_id IS NULL
         ORDER BY e.entry_date, e.created_at, e.id",
        project = project,
        user = user,
    ))
    .await
}
