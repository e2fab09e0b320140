//! Tasks on the wire and in storage (contract 1, Task; names and types of the reference's schema).
//! Where each value comes from is in `decorate.rs`.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::*;
use planwright_domain::words::*;
use planwright_store::row;
use planwright_web::FieldNames;
use planwright_web::input;
use planwright_web::input::{Name, Patch};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::write::TaskRecord;
use crate::guardrails::GuardrailWarning;
use crate::schedule::queries::Computed;
use crate::sprints::MilestoneRollup;
use crate::sprints::scope::ScopeChangeRow;

row! {
    /// A task joined with its project, the caller's rank and its computed row, if it has one yet.
    pub struct TaskRow {
        pub project_code: String,
        pub estimation_mode: EstimationMode,
        pub prioritization_model: PrioritizationModel,
        pub archived: bool,
        pub my_role: i64,
    }
    and pub written: TaskRecord
    and pub computed: Option<Computed>
}

/// An allocation in a field of a task.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskAssignment {
    /// The resource.
    pub resource_id: ResourceId,
    /// Its name.
    pub resource_name: String,
    /// The share of a full-time capacity, such as `0.50`.
    pub units: String,
}

/// A label of a task.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskLabelChip {
    /// The label.
    pub id: LabelId,
    /// Its name.
    pub name: String,
    /// Its colour.
    pub color: LabelColor,
    /// Its place among the labels of the project.
    pub position: i64,
}

/// A person in a field of a task.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskPerson {
    /// Who it is.
    pub id: UserId,
    /// The user name.
    pub username: String,
}

/// A task that blocks another.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BlockingTask {
    /// The task.
    pub id: TaskId,
    /// Its name.
    pub name: String,
    /// Its short id.
    pub short_id: String,
    /// The status.
    pub status: TaskStatus,
}

/// The number of links to other systems, and their status.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ExternalLinkSummary {
    /// How many there are.
    pub count: i64,
    /// The worst status among them.
    pub worst_status: Option<String>,
}

/// A criterion by which a task counts as done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AcceptanceCriterion {
    /// The criterion.
    pub id: CriterionId,
    /// Its task.
    pub task: TaskId,
    /// The text of the criterion.
    pub text: String,
    /// The situation before (given).
    pub given: String,
    /// The event.
    pub when: String,
    /// The outcome.
    pub then: String,
    /// Whether the criterion is met.
    pub met: bool,
    /// Its place among the criteria.
    pub position: i64,
    /// Who ticked it.
    pub met_by_name: Option<String>,
    /// The time at which it was met.
    pub met_at: Option<DateTime<Utc>>,
    /// The version. It rises by 1 with every change.
    pub server_version: i64,
}

/// That a task came into a sprint while it ran.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskScopeChange {
    pub id: ScopeChangeId,
    pub sprint: SprintId,
    /// What the task was called then.
    pub item_name: String,
    pub added_by: Option<UserId>,
    pub added_at: DateTime<Utc>,
    pub goal_impact: String,
    pub status: ScopeChangeStatus,
}

impl From<ScopeChangeRow> for TaskScopeChange {
    fn from(row: ScopeChangeRow) -> Self {
        Self {
            id: row.id,
            sprint: row.sprint_id,
            item_name: row.item_name,
            added_by: row.added_by,
            added_at: row.added_at,
            goal_impact: row.goal_impact,
            status: row.status,
        }
    }
}

