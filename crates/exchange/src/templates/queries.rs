//! Every statement about templates and their applications.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProgramId, ProjectId, TaskId, UserId};
use planwright_domain::words::{Methodology, TemplateApplicationStatus, TemplateKind, Word};
use planwright_store::{Read, Result, Sql, Tx, row, sql};
use planwright_web::Actor;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::structure::TemplateCounts;

row! {
    /// A template without its structure.
    pub(crate) struct TemplateRow {
        pub(crate) id: Uuid,
        pub(crate) name: String,
        pub(crate) description: String,
        pub(crate) source_kind: TemplateKind,
        pub(crate) program_id: Option<ProgramId>,
        pub(crate) methodology: Methodology,
        pub(crate) version: i64,
        pub(crate) counts: TemplateCounts,
        pub(crate) task_count: i64,
        pub(crate) published_at: DateTime<Utc>,
        pub(crate) published_by: Option<UserId>,
        pub(crate) published_by_name: String,
        pub(crate) source_project_id: Option<ProjectId>,
        pub(crate) source_project_name: String,
        pub(crate) supersedes_id: Option<Uuid>,
        pub(crate) is_superseded: bool,
        pub(crate) usage_count: i64,
    }
}

row! {
    /// An application with what it is called after.
    pub(crate) struct ApplicationRow {
        pub(crate) id: Uuid,
        pub(crate) template_id: Uuid,
        pub(crate) template_name: String,
        pub(crate) template_version: i64,
        pub(crate) project_id: ProjectId,
        pub(crate) applied_by: UserId,
        pub(crate) status: TemplateApplicationStatus,
        pub(crate) result_summary: Json,
        pub(crate) error_detail: String,
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
    /// An application as it is worked on.
    pub(crate) struct ApplicationWork {
        pub(crate) project_id: ProjectId,
        pub(crate) applied_by: UserId,
        pub(crate) template_id: Uuid,
        pub(crate) version: i64,
        pub(crate) structure: Json,
    }
}

/// The columns of [`TemplateRow`]. A source project that the viewer cannot open has no id and no name.
pub(crate) const TEMPLATE_COLUMNS: &str = "SELECT t.id, t.name, t.description, t.source_kind, t.program_id,
    t.methodology, t.version, t.counts, t.task_count, t.published_at, t.published_by,
    COALESCE((SELECT COALESCE(NULLIF(TRIM(u.first_name || ' ' || u.last_name), ''), u.username) FROM users u
        WHERE u.id = t.published_by), '') AS published_by_name,
    (SELECT p.id FROM projects p JOIN project_members m ON m.project_id = p.id AND m.deletion_id IS NULL
        WHERE p.id = t.source_project_id AND p.deletion_id IS NULL AND m.user_id = :viewer) AS source_project_id,
    COALESCE((SELECT p.name FROM projects p JOIN project_members m ON m.project_id = p.id AND m.deletion_id IS NULL
        WHERE p.id = t.source_project_id AND p.deletion_id IS NULL AND m.user_id = :viewer), '') AS source_project_name,
    t.supersedes_id,
    EXISTS (SELECT 1 FROM project_templates n WHERE n.supersedes_id = t.id) AS is_superseded,
    (SELECT COUNT(*) FROM template_applications a WHERE a.template_id = t.id) AS usage_count";

/// Which templates `t` somebody sees: those of everybody, their own, and those of their programs.
fn is_seen() -> String {
    format!(
        "(t.source_kind <> '{}' OR t.published_by = :viewer)
           AND (t.program_id IS NULL OR t.program_id IN (SELECT m.program_id FROM program_members m
                WHERE m.user_id = :viewer AND m.deletion_id IS NULL))",
        TemplateKind::Personal.as_str()
    )
}

/// The columns of [`ApplicationRow`]. The name of a template that the viewer does not see is blank.
pub(crate) fn application_columns() -> String {
    format!(
        "SELECT a.id, a.template_id, CASE WHEN {} THEN t.name ELSE '' END AS template_name,
            t.version AS template_version, a.project_id, a.applied_by, a.status, a.result_summary, a.error_detail,
            a.created_at, a.started_at, a.completed_at, a.undone_at, a.cancelled_at, a.phase, a.rows_done, a.rows_total",
        is_seen()
    )
}

/// The templates that somebody sees: those of everybody, their own, and those of their programs. With a program, those of
/// other programs are left out.
pub(crate) fn gallery(viewer: UserId, program: Option<ProgramId>) -> Sql {
    sql!(format!("FROM project_templates t WHERE {}", is_seen()), viewer = viewer,).when(
        "AND (t.program_id IS NULL OR t.program_id = :program)",
        "program",
        program,
    )
}

/// A template that somebody sees.
pub(crate) async fn find(db: &dyn Read, viewer: UserId, id: Uuid) -> Result<Option<TemplateRow>> {
    let from = gallery(viewer, None).push(" AND t.id = :id").bind("id", id);
    db.maybe(from.wrap(&format!("{TEMPLATE_COLUMNS} "), "")).await
}

row! {
    /// The latest version of a template.
    pub(crate) struct LatestRow {
        pub(crate) id: Uuid,
        pub(crate) version: i64,
        pub(crate) published_by: Option<UserId>,
    }
}

/// The latest template of a name in a scope.
pub(crate) async fn latest(db: &dyn Read, scope: &str, name_key: &str) -> Result<Option<LatestRow>> {
    let select = "SELECT id, version, published_by FROM project_templates WHERE scope_key = :scope AND name_key = :name
        ORDER BY version DESC LIMIT 1";
    db.maybe(sql!(select, scope = scope, name = name_key)).await
}

/// A template to be added.
pub(crate) struct NewTemplate {
    pub(crate) id: Uuid,
    pub(crate) name: String,
    pub(crate) name_key: String,
    /// Within which names are unique: everybody's, those of one program, or those of one person.
    pub(crate) scope_key: String,
    pub(crate) description: String,
    pub(crate) kind: TemplateKind,
    pub(crate) program: Option<ProgramId>,
    pub(crate) methodology: Methodology,
    pub(crate) version: i64,
    pub(crate) structure: Json,
    pub(crate) counts: Json,
    pub(crate) task_count: i64,
    pub(crate) publisher: Option<UserId>,
    pub(crate) project: Option<ProjectId>,
    pub(crate) supersedes: Option<Uuid>,
}

/// Adds a template; false when another one took the name and version first.
pub(crate) async fn insert(tx: &mut Tx, new: &NewTemplate) -> Result<bool> {
    let statement = sql!(
        "INSERT INTO project_templates (id, name, name_key, scope_key, description, source_kind, program_id, methodology,
            version, structure, counts, task_count, published_at, published_by, source_project_id, supersedes_id)
         VALUES (:id, :name, :name_key, :scope, :description, :kind, :program, :methodology,
            :version, :structure, :counts, :tasks, :now, :publisher, :project, :supersedes)
         ON CONFLICT DO NOTHING",
        id = new.id,
        name = &new.name,
        name_key = &new.name_key,
        scope = &new.scope_key,
        description = &new.description,
        kind = new.kind,
        program = new.program,
        methodology = new.methodology,
        version = new.version,
        structure = new.structure.clone(),
        counts = new.counts.clone(),
        tasks = new.task_count,
        now = tx.now(),
        publisher = new.publisher,
        project = new.project,
        supersedes = new.supersedes,
    );
    Ok(tx.run(statement).await? == 1)
}

