//! A plan on its way in, in the vocabulary of the domain; its parts refer to one another by their place in its lists.
//! It carries only what has a table; it knows nothing of the format it was read from.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::custom_fields::StoredValue;
use planwright_domain::ids::UserId;
use planwright_domain::words::*;

use crate::containers::NewProject;

/// A plan of one or more projects and what they share.
#[derive(Clone, Debug, Default)]
pub struct Subtree {
    /// Calendars that projects, tasks and resources name.
    pub calendars: Vec<ImportedCalendar>,
    /// Resources that tasks are assigned to.
    pub resources: Vec<ImportedResource>,
    /// The projects.
    pub projects: Vec<ImportedProject>,
    /// Links between tasks, of one project or of two.
    pub links: Vec<ImportedLink>,
    /// Relations between tasks that do not move dates.
    pub relations: Vec<ImportedRelation>,
}

/// A task by the place of its project and its place therein.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaskAt {
    /// The place of the project.
    pub project: usize,
    /// The place among its tasks.
    pub task: usize,
}

/// A working calendar.
#[derive(Clone, Debug)]
pub struct ImportedCalendar {
    /// The name.
    pub name: String,
    /// The working weekdays as a mask: Monday is 1, Sunday is 64.
    pub working_days: i64,
    /// Only for display.
    pub hours_per_day: f64,
    /// Only for display.
    /// None if nothing says it. Then a calendar of any zone is the same.
    pub timezone: Option<String>,
    /// Days that differ from the weekdays; where several cover a day the last one holds.
    pub exceptions: Vec<ImportedException>,
}

/// A range of days that differs from the weekdays.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ImportedException {
    /// The first day.
    pub start: NaiveDate,
    /// The last day.
    pub end: NaiveDate,
    /// Why.
    pub description: String,
    /// Whether these days are worked.
    pub working: bool,
}

/// Somebody or something that work is assigned to.
#[derive(Clone, Debug)]
pub struct ImportedResource {
    /// The name.
    pub name: String,
    /// Address; may be empty.
    pub email: String,
    /// Trade or position; may be empty.
    pub job_role: String,
    /// Hundredths of a full-time unit.
    pub max_units: i64,
    /// What an hour of it costs, in hundredths.
    pub hourly_rate: Option<i64>,
    /// The place of its own calendar.
    pub calendar: Option<usize>,
    /// The person it stands for.
    pub user: Option<UserId>,
    /// What kind of resource it is.
    pub kind: ResourceKind,
    /// What it is good at. A resource that is there already keeps its own.
    pub skills: Vec<ImportedSkill>,
}

/// A skill that a resource has or a task asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedSkill {
    /// The name.
    pub name: String,
    /// What kind of skill it is; may be empty.
    pub category: String,
    /// 1 to 3; of a task the least that will do.
    pub proficiency: i64,
}

/// A resource on the roster of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedRosterEntry {
    /// The place of the resource.
    pub resource: usize,
    /// What it is in this project; may be empty.
    pub role_title: String,
    /// Hundredths of a full-time unit in this project, when they differ from those of the resource.
    pub units: Option<i64>,
    /// Free text.
    pub notes: String,
}

impl ImportedRosterEntry {
    /// A resource of which the project says nothing more.
    pub fn of(resource: usize) -> Self {
        Self { resource, role_title: String::new(), units: None, notes: String::new() }
    }
}

/// A project with everything inside.
#[derive(Clone, Debug)]
pub struct ImportedProject {
    /// The project itself; its program and calendar are filled in when it is built.
    pub fields: NewProject,
    /// The place of its calendar; Monday to Friday without one.
    pub calendar: Option<usize>,
    /// Its labels.
    pub labels: Vec<ImportedLabel>,
    /// Its tasks.
    pub tasks: Vec<ImportedTask>,
    /// Its sprints.
    pub sprints: Vec<ImportedSprint>,
    /// Its risks.
    pub risks: Vec<ImportedRisk>,
    /// Its baselines.
    pub baselines: Vec<ImportedBaseline>,
    /// The resources on its roster.
    pub roster: Vec<ImportedRosterEntry>,
    /// The places of calendars whose days off count besides those of its own, each with why, in their order.
    pub layers: Vec<(usize, CalendarLayer)>,
    /// Fields that it adds to its tasks.
    pub custom_fields: Vec<ImportedField>,
}

/// A field that a project adds to its tasks.
#[derive(Clone, Debug)]
pub struct ImportedField {
    /// The name, unique in its project without regard to case.
    pub name: String,
    /// What it holds.
    pub kind: FieldType,
    /// Whether a task that says something in it must go on saying something.
    pub is_required: bool,
    /// Whether cards of the board show it.
    pub show_on_card: bool,
    /// Its choices as they are stored.
    pub options: serde_json::Value,
}

/// A label.
#[derive(Clone, Debug)]
pub struct ImportedLabel {
    /// The name.
    pub name: String,
    /// Its colour.
    pub color: LabelColor,
    /// Its place among the labels.
    pub position: i64,
}

