//! A task as it is stored: every column that people's writes touch, and nothing that the engine computes.
//! How it looks on the wire is in `model.rs` of the room above.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::*;
use planwright_domain::words::*;
use planwright_store::record::Numbered;
use planwright_store::{record, tracked};
use planwright_web::Resource;
use uuid::Uuid;

record! {
    /// What people write of a task; its serialised form is what the history compares, under the names of the wire.
    pub struct TaskRecord in tasks {
        #[serde(skip)]
        pub id: TaskId,
        #[serde(skip)]
        pub project_id: ProjectId,
        #[serde(rename = "parent_id")]
        pub parent_id: Option<TaskId>,
        pub position: i64,
        #[serde(skip)]
        pub has_place: bool,
        #[serde(skip)]
        pub short_id: String,
        pub name: String,
        pub notes: String,
        pub r#type: TaskType,
        pub status: TaskStatus,
        #[serde(skip)]
        pub status_changed_at: Option<DateTime<Utc>>,
        pub duration: i64,
        pub duration_unit: DurationUnit,
        pub structure_role: StructureRole,
        pub percent_complete: f64,
        pub planned_start: Option<NaiveDate>,
        pub deadline: Option<NaiveDate>,
        pub constraint_type: Option<ConstraintType>,
        pub constraint_date: Option<NaiveDate>,
        #[serde(rename = "calendar")]
        pub calendar_id: Option<CalendarId>,
        pub actual_start: Option<NaiveDate>,
        pub actual_finish: Option<NaiveDate>,
        pub is_milestone: bool,
        pub optimistic_duration: Option<i64>,
        pub most_likely_duration: Option<i64>,
        pub pessimistic_duration: Option<i64>,
        pub estimate_status: Option<EstimateStatus>,
        pub story_points: Option<i64>,
        pub remaining_points: Option<i64>,
        #[serde(rename = "assignee")]
        pub assignee_id: Option<UserId>,
        #[serde(rename = "sprint")]
        pub sprint_id: Option<SprintId>,
        pub sprint_rank: Option<i64>,
        /// Whether it came into a running sprint and nobody has decided on it yet.
        pub sprint_pending: bool,
        pub priority_rank: Option<i64>,
        #[serde(rename = "parent_epic")]
        pub parent_epic_id: Option<TaskId>,
        pub dor: Readiness,
        pub governance_class: GovernanceClass,
        pub parent_governance_inherited: bool,
        pub delivery_mode: DeliveryMode,
        #[serde(skip)]
        pub is_subtask: bool,
        #[serde(skip)]
        pub is_recurring: bool,
        pub color: Option<String>,
        pub blocked_reason: String,
        pub blocker_type: Option<BlockerType>,
        #[serde(rename = "blocking_task")]
        pub blocking_task_id: Option<TaskId>,
        #[serde(skip)]
        pub blocked_since: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub blocked_by_id: Option<UserId>,
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
        #[serde(skip)]
        pub source_kind: SourceKind,
        #[serde(skip)]
        pub source_id: Option<Uuid>,
        #[serde(skip)]
        pub source_version: String,
        #[serde(skip)]
        pub seeded_at: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub edited_at: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    TaskRecord as "task" {
        const NUMBERED: Numbered = Numbered::InPlan;
    }
}

impl Resource for TaskRecord {
    type Container = ProjectId;

    fn container(&self) -> ProjectId {
        self.project_id
    }
}

impl TaskRecord {
    /// A row that somebody writes by hand, before they said anything about it.
    pub fn fresh(id: TaskId, project: ProjectId, now: DateTime<Utc>) -> Self {
        Self {
            id,
            project_id: project,
            parent_id: None,
            position: 1,
            has_place: true,
            short_id: String::new(),
            name: String::new(),
            notes: String::new(),
            r#type: TaskType::Task,
            status: TaskStatus::NotStarted,
            status_changed_at: Some(now),
            duration: 1,
            duration_unit: DurationUnit::Days,
            structure_role: StructureRole::Work,
            percent_complete: 0.0,
            planned_start: None,
            deadline: None,
            constraint_type: None,
            constraint_date: None,
            calendar_id: None,
            actual_start: None,
            actual_finish: None,
            is_milestone: false,
            optimistic_duration: None,
            most_likely_duration: None,
            pessimistic_duration: None,
            estimate_status: None,
            story_points: None,
            remaining_points: None,
            assignee_id: None,
            sprint_id: None,
            sprint_rank: None,
            sprint_pending: false,
            priority_rank: None,
            parent_epic_id: None,
            dor: Readiness::Idea,
            governance_class: GovernanceClass::Flow,
            parent_governance_inherited: false,
            delivery_mode: DeliveryMode::Waterfall,
            is_subtask: false,
            is_recurring: false,
            color: None,
            blocked_reason: String::new(),
            blocker_type: None,
            blocking_task_id: None,
            blocked_since: None,
            blocked_by_id: None,
            business_value: None,
            time_criticality: None,
            risk_reduction: None,
            job_size: None,
            reach: None,
            impact: None,
            confidence: None,
            effort: None,
            value: None,
            effort_estimate: None,
            source_kind: SourceKind::Hand,
            source_id: None,
            source_version: String::new(),
            seeded_at: None,
            edited_at: Some(now),
            created_at: now,
            server_version: 1,
        }
    }

    /// Whether two rows differ in something that dates depend on.
    pub fn schedules_otherwise(&self, other: &Self) -> bool {
        let dated = |row: &Self| {
            (
                (row.duration, row.planned_start, row.actual_start, row.actual_finish, row.is_milestone),
                (row.percent_complete.to_bits(), row.parent_id, row.has_place, row.position),
                // Whether a task is promised decides on slip conflicts.
                (row.sprint_id, row.sprint_pending),
                (row.r#type, row.status == TaskStatus::Backlog, row.is_recurring),
                (row.deadline, row.constraint_type, row.constraint_date, row.calendar_id),
            )
        };
        dated(self) != dated(other)
    }

    /// Whether two rows differ in something that the phases above them show.
    pub fn rolls_up_otherwise(&self, other: &Self) -> bool {
        let shown = |row: &Self| {
            (
                (row.status, row.delivery_mode, row.story_points, row.remaining_points, row.assignee_id),
                (row.optimistic_duration, row.most_likely_duration, row.pessimistic_duration),
            )
        };
        shown(self) != shown(other)
    }
}