/// The applications in projects that somebody sees, narrowed to one project.
pub(crate) fn applications(actor: &Actor, project: Option<ProjectId>) -> Sql {
    let all =
        sql!("FROM template_applications a JOIN project_templates t ON t.id = a.template_id WHERE TRUE");
    actor.in_visible_projects(all, "a.project_id").when("AND a.project_id = :project", "project", project)
}

/// An application in a project that somebody sees.
pub(crate) async fn find_application(
    db: &dyn Read,
    actor: &Actor,
    id: Uuid,
) -> Result<Option<ApplicationRow>> {
    let from = applications(actor, None).push(" AND a.id = :id").bind("id", id);
    db.maybe(from.wrap(&format!("{} ", application_columns()), "")).await
}

/// Adds an application.
pub(crate) async fn insert_application(
    tx: &mut Tx,
    template: Uuid,
    project: ProjectId,
    user: UserId,
) -> Result<Uuid> {
    let id: Uuid = tx.mint();
    let statement = sql!(
        "INSERT INTO template_applications (id, template_id, project_id, status, result_summary, created_versions,
            error_detail, applied_by, created_at)
         VALUES (:id, :template, :project, :pending, :none, :none, '', :user, :now)",
        id = id,
        template = template,
        project = project,
        pending = TemplateApplicationStatus::Pending,
        none = json!({}),
        user = user,
        now = tx.now(),
    );
    tx.run(statement).await?;
    Ok(id)
}