/// A row of the plan.
#[derive(Clone, Debug)]
pub struct ImportedTask {
    /// The place of the row above it.
    pub parent: Option<usize>,
    /// How many rows it stands below.
    pub depth: usize,
    /// Its place among its siblings.
    pub position: i64,
    /// The name.
    pub name: String,
    /// Free text.
    pub notes: String,
    /// What kind of row it is.
    pub kind: TaskType,
    /// The status.
    pub status: TaskStatus,
    /// Working days.
    pub duration: i64,
    /// Work, container or milestone.
    pub structure_role: StructureRole,
    /// 0 to 100.
    pub percent_complete: f64,
    /// The task does not start before this day.
    pub planned_start: Option<NaiveDate>,
    /// It ought to be finished by then.
    pub deadline: Option<NaiveDate>,
    /// A limit of its dates, with the date unless it is the wish to be late.
    pub constraint: Option<(ConstraintType, Option<NaiveDate>)>,
    /// The place of the calendar that it is worked on, if that is not the one of its project.
    pub calendar: Option<usize>,
    /// When work began.
    pub actual_start: Option<NaiveDate>,
    /// When work ended.
    pub actual_finish: Option<NaiveDate>,
    /// Optimistic, most likely and pessimistic duration; accepted as they come.
    pub estimate: Option<[i64; 3]>,
    /// Size in points.
    pub story_points: Option<i64>,
    /// Points still open.
    pub remaining_points: Option<i64>,
    /// Who does it.
    pub assignee: Option<UserId>,
    /// The place of its sprint.
    pub sprint: Option<usize>,
    /// Its order inside the sprint.
    pub sprint_rank: Option<i64>,
    /// The place of its epic.
    pub parent_epic: Option<usize>,
    /// How far it has been refined.
    pub dor: Readiness,
    /// How strictly it is governed.
    pub governance_class: GovernanceClass,
    /// Whether that is how the row above it is governed, and not its own.
    pub inherits_governance: bool,
    /// How it is delivered.
    pub delivery_mode: DeliveryMode,
    /// Whether it is a drawer subtask.
    pub is_subtask: bool,
    /// `#RRGGBB`.
    pub color: Option<String>,
    /// The places of its labels.
    pub labels: Vec<usize>,
    /// The places of resources, with hundredths of a full-time unit.
    pub assignments: Vec<(usize, i64)>,
    /// What stands around it.
    pub around: ImportedAround,
}

/// What stands around a row of the plan.
#[derive(Clone, Debug, Default)]
pub struct ImportedAround {
    /// Conditions under which it counts as done, in their order.
    pub criteria: Vec<ImportedCriterion>,
    /// What it asks of whoever does it.
    pub skills: Vec<ImportedSkill>,
    /// The places of fields, with what it says in them.
    pub values: Vec<(usize, StoredValue)>,
    /// By which rule it comes back.
    pub recurrence: Option<ImportedRecurrence>,
    /// The place of the template whose rule made it, and the day for which.
    pub occurrence: Option<(usize, NaiveDate)>,
    /// What the backlog is ordered by.
    pub scores: ImportedScores,
    /// Why it is held up; may be empty.
    pub blocked_reason: String,
    /// What kind of obstacle that is.
    pub blocker_type: Option<BlockerType>,
    /// Since when.
    pub blocked_since: Option<DateTime<Utc>>,
}

/// A condition under which a task counts as done.
#[derive(Clone, Debug)]
pub struct ImportedCriterion {
    /// The condition in one sentence.
    pub text: String,
    /// The state before, what happens, and what follows.
    pub scenario: [String; 3],
    /// Whether it is met.
    pub met: bool,
    /// Since when.
    pub met_at: Option<DateTime<Utc>>,
}

/// A rule by which a task comes back; the fields are those of `recurrence_rules`.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "`editing/recurrence/model.rs` says what each field means")]
pub struct ImportedRecurrence {
    pub frequency: RecurrenceFrequency,
    pub every: i64,
    pub weekdays: i64,
    pub day_of_month: Option<i64>,
    pub time_of_day: String,
    pub timezone: String,
    pub end_type: RecurrenceEnd,
    pub end_date: Option<NaiveDate>,
    pub end_count: Option<i64>,
    pub inherit_assignee: bool,
    pub inherit_subtasks: bool,
    pub inherit_attachments: bool,
    pub inherit_morning_notification: bool,
    pub begun_on: NaiveDate,
    pub generated_through: Option<NaiveDate>,
    pub occurrence_count: i64,
}

/// What a backlog is ordered by; the fields are those of a task.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "`tasks/model.rs` says what each field means")]
pub struct ImportedScores {
    pub priority_rank: Option<i64>,
    pub business_value: Option<i64>,
    pub time_criticality: Option<i64>,
    pub risk_reduction: Option<i64>,
    pub job_size: Option<i64>,
    pub reach: Option<i64>,
    pub impact: Option<f64>,
    pub confidence: Option<f64>,
    pub effort: Option<f64>,
    pub value: Option<i64>,
    pub effort_estimate: Option<f64>,
}

