//! Every statement that an export reads by. They see live rows only, of whichever projects the caller may have.

use std::borrow::Cow;
use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::Role;
use planwright_domain::ids::*;
use planwright_domain::words::*;
use planwright_plan::calendars::model::{CalendarRow, ExceptionRow};
use planwright_plan::containers::Overrides;
use planwright_store::Record;
use planwright_store::record::select_list;
use planwright_store::value::list;
use planwright_store::{FromRow, Read, Result, row, sql};
use planwright_web::Actor;
use serde_json::Value as Json;

row! {
    pub(super) struct ProgramRow {
        pub(super) id: ProgramId,
        pub(super) name: String,
        pub(super) description: String,
        pub(super) code: String,
        pub(super) methodology: Methodology,
        pub(super) color: Option<String>,
        pub(super) lead_id: Option<UserId>,
        pub(super) risk_slip_propagation: SlipPropagation,
        pub(super) risk_escalation_days: i64,
        pub(super) rollup_aggregation_policy: AggregationPolicy,
        pub(super) rollup_enabled_kpis: Option<Json>,
        pub(super) health: Health,
        pub(super) visibility: Visibility,
        pub(super) target_date: Option<NaiveDate>,
    }
    and pub(super) overrides: Overrides
}

row! {
    pub(super) struct ProjectRow {
        pub(super) id: ProjectId,
        pub(super) program_id: Option<ProgramId>,
        pub(super) name: String,
        pub(super) description: String,
        pub(super) code: String,
        pub(super) start_date: NaiveDate,
        pub(super) status_date: Option<NaiveDate>,
        pub(super) calendar_id: Option<CalendarId>,
        pub(super) lag_calendar: LagCalendar,
        pub(super) default_view: DefaultView,
        pub(super) estimation_mode: EstimationMode,
        pub(super) methodology: Methodology,
        pub(super) lifecycle: Lifecycle,
        pub(super) own_methodology: Option<Methodology>,
    }
    and pub(super) kept: KeptOfProject
}

row! {
    /// What a project says of itself besides its plan.
    pub(super) struct KeptOfProject {
        pub(super) health: Health,
        pub(super) visibility: Visibility,
        pub(super) timezone: String,
        pub(super) board_cadence: BoardCadence,
        pub(super) stale_task_threshold_days: i64,
        pub(super) end_date_shift_threshold_days: i64,
        pub(super) prioritization_model: PrioritizationModel,
        pub(super) default_member_role: Role,
        pub(super) show_reporting: Option<bool>,
        pub(super) show_time_tracking: Option<bool>,
        pub(super) show_baselines: Option<bool>,
        pub(super) show_monte_carlo: Option<bool>,
    }
    and pub(super) overrides: Overrides
}

row! {
    pub(super) struct LabelRow {
        pub(super) project_id: ProjectId,
        pub(super) id: LabelId,
        pub(super) name: String,
        pub(super) color: LabelColor,
        pub(super) position: i64,
    }
}

