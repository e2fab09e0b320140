//! The rows of a project as offline clients keep them, one type for each collection (facts-platform §9). A row has what a
//! client needs to show the plan without the server; what it writes goes through the commands of tasks.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::Role;
use planwright_domain::ids::*;
use planwright_domain::words::*;
use planwright_plan::schedule::network::date;
use serde::Serializer;
use serde_json::Value as Json;

use crate::pull::changed;

fn as_date<S: Serializer>(day: &Option<i32>, to: S) -> Result<S::Ok, S::Error> {
    match day.and_then(date) {
        Some(date) => to.collect_str(&date),
        None => to.serialize_none(),
    }
}

changed! {
    /// The project itself.
    pub(crate) struct ProjectChange {
        name: String,
        description: String,
        start_date: NaiveDate,
        #[serde(rename = "calendar")]
        calendar_id: Option<CalendarId>,
        #[serde(rename = "program")]
        program_id: Option<ProgramId>,
    }
}

changed! {
    /// A task with its dates.
    pub(crate) struct TaskChange {
        short_id: String,
        #[serde(rename = "project")]
        project_id: ProjectId,
        name: String,
        wbs_path: Option<String>,
        parent_id: Option<TaskId>,
        status: TaskStatus,
        duration: i64,
        percent_complete: Option<f64>,
        notes: String,
        planned_start: Option<NaiveDate>,
        #[serde(serialize_with = "as_date")]
        early_start: Option<i32>,
        #[serde(serialize_with = "as_date")]
        early_finish: Option<i32>,
        #[serde(serialize_with = "as_date")]
        scheduled_start: Option<i32>,
        #[serde(serialize_with = "as_date")]
        late_start: Option<i32>,
        #[serde(serialize_with = "as_date")]
        late_finish: Option<i32>,
        total_float: Option<i32>,
        free_float: Option<i32>,
        is_critical: Option<bool>,
        is_milestone: bool,
        actual_start: Option<NaiveDate>,
        actual_finish: Option<NaiveDate>,
        optimistic_duration: Option<i64>,
        most_likely_duration: Option<i64>,
        pessimistic_duration: Option<i64>,
        is_subtask: bool,
        #[serde(rename = "sprint")]
        sprint_id: Option<SprintId>,
        #[serde(rename = "assignee")]
        assignee_id: Option<UserId>,
        #[serde(rename = "calendar")]
        calendar_id: Option<CalendarId>,
        is_phase: bool,
    }
}

changed! {
    /// A link between two tasks of the project.
    pub(crate) struct LinkChange {
        #[serde(rename = "predecessor")]
        predecessor_id: TaskId,
        #[serde(rename = "successor")]
        successor_id: TaskId,
        dep_type: DependencyType,
        lag: i64,
    }
}

changed! {
    /// A calendar of the library.
    pub(crate) struct CalendarChange {
        name: String,
        working_days: i64,
        hours_per_day: f64,
        timezone: String,
    }
}

changed! {
    /// A member of the project.
    pub(crate) struct MemberChange {
        #[serde(rename = "project")]
        project_id: ProjectId,
        #[serde(rename = "user")]
        user_id: UserId,
        role: Role,
    }
}

changed! {
    /// A risk.
    pub(crate) struct RiskChange {
        short_id: String,
        #[serde(rename = "project")]
        project_id: ProjectId,
        title: String,
        description: String,
        status: RiskStatus,
        probability: i64,
        impact: i64,
        category: Option<RiskCategory>,
        response: Option<RiskResponse>,
        mitigation_due_date: Option<NaiveDate>,
        #[serde(rename = "trigger")]
        trigger_text: String,
        contingency: String,
        notes: String,
        #[serde(rename = "owner")]
        owner_id: Option<UserId>,
    }
}

changed! {
    /// A sprint.
    pub(crate) struct SprintChange {
        short_id: String,
        #[serde(rename = "project")]
        project_id: ProjectId,
        name: String,
        goal: String,
        start_date: NaiveDate,
        finish_date: NaiveDate,
        state: SprintState,
    }
}