/// A row of a plan.
#[derive(Clone, Debug, Serialize, JsonSchema, FieldNames)]
pub struct Task {
    pub id: TaskId,
    pub server_version: i64,
    pub short_id: String,
    pub short_id_display: String,
    pub qualified_id: String,
    pub project: ProjectId,
    pub name: String,
    pub assignee: Option<UserId>,
    /// The outline number, such as `1.2.10`.
    pub wbs_path: Option<String>,
    pub status: TaskStatus,
    /// The duration in working days. For a phase: the working days from its start to its finish.
    pub duration: i64,
    pub duration_unit: DurationUnit,
    pub structure_role: StructureRole,
    /// The value that the row had before it became a phase.
    pub own_status: Option<TaskStatus>,
    /// The value that the row had before it became a phase.
    pub own_estimate: Option<i64>,
    pub percent_complete: Option<f64>,
    pub notes: String,
    pub planned_start: Option<NaiveDate>,
    /// The deadline: the day by whose end the task should be finished.
    pub deadline: Option<NaiveDate>,
    /// The type of the constraint on the dates.
    pub constraint_type: Option<ConstraintType>,
    /// The date of the constraint. Null for `ALAP`.
    pub constraint_date: Option<NaiveDate>,
    /// The calendar that the task is worked on. Null: that of the project.
    pub calendar: Option<CalendarId>,
    pub actual_start: Option<NaiveDate>,
    pub actual_finish: Option<NaiveDate>,
    pub early_start: Option<NaiveDate>,
    pub early_finish: Option<NaiveDate>,
    pub scheduled_start: Option<NaiveDate>,
    pub scheduled_finish: Option<NaiveDate>,
    /// The remaining duration, in working days.
    pub remaining_duration: i64,
    pub late_start: Option<NaiveDate>,
    pub late_finish: Option<NaiveDate>,
    pub total_float: Option<i64>,
    pub free_float: Option<i64>,
    pub is_critical: Option<bool>,
    /// The reason why the row could not be scheduled as it is written. Null if it could.
    pub schedule_issue: Option<String>,
    pub is_milestone: bool,
    pub optimistic_duration: Option<i64>,
    pub most_likely_duration: Option<i64>,
    pub pessimistic_duration: Option<i64>,
    pub estimate_status: Option<EstimateStatus>,
    pub baseline_start: Option<NaiveDate>,
    pub baseline_finish: Option<NaiveDate>,
    pub latest_note_at: Option<DateTime<Utc>>,
    pub schedule_variance_days: Option<i64>,
    pub spi: Option<f64>,
    pub spi_band: Option<String>,
    pub dwell_days: Option<i64>,
    pub is_stalled: bool,
    pub is_summary: bool,
    pub is_phase: bool,
    pub parent_id: Option<TaskId>,
    pub assignments: Vec<TaskAssignment>,
    pub labels: Vec<TaskLabelChip>,
    pub readiness: String,
    pub predecessor_count: i64,
    pub is_blocked: bool,
    pub blocked_reason: String,
    /// The kind of obstacle. Empty if nothing blocks the task.
    pub blocker_type: String,
    pub blocking_task: Option<TaskId>,
    pub blocking_task_detail: Option<BlockingTask>,
    pub blocked_since: Option<DateTime<Utc>>,
    pub blocked_by: Option<TaskPerson>,
    pub blocked_age_seconds: Option<i64>,
    pub is_impediment: bool,
    pub linked_risks_count: i64,
    pub linked_risks_max_severity: Option<i64>,
    pub has_related_links: bool,
    pub has_recurrence: bool,
    pub external_link_summary: ExternalLinkSummary,
    pub status_changed_at: Option<DateTime<Utc>>,
    pub priority_rank: Option<i64>,
    pub assignee_is_overallocated: bool,
    pub sprint: Option<SprintId>,
    pub sprint_pending: bool,
    pub story_points: Option<i64>,
    pub remaining_points: Option<i64>,
    pub is_subtask: bool,
    /// What came into running sprints with it.
    pub sprint_scope_changes: Vec<TaskScopeChange>,
    /// How far a milestone is, as the sprints tell that aim at it.
    pub milestone_rollup: Option<MilestoneRollup>,
    #[serde(rename = "type")]
    pub kind: TaskType,
    pub parent_epic: Option<TaskId>,
    pub dor: Readiness,
    pub sprint_rank: Option<i64>,
    pub governance_class: GovernanceClass,
    pub delivery_mode: DeliveryMode,
    pub parent_governance_inherited: bool,
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
    /// Its acceptance criteria, where one task is read or written; empty in lists.
    pub acceptance_criteria: Vec<AcceptanceCriterion>,
    pub prioritization_score: Option<f64>,
    pub criteria_met_count: i64,
    pub criteria_total: i64,
    /// What keeps it from being ready.
    pub dor_blockers: Vec<ReadinessBlocker>,
    pub can_edit: bool,
    pub can_delete: bool,
    pub can_edit_estimates: bool,
    pub can_log_time: bool,
    /// The minutes that the caller has logged on this task. For a phase, the minutes on its rows are included.
    pub logged_minutes: i64,
    pub custom_fields: serde_json::Map<String, serde_json::Value>,
    pub source_kind: SourceKind,
    pub source_id: Option<Uuid>,
    pub source_version: String,
    pub seeded_at: Option<DateTime<Utc>>,
    pub edited_at: Option<DateTime<Utc>>,
    pub is_untouched_seed: bool,
    /// Warnings of the guardrails of its sprint about this write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<GuardrailWarning>>,
}