/// What an application needs to be worked on. `None` when it has ended or is gone.
pub(crate) async fn find_work(db: &dyn Read, id: Uuid) -> Result<Option<ApplicationWork>> {
    db.maybe(sql!(
        "SELECT a.project_id, a.applied_by, a.template_id, t.version, t.structure
         FROM template_applications a JOIN project_templates t ON t.id = a.template_id
         WHERE a.id = :id AND a.status IN (:pending, :running)",
        id = id,
        pending = TemplateApplicationStatus::Pending,
        running = TemplateApplicationStatus::Running,
    ))
    .await
}

/// Marks an application as done; false when it was cancelled in the meantime.
pub(crate) async fn finish(
    tx: &mut Tx,
    id: Uuid,
    summary: Json,
    versions: &HashMap<TaskId, i64>,
) -> Result<bool> {
    let statement = sql!(
        "UPDATE template_applications SET status = :success, result_summary = :summary, created_versions = :versions,
            completed_at = :now, rows_done = rows_total WHERE id = :id AND status = :running",
        running = TemplateApplicationStatus::Running,
        success = TemplateApplicationStatus::Success,
        summary = summary,
        versions = json!(versions),
        now = tx.now(),
        id = id,
    );
    Ok(tx.run(statement).await? == 1)
}

/// Marks an application as taken back.
pub(crate) async fn note_undone(tx: &mut Tx, id: Uuid) -> Result<()> {
    let update = "UPDATE template_applications SET status = :undone, undone_at = :now WHERE id = :id";
    tx.run(sql!(update, undone = TemplateApplicationStatus::Undone, now = tx.now(), id = id)).await.map(drop)
}

/// The tasks that an application made, each with its version right after it.
pub(crate) async fn created_versions(db: &dyn Read, id: Uuid) -> Result<HashMap<TaskId, i64>> {
    let select = "SELECT created_versions FROM template_applications WHERE id = :id";
    let kept: Option<Json> = db.scalar(sql!(select, id = id)).await?;
    Ok(kept.and_then(|kept| serde_json::from_value(kept).ok()).unwrap_or_default())
}

/// The outline paths of rows of a project that come back by a rule.
pub(crate) async fn recurring_paths(db: &dyn Read, project: ProjectId) -> Result<HashSet<String>> {
    let select = "SELECT s.outline FROM tasks t JOIN task_schedule s ON s.task_id = t.id
        WHERE t.project_id = :project AND t.deletion_id IS NULL AND s.outline IS NOT NULL
          AND (t.is_recurring OR EXISTS (SELECT 1 FROM recurrence_rules r WHERE r.task_id = t.id))";
    Ok(db.scalars(sql!(select, project = project)).await?.into_iter().collect())
}