changed! {
    /// A retrospective. Its notes are null for people who may not read them.
    pub(crate) struct RetroChange {
        #[serde(rename = "sprint")]
        sprint_id: SprintId,
        notes: Option<String>,
        team_visibility: RetroVisibility,
    }
}

changed! {
    /// An action item of a retrospective that the caller may read.
    pub(crate) struct RetroActionChange {
        #[serde(rename = "retro")]
        retro_id: RetroId,
        #[serde(rename = "sprint")]
        sprint_id: SprintId,
        text: String,
        #[serde(rename = "assignee")]
        assignee_id: Option<UserId>,
        story_points: Option<i64>,
        position: i64,
        #[serde(rename = "promoted_task")]
        promoted_task_id: Option<TaskId>,
    }
}

changed! {
    /// A suggestion of who takes a task.
    pub(crate) struct SuggestionChange {
        #[serde(rename = "task")]
        task_id: TaskId,
        #[serde(rename = "suggested_user")]
        suggested_user_id: UserId,
        #[serde(rename = "suggested_by")]
        suggested_by_id: UserId,
        state: SuggestionState,
    }
}

changed! {
    /// A link of a task to a page elsewhere.
    pub(crate) struct TaskLinkChange {
        #[serde(rename = "task")]
        task_id: TaskId,
        url: String,
        provider: LinkProvider,
        title: String,
        custom_title: String,
        labels: Json,
        status: LinkStatus,
        display_order: i64,
    }
}

changed! {
    /// A rule that repeats a task.
    pub(crate) struct RecurrenceChange {
        #[serde(rename = "task")]
        task_id: TaskId,
        frequency: RecurrenceFrequency,
        #[serde(rename = "interval")]
        every: i64,
        weekdays: i64,
        day_of_month: Option<i64>,
        time_of_day: String,
        timezone: String,
        end_type: RecurrenceEnd,
        end_date: Option<NaiveDate>,
        end_count: Option<i64>,
    }
}

changed! {
    /// Minutes that the caller logged.
    pub(crate) struct TimeEntryChange {
        #[serde(rename = "task")]
        task_id: TaskId,
        #[serde(rename = "user")]
        user_id: UserId,
        minutes: i64,
        entry_date: NaiveDate,
        note: String,
        source: TimeEntrySource,
        created_at: DateTime<Utc>,
    }
}

changed! {
    /// A label.
    pub(crate) struct LabelChange {
        #[serde(rename = "project")]
        project_id: ProjectId,
        name: String,
        color: LabelColor,
        position: i64,
    }
}

changed! {
    /// A relation between two tasks of the project that moves no dates.
    pub(crate) struct RelationChange {
        #[serde(rename = "source")]
        source_id: TaskId,
        #[serde(rename = "target")]
        target_id: TaskId,
        relation_type: RelationKind,
        note: String,
    }
}

changed! {
    /// A program.
    pub(crate) struct ProgramChange {
        name: String,
        description: String,
        code: String,
        methodology: Methodology,
        health: Health,
        color: Option<String>,
        target_date: Option<NaiveDate>,
        #[serde(rename = "lead")]
        lead_id: Option<UserId>,
    }
}

changed! {
    /// A member of a program.
    pub(crate) struct ProgramMemberChange {
        #[serde(rename = "program")]
        program_id: ProgramId,
        #[serde(rename = "user")]
        user_id: UserId,
        role: Role,
    }
}

/// What a field of a row says that other rows hold.
pub(crate) fn set(row: &mut Option<Json>, field: &str, value: Json) {
    if let Some(Json::Object(row)) = row {
        row.insert(field.to_owned(), value);
    }
}

impl ProgramMemberChange {
    /// The program whose counter numbers the row.
    pub(crate) fn program(&self) -> ProgramId {
        self.program_id
    }
}