impl Task {
    /// The answer to a write that the guardrails warned of.
    pub fn with_warnings(mut self, warnings: Vec<GuardrailWarning>) -> Self {
        self.warnings = (!warnings.is_empty()).then_some(warnings);
        self
    }
}

/// A task in the result of a search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BoardCardSearchResult {
    /// The task.
    pub id: TaskId,
    /// Its name.
    pub name: String,
    /// The status.
    pub status: TaskStatus,
    /// Its short id.
    pub short_id: String,
}

input! {
    /// Which tasks a list shows.
    pub struct TaskFilter {
        /// Only tasks of this project.
        pub project: Patch<ProjectId>,
        /// Only the task with this short id.
        pub short_id: Patch<Name<1, 16>>,
        /// Only tasks with this status.
        pub status: Patch<TaskStatus>,
        /// Only rows of this kind.
        pub r#type: Patch<TaskType>,
        /// True: only critical tasks. False: only tasks that are not critical.
        pub is_critical: Patch<bool>,
        /// True: only drawer subtasks. False: only other rows.
        pub is_subtask: Patch<bool>,
        /// Only tasks of this sprint. `none` means tasks without a sprint.
        pub sprint: Patch<Name<1, 36>>,
        /// Only subtasks of this task.
        pub parent: Patch<TaskId>,
        /// Only tasks that are assigned to this person. `none` means tasks without an assignee.
        pub assignee: Patch<Name<1, 36>>,
        /// Only tasks to which the caller is allocated or assigned.
        pub mine: Patch<bool>,
        /// Only tasks with at least one of these labels, separated by commas.
        pub labels: Patch<Name<1, 2000>>,
        /// Only tasks that say something in custom fields: a JSON object of field ids with a value, `null` for nothing, or
        /// `{"from": …, "to": …}`.
        pub custom_fields: Patch<Name<1, 2000>>,
        /// The custom field by which `ordering=custom_field` orders.
        pub custom_field: Patch<CustomFieldId>,
        /// Only tasks whose early finish is on this day or later.
        pub start__gte: Patch<NaiveDate>,
        /// Only tasks whose early start is on this day or before.
        pub finish__lte: Patch<NaiveDate>,
        /// The baseline whose dates are shown. The default is the active one.
        pub baseline: Patch<BaselineId>,
    }
}

impl TaskFilter {
    /// The project, when nothing else narrows the list.
    pub fn project_alone(&self) -> Option<ProjectId> {
        let Self { project, baseline: _, short_id, status, r#type, is_critical, .. } = self;
        let Self { is_subtask, sprint, parent, assignee, mine, labels, .. } = self;
        let Self { custom_fields, custom_field: _, start__gte, finish__lte, .. } = self;
        let narrowing = [
            short_id.is_given(),
            status.is_given(),
            r#type.is_given(),
            is_critical.is_given(),
            is_subtask.is_given(),
            sprint.is_given(),
            parent.is_given(),
            assignee.is_given(),
            mine.is_given(),
            labels.is_given(),
            custom_fields.is_given(),
            start__gte.is_given(),
            finish__lte.is_given(),
        ];
        project.as_given().copied().filter(|_| !narrowing.contains(&true))
    }
}

input! {
    /// What to look for.
    pub struct TaskSearchQuery {
        /// The project to look in.
        pub project: ProjectId,
        /// The text to look for in names and notes.
        pub q: Name<0, 100>,
    }
}