row! {
    pub(super) struct TaskRow {
        pub(super) project_id: ProjectId,
        pub(super) id: TaskId,
        pub(super) parent_id: Option<TaskId>,
        pub(super) position: i64,
        pub(super) has_place: bool,
        pub(super) name: String,
        pub(super) notes: String,
        pub(super) r#type: TaskType,
        pub(super) status: TaskStatus,
        pub(super) duration: i64,
        pub(super) percent_complete: f64,
        pub(super) planned_start: Option<NaiveDate>,
        pub(super) deadline: Option<NaiveDate>,
        pub(super) constraint_type: Option<ConstraintType>,
        pub(super) constraint_date: Option<NaiveDate>,
        pub(super) calendar_id: Option<CalendarId>,
        pub(super) actual_start: Option<NaiveDate>,
        pub(super) actual_finish: Option<NaiveDate>,
        pub(super) is_milestone: bool,
        pub(super) optimistic_duration: Option<i64>,
        pub(super) most_likely_duration: Option<i64>,
        pub(super) pessimistic_duration: Option<i64>,
        pub(super) story_points: Option<i64>,
        pub(super) remaining_points: Option<i64>,
        pub(super) assignee_id: Option<UserId>,
        pub(super) sprint_id: Option<SprintId>,
        pub(super) sprint_rank: Option<i64>,
        pub(super) parent_epic_id: Option<TaskId>,
        pub(super) dor: Readiness,
        pub(super) governance_class: GovernanceClass,
        pub(super) parent_governance_inherited: bool,
        pub(super) delivery_mode: DeliveryMode,
        pub(super) is_subtask: bool,
        pub(super) color: Option<String>,
        pub(super) blocked_reason: String,
        pub(super) blocker_type: Option<BlockerType>,
        pub(super) blocked_since: Option<DateTime<Utc>>,
        pub(super) priority_rank: Option<i64>,
        pub(super) business_value: Option<i64>,
        pub(super) time_criticality: Option<i64>,
        pub(super) risk_reduction: Option<i64>,
        pub(super) job_size: Option<i64>,
        pub(super) reach: Option<i64>,
        pub(super) impact: Option<f64>,
        pub(super) confidence: Option<f64>,
        pub(super) effort: Option<f64>,
        pub(super) value: Option<i64>,
        pub(super) effort_estimate: Option<f64>,
    }
}

row! {
    pub(super) struct SprintRow {
        pub(super) project_id: ProjectId,
        pub(super) id: SprintId,
        pub(super) name: String,
        pub(super) goal: String,
        pub(super) notes: String,
        pub(super) state: SprintState,
        pub(super) start_date: NaiveDate,
        pub(super) finish_date: NaiveDate,
        pub(super) committed_points: Option<i64>,
        pub(super) completed_points: Option<i64>,
        pub(super) capacity_points: Option<i64>,
        pub(super) target_milestone_id: Option<TaskId>,
        pub(super) goal_outcome: Option<GoalOutcome>,
        pub(super) wip_limit: Option<i64>,
        pub(super) exclude_from_velocity: bool,
        pub(super) committed_task_count: Option<i64>,
        pub(super) completed_task_count: Option<i64>,
        pub(super) begun_on: Option<NaiveDate>,
        pub(super) activated_at: Option<DateTime<Utc>>,
        pub(super) closed_at: Option<DateTime<Utc>>,
    }
}

row! {
    pub(super) struct RiskRow {
        pub(super) project_id: ProjectId,
        pub(super) id: RiskId,
        pub(super) title: String,
        pub(super) status: RiskStatus,
        pub(super) probability: i64,
        pub(super) impact: i64,
        pub(super) description: String,
        pub(super) likelihood_percent: Option<i64>,
        pub(super) delay_low_days: Option<i64>,
        pub(super) delay_days: Option<i64>,
        pub(super) delay_high_days: Option<i64>,
        pub(super) category: Option<RiskCategory>,
        pub(super) response: Option<RiskResponse>,
        pub(super) mitigation_due_date: Option<NaiveDate>,
        pub(super) trigger_text: String,
        pub(super) contingency: String,
        pub(super) notes: String,
        pub(super) owner_id: Option<UserId>,
    }
}

row! {
    pub(super) struct BaselineRow {
        pub(super) project_id: ProjectId,
        pub(super) id: BaselineId,
        pub(super) name: String,
        pub(super) is_active: bool,
        pub(super) created_at: DateTime<Utc>,
        pub(super) calendar_id: Option<CalendarId>,
        pub(super) working_days: Option<i64>,
        pub(super) hours_per_day: Option<f64>,
    }
}

row! {
    pub(super) struct FrozenRow {
        pub(super) project_id: ProjectId,
        pub(super) baseline_id: BaselineId,
        pub(super) task_id: TaskId,
        pub(super) start_date: Option<NaiveDate>,
        pub(super) finish_date: Option<NaiveDate>,
        pub(super) duration: Option<i64>,
        pub(super) story_points: Option<i64>,
        pub(super) task_name: Option<String>,
        pub(super) actual_start: Option<NaiveDate>,
        pub(super) actual_finish: Option<NaiveDate>,
        pub(super) budget: Option<i64>,
        pub(super) is_leaf: Option<bool>,
        pub(super) is_recurring: bool,
    }
}

