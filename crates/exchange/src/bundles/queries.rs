//! Every statement about exports and their archives.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::Role;
use planwright_domain::ids::{GroupId, ProgramId, ProjectId, UserId};
use planwright_domain::words::{ChangeKind, MemberStatus, RunStatus};
use planwright_plan::readable_history::{HIDDEN, READABLE};
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, Tx, row, sql};
use planwright_web::Actor;
use serde::Serialize;
use serde_json::{Value as Json, json};
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
        pub(crate) storage_key: String,
        pub(crate) cancelled_at: Option<DateTime<Utc>>,
        pub(crate) phase: String,
        pub(crate) rows_done: i64,
        pub(crate) rows_total: i64,
        pub(crate) created_by: UserId,
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

row! {
    /// A file or an address on a task.
    pub(crate) struct AttachedRow {
        pub(crate) wbs_path: String,
        pub(crate) task: String,
        pub(crate) storage_key: String,
        pub(crate) file_name: String,
        pub(crate) file_size: Option<i64>,
        pub(crate) file_mime: String,
        pub(crate) external_url: String,
        pub(crate) external_title: String,
        pub(crate) username: String,
        pub(crate) created_at: DateTime<Utc>,
    }
}

row! {
    /// A change as an archive tells it.
    pub(crate) struct HistoryLine {
        pub(crate) id: Uuid,
        pub(crate) at: DateTime<Utc>,
        pub(crate) entity: String,
        pub(crate) entity_id: Uuid,
        pub(crate) kind: ChangeKind,
        pub(crate) username: Option<String>,
        pub(crate) version: i64,
        pub(crate) fields: Json,
    }
}

impl HistoryLine {
    /// As a line. What only some may read is null, as on the pages of history.
    pub(crate) fn shown(&self) -> Json {
        let mut fields = self.fields.clone();
        for (_, field) in HIDDEN.iter().filter(|(entity, _)| *entity == self.entity) {
            if let Some(values) = fields.get_mut(field) {
                *values = Json::Null;
            }
        }
        json!({
            "at": self.at, "entity": self.entity, "entity_id": self.entity_id, "kind": self.kind,
            "person": self.username, "version": self.version, "fields": fields,
        })
    }
}

/// The columns of [`ExportRow`].
pub(crate) const COLUMNS: &str =
    "SELECT e.id, e.status, e.filename, e.file_size, e.error_detail, e.created_at, e.started_at,
    e.completed_at, e.expires_at, e.storage_key, e.cancelled_at, e.phase, e.rows_done, e.rows_total, e.created_by";

/// What an export is of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Whole {
    Project(ProjectId),
    Program(ProgramId),
    Workspace,
}

impl Whole {
    fn ids(self) -> (Option<ProjectId>, Option<ProgramId>) {
        match self {
            Self::Project(id) => (Some(id), None),
            Self::Program(id) => (None, Some(id)),
            Self::Workspace => (None, None),
        }
    }
}

/// The exports of a project or program, as the part of a list behind its columns.
pub(crate) fn exports_of(whole: Whole) -> Sql {
    match whole {
        Whole::Project(id) => sql!("FROM export_jobs e WHERE e.project_id = :of", of = id),
        Whole::Program(id) => sql!("FROM export_jobs e WHERE e.program_id = :of", of = id),
        Whole::Workspace => sql!("FROM export_jobs e WHERE e.project_id IS NULL AND e.program_id IS NULL"),
    }
}

/// An export of a project or program.
pub(crate) async fn find(db: &dyn Read, whole: Whole, id: Uuid) -> Result<Option<ExportRow>> {
    let from = exports_of(whole).push(" AND e.id = :id").bind("id", id);
    db.maybe(from.wrap(&format!("{COLUMNS} "), "")).await
}

/// An export that waits or is being written.
pub(crate) async fn unfinished(db: &dyn Read, whole: Whole) -> Result<Option<ExportRow>> {
    let from = exports_of(whole)
        .push(" AND e.status IN (:pending, :running) ORDER BY e.id LIMIT 1")
        .bind("pending", RunStatus::Pending)
        .bind("running", RunStatus::Running);
    db.maybe(from.wrap(&format!("{COLUMNS} "), "")).await
}

