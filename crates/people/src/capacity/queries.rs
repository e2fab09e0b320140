//! Every statement about capacity.

use planwright_domain::ids::{AssignmentId, CalendarId, ProgramId, ProjectId, ResourceId, TaskId, UserId};
use planwright_domain::words::{ResourceKind, TaskStatus};
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, StoreError, row, sql};
use planwright_web::Actor;

use super::load::Window;
use crate::catalog::queries::IS_ME;

row! {
    /// A resource that a project works with.
    pub struct PersonRow {
        pub id: ResourceId,
        pub name: String,
        pub job_role: String,
        pub kind: ResourceKind,
        pub max_units: i64,
        pub units_override: Option<i64>,
        pub calendar_id: Option<CalendarId>,
        pub user_id: Option<UserId>,
    }
}

const PEOPLE: &str =
    "SELECT r.id, r.name, r.job_role, r.kind, r.max_units, x.units_override, r.calendar_id, r.user_id
     FROM resources r LEFT JOIN project_resources x
        ON x.resource_id = r.id AND x.project_id = :project AND x.deletion_id IS NULL
     WHERE r.deletion_id IS NULL";

/// The resources on the roster of a project and those that its tasks are allocated to, by name.
pub async fn people(db: &dyn Read, project: ProjectId) -> Result<Vec<PersonRow>> {
    let select = format!(
        "{PEOPLE} AND r.id IN (
            SELECT o.resource_id FROM project_resources o
            WHERE o.project_id = :project AND o.deletion_id IS NULL
            UNION
            SELECT a.resource_id FROM tasks t JOIN task_resources a ON a.task_id = t.id AND a.deletion_id IS NULL
            WHERE t.project_id = :project AND t.deletion_id IS NULL)
         ORDER BY r.name, r.id"
    );
    db.all(sql!(select, project = project)).await
}

/// One resource as a project sees it, when it is there.
pub async fn person(db: &dyn Read, project: ProjectId, resource: ResourceId) -> Result<Option<PersonRow>> {
    db.maybe(sql!(format!("{PEOPLE} AND r.id = :resource"), project = project, resource = resource)).await
}

row! {
    /// What a task asks of a resource. It has no name, because most of these rows are only added up.
    pub struct DemandRow {
        pub resource_id: ResourceId,
        pub units: i64,
        pub project_id: ProjectId,
        pub calendar_id: Option<CalendarId>,
        pub first_day: i32,
        pub last_day: i32,
    }
}

/// What demands are read from: allocations of tasks that have dates in a window. Phases ask for
/// nothing. A project that is deleted takes its tasks along, so nobody has to ask for it.
const DEMANDS: &str = "FROM task_resources a JOIN tasks t ON t.id = a.task_id AND t.deletion_id IS NULL
     JOIN task_schedule s ON s.task_id = a.task_id
     WHERE a.resource_id IN (:resources) AND a.deletion_id IS NULL AND NOT s.is_phase
       AND s.early_finish >= :first AND COALESCE(s.scheduled_start, s.early_start) <= :last";

/// Which tasks ask for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// All of them.
    All,
    /// Those that are not finished.
    Open,
}

/// What the tasks of all projects ask of some resources in a window.
pub async fn demands(
    db: &dyn Read,
    resources: &[ResourceId],
    window: Window,
    asking: Asking,
) -> Result<Vec<DemandRow>> {
    let open = if asking == Asking::Open { " AND t.status <> 'COMPLETE'" } else { "" };
    db.all(sql!(
        format!(
            "SELECT a.resource_id, a.units, s.project_id, t.calendar_id, COALESCE(s.scheduled_start, s.early_start) AS first_day,
                s.early_finish AS last_day {DEMANDS}{open}"
        ),
        resources = list(resources.iter().copied()),
        first = window.first.0,
        last = window.last.0
    ))
    .await
}

row! {
    /// What a task of a project asks of a resource, with its name.
    pub struct NamedDemandRow {
        pub resource_id: ResourceId,
        pub units: i64,
        pub task_id: TaskId,
        pub task_name: String,
        pub calendar_id: Option<CalendarId>,
        pub first_day: i32,
        pub last_day: i32,
    }
}

/// What the tasks of one project ask of some resources in a window, by day and name.
pub async fn named_demands(
    db: &dyn Read,
    project: ProjectId,
    resources: &[ResourceId],
    window: Window,
) -> Result<Vec<NamedDemandRow>> {
    db.all(sql!(
        format!(
            "SELECT a.resource_id, a.units, t.id AS task_id, t.name AS task_name, t.calendar_id,
                COALESCE(s.scheduled_start, s.early_start) AS first_day, s.early_finish AS last_day
             {DEMANDS} AND t.project_id = :project ORDER BY first_day, t.name, t.id"
        ),
        resources = list(resources.iter().copied()),
        project = project,
        first = window.first.0,
        last = window.last.0
    ))
    .await
}

/// The first and the last day of the plan of a project, when it has been computed.
pub async fn computed_span(db: &dyn Read, project: ProjectId) -> Result<Option<(i32, i32)>> {
    let select = "SELECT start_day, finish_day FROM project_schedule
         WHERE project_id = :project AND start_day IS NOT NULL AND finish_day IS NOT NULL";
    db.maybe(sql!(select, project = project)).await
}