row! {
    pub(super) struct LinkRow {
        pub(super) predecessor_id: TaskId,
        pub(super) successor_id: TaskId,
        pub(super) dep_type: DependencyType,
        pub(super) lag: i64,
    }
}

row! {
    pub(super) struct RelationRow {
        pub(super) source_id: TaskId,
        pub(super) target_id: TaskId,
        pub(super) relation_type: RelationKind,
        pub(super) note: String,
    }
}

row! {
    pub(super) struct ResourceRow {
        pub(super) id: ResourceId,
        pub(super) name: String,
        pub(super) email: String,
        pub(super) job_role: String,
        pub(super) max_units: i64,
        pub(super) calendar_id: Option<CalendarId>,
        pub(super) kind: ResourceKind,
        pub(super) hourly_rate: Option<i64>,
        pub(super) user_id: Option<UserId>,
    }
}

row! {
    pub(super) struct PersonRow {
        pub(super) id: UserId,
        pub(super) username: String,
        pub(super) email: String,
        pub(super) first_name: String,
        pub(super) last_name: String,
    }
}

/// One program.
pub(super) async fn program(db: &dyn Read, program: ProgramId) -> Result<Option<ProgramRow>> {
    let select = format!(
        "SELECT {} FROM programs g WHERE g.id = :id AND g.deletion_id IS NULL",
        select_list::<ProgramRow>("g")
    );
    db.maybe(sql!(select, id = program)).await
}

/// Projects. Calendar and methodology are those in force; whether the methodology is inherited is said beside it.
fn all_projects() -> String {
    let kept = select_list::<KeptOfProject>("p");
    format!(
        "SELECT p.id, p.program_id, p.name, p.description, p.code, p.start_date, p.status_date,
            COALESCE(p.calendar_id, g.calendar_id, w.calendar_id) AS calendar_id, p.lag_calendar, p.default_view,
            p.estimation_mode, COALESCE(p.methodology, g.methodology, w.methodology) AS methodology, p.lifecycle,
            p.methodology AS own_methodology, {kept}
         FROM projects p LEFT JOIN programs g ON g.id = p.program_id AND g.deletion_id IS NULL
         JOIN workspace w ON w.id = 1 WHERE p.deletion_id IS NULL"
    )
}

/// The projects of a program, the oldest first; for a reader those that they may know of.
pub(super) async fn projects(
    db: &dyn Read,
    program: ProgramId,
    reader: Option<&Actor>,
) -> Result<Vec<ProjectRow>> {
    let all = sql!(format!("{} AND p.program_id = :program", all_projects()), program = program);
    let known = match reader {
        Some(reader) => reader.knowing_projects(all),
        None => all,
    };
    db.all(known.push(" ORDER BY p.created_at, p.start_date, p.name, p.id")).await
}

/// One project.
pub(super) async fn project(db: &dyn Read, project: ProjectId) -> Result<Option<ProjectRow>> {
    db.maybe(sql!(format!("{} AND p.id = :project", all_projects()), project = project)).await
}

/// Rows by the project they belong to; those of one project keep their order.
pub(super) type ByProject<T> = HashMap<ProjectId, Vec<T>>;

/// The rows that a statement selects of several projects, each under the project that `split` takes out of it.
async fn by_project<T: FromRow + Send, U>(
    db: &dyn Read,
    projects: &[ProjectId],
    select: impl Into<Cow<'static, str>>,
    split: impl Fn(T) -> (ProjectId, U),
) -> Result<ByProject<U>> {
    let mut sorted = ByProject::new();
    let rows: Vec<T> = db.all(sql!(select, projects = list(projects.iter().copied()))).await?;
    for (project, row) in rows.into_iter().map(split) {
        sorted.entry(project).or_default().push(row);
    }
    Ok(sorted)
}