impl ImportedTask {
    /// Whether it is a milestone.
    pub fn is_milestone(&self) -> bool {
        self.structure_role == StructureRole::Milestone
    }
}

/// A sprint.
#[derive(Clone, Debug)]
pub struct ImportedSprint {
    /// The name.
    pub name: String,
    /// The goal.
    pub goal: String,
    /// Free text.
    pub notes: String,
    /// The status.
    pub state: SprintState,
    /// The first day.
    pub start_date: NaiveDate,
    /// The last day.
    pub finish_date: NaiveDate,
    /// Points promised at its start.
    pub committed_points: Option<i64>,
    /// Points done at its end.
    pub completed_points: Option<i64>,
    /// Points the team can take on.
    pub capacity_points: Option<i64>,
    /// The place of the milestone it works towards.
    pub target_milestone: Option<usize>,
    /// Whether its goal was met.
    pub goal_outcome: Option<GoalOutcome>,
    /// How many tasks may be in work at once.
    pub wip_limit: Option<i64>,
    /// Whether the velocity leaves it out.
    pub exclude_from_velocity: bool,
    /// Tasks promised at its start.
    pub committed_task_count: Option<i64>,
    /// Tasks done at its end.
    pub completed_task_count: Option<i64>,
    /// The day from which finished work counts.
    pub begun_on: Option<NaiveDate>,
    /// When it began.
    pub activated_at: Option<DateTime<Utc>>,
    /// When it closed.
    pub closed_at: Option<DateTime<Utc>>,
}

/// Something that may go wrong.
#[derive(Clone, Debug)]
pub struct ImportedRisk {
    /// What may happen.
    pub title: String,
    /// The status.
    pub status: RiskStatus,
    /// 1 to 5.
    pub probability: i64,
    /// 1 to 5.
    pub impact: i64,
    /// More about it.
    pub description: String,
    /// How likely it is that it happens, in percent.
    pub likelihood_percent: Option<i64>,
    /// The fewest, the most likely and the most working days that it costs.
    pub delay_days: [Option<i64>; 3],
    /// Where it comes from.
    pub category: Option<RiskCategory>,
    /// What is done about it.
    pub response: Option<RiskResponse>,
    /// When that should be done.
    pub mitigation_due_date: Option<NaiveDate>,
    /// How one notices that it happens.
    pub trigger: String,
    /// What to do then.
    pub contingency: String,
    /// Free text.
    pub notes: String,
    /// Who looks after it.
    pub owner: Option<UserId>,
    /// What it threatens, in any of the projects.
    pub tasks: Vec<TaskAt>,
}

/// A frozen copy of the plan.
#[derive(Clone, Debug)]
pub struct ImportedBaseline {
    /// The shown name, unique in its project.
    pub name: String,
    /// Whether variances are measured against it.
    pub is_active: bool,
    /// When it was taken.
    pub captured_at: Option<DateTime<Utc>>,
    /// The place of the calendar that was in force.
    pub calendar: Option<usize>,
    /// Its working days, Monday to Sunday as bits.
    pub working_days: Option<i64>,
    /// Its hours of a working day.
    pub hours_per_day: Option<f64>,
    /// What was frozen.
    pub tasks: Vec<FrozenTask>,
}

/// A row of a baseline.
#[derive(Clone, Debug)]
pub struct FrozenTask {
    /// The place of the task.
    pub task: usize,
    /// Its name then.
    pub name: Option<String>,
    /// The first day.
    pub start: Option<NaiveDate>,
    /// The last day.
    pub finish: Option<NaiveDate>,
    /// Working days.
    pub duration: Option<i64>,
    /// Size in points.
    pub story_points: Option<i64>,
    /// When it had begun.
    pub actual_start: Option<NaiveDate>,
    /// When it had ended.
    pub actual_finish: Option<NaiveDate>,
    /// What it was to cost, in hundredths.
    pub budget: Option<i64>,
    /// Whether it was work of the plan then, if the document says so.
    pub is_leaf: Option<bool>,
}

/// A link.
#[derive(Clone, Debug)]
pub struct ImportedLink {
    /// The predecessor.
    pub predecessor: TaskAt,
    /// The successor.
    pub successor: TaskAt,
    /// Which ends it ties.
    pub kind: DependencyType,
    /// Days on the lag calendar of the successor's project.
    pub lag: i64,
}

/// A relation that does not move dates.
#[derive(Clone, Debug)]
pub struct ImportedRelation {
    /// The source task.
    pub source: TaskAt,
    /// The other task.
    pub target: TaskAt,
    /// What it says.
    pub kind: RelationKind,
    /// Why.
    pub note: String,
}