/// The day on which a task is worked first and last, when it has been computed.
pub async fn task_span(db: &dyn Read, task: TaskId) -> Result<Option<(i32, i32)>> {
    let select = "SELECT COALESCE(scheduled_start, early_start), early_finish FROM task_schedule
         WHERE task_id = :task AND early_start IS NOT NULL AND early_finish IS NOT NULL";
    db.maybe(sql!(select, task = task)).await
}

/// How many open tasks of a project nobody is allocated to; phases are not counted.
pub async fn count_unassigned(db: &dyn Read, project: ProjectId) -> Result<i64> {
    db.count(sql!(
        "SELECT COUNT(*) FROM tasks t LEFT JOIN task_schedule s ON s.task_id = t.id
         WHERE t.project_id = :project AND t.deletion_id IS NULL AND t.status <> 'COMPLETE'
           AND NOT COALESCE(s.is_phase, FALSE) AND NOT EXISTS (
             SELECT 1 FROM task_resources a JOIN resources r ON r.id = a.resource_id AND r.deletion_id IS NULL
             WHERE a.task_id = t.id AND a.deletion_id IS NULL)",
        project = project
    ))
    .await
}

/// The hours of a day of some calendars.
pub async fn hours(db: &dyn Read, calendars: &[CalendarId]) -> Result<Vec<(CalendarId, f64)>> {
    let select = "SELECT id, hours_per_day FROM calendars WHERE id IN (:ids)";
    db.all(sql!(select, ids = list(calendars.iter().copied()))).await
}

row! {
    /// An allocation with the computed dates of its task.
    pub struct SpanRow {
        pub resource_id: ResourceId,
        pub resource_name: String,
        pub email: String,
        pub is_me: bool,
        pub max_units: i64,
        pub assignment_id: AssignmentId,
        pub task_id: TaskId,
        pub task_name: String,
        pub project_id: ProjectId,
        pub project_name: String,
        pub early_start: Option<i32>,
        pub early_finish: i32,
        pub scheduled_start: Option<i32>,
        pub units: i64,
        pub status: TaskStatus,
    }
}

/// The projects whose spans are read.
#[derive(Clone, Copy, Debug)]
pub enum Projects {
    /// One.
    One(ProjectId),
    /// Those of a program that the caller sees.
    Of(ProgramId),
}

impl Projects {
    fn among(self, sql: Sql, actor: &Actor) -> Sql {
        match self {
            Projects::One(project) => sql.push(" AND p.id = :project").bind("project", project),
            Projects::Of(program) => actor.in_visible_projects(
                sql.push(" AND p.program_id = :program").bind("program", program),
                "p.id",
            ),
        }
    }
}

/// Whether any of the projects has been computed.
pub async fn any_computed(db: &dyn Read, actor: &Actor, projects: Projects) -> Result<bool> {
    let count = sql!(
        "SELECT COUNT(*) FROM project_schedule s JOIN projects p ON p.id = s.project_id AND p.deletion_id IS NULL
         WHERE s.start_day IS NOT NULL"
    );
    Ok(db.count(projects.among(count, actor)).await? > 0)
}

/// What a caller asks of the spans.
#[derive(Clone, Debug, Default)]
pub struct SpanFilter {
    pub resources: Option<Vec<ResourceId>>,
    pub statuses: Option<Vec<TaskStatus>>,
}

/// The allocations of live resources in the projects, by resource and day.
pub async fn spans(
    db: &dyn Read,
    actor: &Actor,
    projects: Projects,
    filter: &SpanFilter,
) -> Result<Vec<SpanRow>> {
    let all = sql!(
        format!(
            "SELECT r.id AS resource_id, r.name AS resource_name, r.email, {IS_ME} AS is_me, r.max_units,
                a.id AS assignment_id, t.id AS task_id, t.name AS task_name, p.id AS project_id,
                p.name AS project_name, s.early_start, s.early_finish, s.scheduled_start, a.units, t.status
             FROM task_resources a JOIN tasks t ON t.id = a.task_id AND t.deletion_id IS NULL
             JOIN task_schedule s ON s.task_id = t.id AND s.early_finish IS NOT NULL
             JOIN projects p ON p.id = t.project_id AND p.deletion_id IS NULL
             JOIN resources r ON r.id = a.resource_id AND r.deletion_id IS NULL
             WHERE a.deletion_id IS NULL"
        ),
        me = actor.id
    );
    let narrowed = projects
        .among(all, actor)
        .when("AND r.id IN (:resources)", "resources", filter.resources.clone().map(list))
        .when("AND t.status IN (:statuses)", "statuses", filter.statuses.clone().map(list));
    let order = " ORDER BY r.name, r.id, COALESCE(s.scheduled_start, s.early_start), t.name, t.id";
    db.all(narrowed.push(order)).await
}

/// The name of a project.
pub async fn project_name(db: &dyn Read, project: ProjectId) -> Result<String> {
    let name = db.scalar(sql!("SELECT name FROM projects WHERE id = :id", id = project)).await?;
    name.ok_or(StoreError::Missing)
}