/// The labels of each project in their order.
pub(super) async fn labels(db: &dyn Read, projects: &[ProjectId]) -> Result<ByProject<LabelRow>> {
    let select = "SELECT project_id, id, name, color, position FROM labels
         WHERE project_id IN (:projects) AND deletion_id IS NULL ORDER BY position, created_at, id";
    by_project(db, projects, select, |row: LabelRow| (row.project_id, row)).await
}

/// The tasks of each project.
pub(super) async fn tasks(db: &dyn Read, projects: &[ProjectId]) -> Result<ByProject<TaskRow>> {
    let select = format!(
        "SELECT {} FROM tasks t WHERE t.project_id IN (:projects) AND t.deletion_id IS NULL ORDER BY t.id",
        select_list::<TaskRow>("t")
    );
    by_project(db, projects, select, |row: TaskRow| (row.project_id, row)).await
}

/// The sprints of each project, the earliest first.
pub(super) async fn sprints(db: &dyn Read, projects: &[ProjectId]) -> Result<ByProject<SprintRow>> {
    let select = format!(
        "SELECT {} FROM sprints s WHERE s.project_id IN (:projects) AND s.deletion_id IS NULL
         ORDER BY s.start_date, s.finish_date, s.created_at, s.id",
        select_list::<SprintRow>("s")
    );
    by_project(db, projects, select, |row: SprintRow| (row.project_id, row)).await
}

/// Which labels the tasks of each project carry.
pub(super) async fn task_labels(
    db: &dyn Read,
    projects: &[ProjectId],
) -> Result<ByProject<(TaskId, LabelId)>> {
    let select =
        "SELECT t.project_id, x.task_id, x.label_id FROM task_labels x JOIN tasks t ON t.id = x.task_id
         WHERE t.project_id IN (:projects) AND t.deletion_id IS NULL";
    by_project(db, projects, select, |(project, task, label)| (project, (task, label))).await
}

/// Who the tasks of each project are allocated to, in hundredths.
pub(super) async fn allocations(
    db: &dyn Read,
    projects: &[ProjectId],
) -> Result<ByProject<(TaskId, ResourceId, i64)>> {
    let select = "SELECT t.project_id, x.task_id, x.resource_id, x.units
         FROM task_resources x JOIN tasks t ON t.id = x.task_id
         WHERE t.project_id IN (:projects) AND t.deletion_id IS NULL AND x.deletion_id IS NULL";
    by_project(db, projects, select, |(project, task, resource, units)| (project, (task, resource, units)))
        .await
}