/// Whether somebody asked for an export.
pub(crate) async fn is_asked_by(db: &dyn Read, id: Uuid, person: UserId) -> Result<bool> {
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
pub(crate) async fn find_work(db: &dyn Read, id: Uuid) -> Result<Option<ExportWork>> {
    db.maybe(sql!(
        "SELECT project_id, program_id, created_by FROM export_jobs WHERE id = :id AND status IN (:pending, :running)",
        id = id,
        pending = RunStatus::Pending,
        running = RunStatus::Running,
    ))
    .await
}

/// An archive that was written.
#[derive(Debug)]
pub(crate) struct Written<'a> {
    pub(crate) storage_key: &'a str,
    pub(crate) file_size: i64,
    pub(crate) expires_at: DateTime<Utc>,
    /// The projects that are in it.
    pub(crate) projects: &'a [ProjectId],
}

/// Notes the archive of an export, and marks it as done; false when it has ended in the meantime.
pub(crate) async fn finish(tx: &mut Tx, id: Uuid, written: &Written<'_>) -> Result<bool> {
    let statement = sql!(
        "UPDATE export_jobs SET status = :success, storage_key = :key, file_size = :size, completed_at = :now,
            expires_at = :expires, projects = :projects
         WHERE id = :id AND status = :running",
        success = RunStatus::Success,
        running = RunStatus::Running,
        key = written.storage_key,
        size = written.file_size,
        now = tx.now(),
        expires = written.expires_at,
        projects = json!(written.projects).to_string(),
        id = id,
    );
    Ok(tx.run(statement).await? == 1)
}

/// Whether an archive holds a live project that somebody may not know of any more.
pub(crate) async fn holds_what_is_lost(db: &dyn Read, id: Uuid, reader: &Actor) -> Result<bool> {
    let kept: Option<String> =
        db.scalar(sql!("SELECT projects FROM export_jobs WHERE id = :id", id = id)).await?;
    let held: Vec<ProjectId> = kept.and_then(|kept| serde_json::from_str(&kept).ok()).unwrap_or_default();
    if held.is_empty() {
        return Ok(false);
    }
    let live = || {
        let select = "SELECT COUNT(*) FROM projects p WHERE p.deletion_id IS NULL AND p.id IN (:held)";
        sql!(select, held = list(held.iter().copied()))
    };
    Ok(db.count(reader.knowing_projects(live())).await? < db.count(live()).await?)
}

/// The archives that have expired and are still there: their exports and their keys in the storage.
pub(crate) async fn expired(db: &dyn Read, now: DateTime<Utc>) -> Result<Vec<(Uuid, String)>> {
    let select = "SELECT id, storage_key FROM export_jobs WHERE expires_at < :now AND storage_key <> ''";
    db.all(sql!(select, now = now)).await
}

/// Notes that the archive of an export is gone.
pub(crate) async fn forget(tx: &mut Tx, id: Uuid) -> Result<()> {
    tx.run(sql!("UPDATE export_jobs SET storage_key = '' WHERE id = :id", id = id)).await.map(drop)
}

/// The files and addresses on the live tasks of a project, in the order in which they came.
pub(crate) async fn attached(db: &dyn Read, project: ProjectId) -> Result<Vec<AttachedRow>> {
    db.all(sql!(
        "SELECT COALESCE(s.outline, '') AS wbs_path, t.name AS task, a.storage_key, a.file_name, a.file_size,
            a.file_mime, a.external_url, a.external_title, u.username, a.created_at
         FROM task_attachments a JOIN tasks t ON t.id = a.task_id JOIN users u ON u.id = a.uploaded_by
         LEFT JOIN task_schedule s ON s.task_id = t.id
         WHERE a.project_id = :project AND a.deletion_id IS NULL AND t.deletion_id IS NULL
         UNION ALL
         SELECT COALESCE(s.outline, '') AS wbs_path, t.name AS task, '', '', NULL, '', l.url, l.title, u.username,
            l.created_at
         FROM task_links l JOIN tasks t ON t.id = l.task_id JOIN users u ON u.id = l.created_by
         LEFT JOIN task_schedule s ON s.task_id = t.id
         WHERE l.project_id = :project AND l.deletion_id IS NULL AND t.deletion_id IS NULL
         ORDER BY 10, 2, 4, 7",
        project = project,
    ))
    .await
}

/// The changes of a project that its members may read, from one on, the oldest first.
pub(crate) async fn history(
    db: &dyn Read,
    project: ProjectId,
    after: Option<(DateTime<Utc>, Uuid)>,
    most: i64,
) -> Result<Vec<HistoryLine>> {
    let select = sql!(
        "SELECT h.id, h.at, h.entity, h.entity_id, h.kind, u.username, h.version, h.fields
         FROM history h LEFT JOIN users u ON u.id = h.actor_id
         WHERE h.project_id = :project AND h.entity IN (:entities)",
        project = project,
        entities = list(READABLE),
    );
    let select = match after {
        None => select,
        Some((at, id)) => {
            select.push(" AND h.at >= :at AND (h.at > :at OR h.id > :id)").bind("at", at).bind("id", id)
        }
    };
    db.all(select.push(&format!(" ORDER BY h.at, h.id LIMIT {most}"))).await
}

/// The name of a project or program.
pub(crate) async fn name(db: &dyn Read, whole: Whole) -> Result<Option<String>> {
    let select = match whole {
        Whole::Project(id) => {
            sql!("SELECT name FROM projects WHERE id = :id AND deletion_id IS NULL", id = id)
        }
        Whole::Program(id) => {
            sql!("SELECT name FROM programs WHERE id = :id AND deletion_id IS NULL", id = id)
        }
        Whole::Workspace => sql!("SELECT name FROM workspace WHERE id = 1"),
    };
    db.scalar(select).await
}

/// The live projects of a program that somebody may know of; without a reader all of them.
pub(crate) async fn projects(
    db: &dyn Read,
    program: ProgramId,
    reader: Option<&Actor>,
) -> Result<Vec<ProjectId>> {
    let select = "SELECT p.id FROM projects p WHERE p.program_id = :program AND p.deletion_id IS NULL";
    let all = sql!(select, program = program);
    let known = match reader {
        Some(actor) => actor.knowing_projects(all),
        None => all,
    };
    db.scalars(known.push(" ORDER BY p.name, p.id")).await
}

/// The time that one person logged in a project. That of others is not for anybody else.
pub(crate) async fn logged(db: &dyn Read, project: ProjectId, user: UserId) -> Result<Vec<LoggedRow>> {
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

row! {
    /// Somebody, as an export of the workspace tells them.
    #[derive(Serialize)]
    pub(crate) struct PersonRow {
        pub(crate) id: UserId,
        pub(crate) username: String,
        pub(crate) email: String,
        pub(crate) first_name: String,
        pub(crate) last_name: String,
        pub(crate) workspace_role: Role,
        pub(crate) status: MemberStatus,
    }
}

row! {
    /// A group, as an export of the workspace tells it.
    #[derive(Serialize)]
    pub(crate) struct GroupRow {
        pub(crate) id: GroupId,
        pub(crate) name: String,
        pub(crate) description: String,
        pub(crate) lead_id: Option<UserId>,
    }
}

row! {
    /// Who is in which group.
    #[derive(Serialize)]
    pub(crate) struct GroupMemberRow {
        pub(crate) group_id: GroupId,
        pub(crate) user_id: UserId,
    }
}

row! {
    /// In which project a group gives which rank.
    #[derive(Serialize)]
    pub(crate) struct GroupProjectRow {
        pub(crate) group_id: GroupId,
        pub(crate) project_id: ProjectId,
        pub(crate) role: Role,
    }
}

/// Everybody.
pub(crate) async fn people(db: &dyn Read) -> Result<Vec<PersonRow>> {
    db.all(sql!(
        "SELECT id, username, email, first_name, last_name, workspace_role, status FROM users ORDER BY username, id"
    ))
    .await
}

/// Every group.
pub(crate) async fn groups(db: &dyn Read) -> Result<Vec<GroupRow>> {
    db.all(sql!("SELECT id, name, description, lead_id FROM workspace_groups ORDER BY name_key, id")).await
}

/// Who is in which group.
pub(crate) async fn group_members(db: &dyn Read) -> Result<Vec<GroupMemberRow>> {
    db.all(sql!("SELECT group_id, user_id FROM workspace_group_members ORDER BY group_id, user_id")).await
}

/// In which project each group gives which rank.
pub(crate) async fn group_projects(db: &dyn Read) -> Result<Vec<GroupProjectRow>> {
    db.all(sql!(
        "SELECT group_id, project_id, role FROM workspace_group_projects ORDER BY group_id, project_id"
    ))
    .await
}

/// Every live program.
pub(crate) async fn live_programs(db: &dyn Read) -> Result<Vec<ProgramId>> {
    db.scalars(sql!("SELECT id FROM programs WHERE deletion_id IS NULL ORDER BY id")).await
}

/// The live projects without a program.
pub(crate) async fn projects_alone(db: &dyn Read) -> Result<Vec<ProjectId>> {
    let select = "SELECT id FROM projects WHERE program_id IS NULL AND deletion_id IS NULL ORDER BY id";
    db.scalars(sql!(select)).await
}