/// The resources that some project has on its roster or allocates to a task, in an order of their content.
pub(super) async fn resources(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<ResourceRow>> {
    db.all(sql!(
        "SELECT r.id, r.name, r.email, r.job_role, r.max_units, r.calendar_id, r.kind, r.hourly_rate, r.user_id FROM resources r
         WHERE r.deletion_id IS NULL AND (
            EXISTS (SELECT 1 FROM project_resources x WHERE x.resource_id = r.id AND x.deletion_id IS NULL
                    AND x.project_id IN (:projects))
            OR EXISTS (SELECT 1 FROM task_resources y JOIN tasks t ON t.id = y.task_id AND t.deletion_id IS NULL
                       WHERE y.resource_id = r.id AND y.deletion_id IS NULL AND t.project_id IN (:projects)))",
        projects = list(projects.iter().copied()),
    ))
    .await
}

/// The risks of each project, the oldest first.
pub(super) async fn risks(db: &dyn Read, projects: &[ProjectId]) -> Result<ByProject<RiskRow>> {
    let select = format!(
        "SELECT {} FROM risks r WHERE r.project_id IN (:projects) AND r.deletion_id IS NULL
         ORDER BY r.created_at, r.id",
        select_list::<RiskRow>("r")
    );
    by_project(db, projects, select, |row: RiskRow| (row.project_id, row)).await
}

/// Which tasks the risks of each project threaten.
pub(super) async fn risk_tasks(db: &dyn Read, projects: &[ProjectId]) -> Result<ByProject<(RiskId, TaskId)>> {
    let select =
        "SELECT r.project_id, x.risk_id, x.task_id FROM risk_tasks x JOIN risks r ON r.id = x.risk_id
         WHERE r.project_id IN (:projects) AND r.deletion_id IS NULL";
    by_project(db, projects, select, |(project, risk, task)| (project, (risk, task))).await
}

/// The baselines of each project, the oldest first.
pub(super) async fn baselines(db: &dyn Read, projects: &[ProjectId]) -> Result<ByProject<BaselineRow>> {
    let select = "SELECT project_id, id, name, is_active, created_at, calendar_id, working_days, hours_per_day FROM baselines
         WHERE project_id IN (:projects) AND deletion_id IS NULL ORDER BY created_at, id";
    by_project(db, projects, select, |row: BaselineRow| (row.project_id, row)).await
}

/// What the baselines of each project froze.
pub(super) async fn frozen(db: &dyn Read, projects: &[ProjectId]) -> Result<ByProject<FrozenRow>> {
    let select = "SELECT b.project_id, x.baseline_id, x.task_id, x.start_date, x.finish_date, x.duration, x.story_points,
            x.task_name, x.actual_start, x.actual_finish, x.budget, x.is_leaf, t.is_recurring
         FROM baseline_tasks x JOIN baselines b ON b.id = x.baseline_id JOIN tasks t ON t.id = x.task_id
         WHERE b.project_id IN (:projects) AND b.deletion_id IS NULL";
    by_project(db, projects, select, |row: FrozenRow| (row.project_id, row)).await
}

/// The links that hold, of which the successor is in one of the projects.
pub(super) async fn links(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<LinkRow>> {
    let select = "SELECT predecessor_id, successor_id, dep_type, lag FROM dependencies
         WHERE successor_project_id IN (:projects) AND deletion_id IS NULL AND NOT pending_acceptance";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}

/// The relations that tasks of the projects have.
pub(super) async fn relations(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<RelationRow>> {
    db.all(sql!(
        "SELECT x.source_id, x.target_id, x.relation_type, x.note
         FROM task_relations x JOIN tasks t ON t.id = x.source_id AND t.deletion_id IS NULL
         WHERE t.project_id IN (:projects) AND x.deletion_id IS NULL ORDER BY x.created_at, x.id",
        projects = list(projects.iter().copied()),
    ))
    .await
}

/// Calendars.
pub(super) async fn calendars(db: &dyn Read, ids: &[CalendarId]) -> Result<Vec<CalendarRow>> {
    let select = format!("SELECT {} FROM calendars c WHERE c.id IN (:ids)", CalendarRow::select_list("c"));
    db.all(sql!(select, ids = list(ids.iter().copied()))).await
}

/// The exceptions of calendars, as the engine reads them.
pub(super) async fn exceptions(db: &dyn Read, ids: &[CalendarId]) -> Result<Vec<ExceptionRow>> {
    let columns = ExceptionRow::select_list("e");
    let select = format!(
        "SELECT {columns} FROM calendar_exceptions e WHERE e.calendar_id IN (:ids) ORDER BY e.exc_start, e.id"
    );
    db.all(sql!(select, ids = list(ids.iter().copied()))).await
}

/// People.
pub(super) async fn people(db: &dyn Read, ids: &[UserId]) -> Result<Vec<PersonRow>> {
    let select = "SELECT id, username, email, first_name, last_name FROM users WHERE id IN (:ids)";
    db.all(sql!(select, ids = list(ids.iter().copied()))).await
}

/// The ranks that people have in the projects.
pub(super) async fn ranks(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<(UserId, Role)>> {
    let select = "SELECT user_id, role FROM project_members
         WHERE project_id IN (:projects) AND deletion_id IS NULL";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}
