//! My Work on the wire, and the rows it is read from.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::*;
use planwright_domain::words::{BlockerType, ConnectionStatus, DisplayBucket, SprintState, TaskStatus};
use planwright_store::row;
use planwright_web::envelope::Page;
use planwright_web::input;
use planwright_web::input::{Name, Patch};
use schemars::JsonSchema;
use serde::Serialize;

input! {
    /// Which tasks to show, and in which order.
    pub struct MyWorkQuery {
        /// A field to sort by: `name`, `project_name`, `status` or `story_points`. A leading `-` reverses the order.
        /// Unless said otherwise, tasks stand by group and by due date.
        pub ordering: Patch<Name<0, 100>>,
        /// A text in the name.
        pub search: Patch<Name<0, 200>>,
    }
}

row! {
    /// A task of a person, with what it shows of other tables.
    pub struct MyWorkRow {
        pub id: TaskId,
        pub short_id: String,
        pub name: String,
        pub project_id: ProjectId,
        pub project_name: String,
        pub project_code: String,
        pub program_id: Option<ProgramId>,
        pub program_name: Option<String>,
        pub program_color: Option<String>,
        pub sprint_id: Option<SprintId>,
        pub sprint_name: Option<String>,
        pub sprint_state: Option<SprintState>,
        pub sprint_finish: Option<NaiveDate>,
        pub sprint_pending: bool,
        pub status: TaskStatus,
        pub story_points: Option<i64>,
        pub remaining_points: Option<i64>,
        pub deadline: Option<NaiveDate>,
        pub actual_finish: Option<NaiveDate>,
        pub early_finish: Option<i32>,
        pub is_critical: bool,
        pub is_own: bool,
        pub blocked_reason: String,
        pub blocker_type: Option<BlockerType>,
        pub blocked_since: Option<DateTime<Utc>>,
        pub server_version: i64,
    }
}

row! {
    /// What all tasks of a person add up to, whichever of them are shown.
    #[derive(Default)]
    pub struct MyWorkSums {
        pub tasks: i64,
        pub due_today: i64,
        pub high_water: i64,
    }
}

row! {
    /// What stands out among all tasks of a person.
    #[derive(Default)]
    pub struct SignalSums {
        pub open_tasks: i64,
        pub critical: i64,
        pub overdue: i64,
        pub blocked: i64,
        pub last_finish: Option<i32>,
        pub sprint_points: i64,
        pub sprint_remaining: i64,
        pub running_today: i64,
    }
}

row! {
    /// A sprint that runs and holds tasks of a person.
    pub struct RunningRow {
        pub id: SprintId,
        pub name: String,
        pub project_id: ProjectId,
        pub project_name: String,
        pub finish_date: NaiveDate,
        pub task_count: i64,
    }
}

row! {
    /// Something that a person promised in a retrospective.
    #[derive(Serialize, JsonSchema)]
    pub struct MyRetroActionItem {
        pub id: RetroActionId,
        pub text: String,
        pub project_id: ProjectId,
        pub project_name: String,
        pub sprint_id: SprintId,
        pub sprint_name: String,
        pub story_points: Option<i64>,
    }
}

row! {
    /// Something that is open for a person in a tracker of theirs.
    #[derive(Serialize, JsonSchema)]
    pub struct WorkElsewhere {
        pub id: ExternalItemId,
        pub source_key: String,
        pub external_id: String,
        pub external_url: String,
        pub title: String,
        pub external_status: String,
        pub display_bucket: DisplayBucket,
        pub last_synced_at: Option<DateTime<Utc>>,
    }
}

row! {
    /// A tracker that a person has connected.
    #[derive(Serialize, JsonSchema)]
    pub struct ConnectedTracker {
        pub source: String,
        pub status: ConnectionStatus,
        pub last_synced_at: Option<DateTime<Utc>>,
    }
}

/// Where the due date of a task comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DueSource {
    /// It was finished on this day.
    Actual,
    /// Somebody set it: the deadline.
    Planned,
    /// The schedule computed it: the early finish.
    Estimated,
    /// The sprint ends then.
    Sprint,
}

/// When a person has to look at a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WorkGroup {
    /// It is due today, or was before.
    Today,
    /// It is in a sprint that runs.
    ThisSprint,
    /// Everything else.
    Upcoming,
}

/// A task that the caller has to do.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MeWorkTask {
    pub id: TaskId,
    pub short_id: String,
    /// The short id as people say it, such as `T-12`.
    pub short_id_display: String,
    /// The same with the code of the project, such as `APO-12`.
    pub qualified_id: String,
    pub name: String,
    pub project_id: ProjectId,
    pub project_name: String,
    pub program_id: Option<ProgramId>,
    pub program_name: Option<String>,
    pub program_color: Option<String>,
    pub sprint_id: Option<SprintId>,
    pub sprint_name: Option<String>,
    /// Whether it waits for a decision before it counts in the sprint.
    pub sprint_pending: bool,
    pub status: TaskStatus,
    pub story_points: Option<i64>,
    pub remaining_points: Option<i64>,
    /// The deadline, or else the early finish, or else the end of the sprint.
    pub due: Option<NaiveDate>,
    /// Which of these it is.
    pub due_source: Option<DueSource>,
    pub is_critical: bool,
    /// Whether somebody said that it is blocked.
    pub is_blocked: bool,
    /// Why it is blocked; empty unless the caller is its assignee.
    pub blocked_reason: String,
    /// What it waits for; empty if it is not blocked.
    pub blocker_type: String,
    pub blocked_age_seconds: Option<i64>,
    pub group: WorkGroup,
    pub server_version: i64,
    /// Where people open it, from the root of the site.
    pub url: String,
}

/// A sprint that runs and holds open tasks of the caller.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MyRunningSprint {
    pub id: SprintId,
    pub name: String,
    pub project_id: ProjectId,
    pub project_name: String,
    pub finish_date: NaiveDate,
    /// Days until its end; negative after it.
    pub days_remaining: i64,
    /// How many of its open tasks the caller has to do.
    pub task_count: i64,
}

/// How the open tasks of the caller stand with their dates.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MyScheduleHealth {
    pub open: i64,
    pub critical: i64,
    pub overdue: i64,
    pub blocked: i64,
}

/// When the last open task of the caller ends.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MyForecast {
    pub finish: Option<NaiveDate>,
}

/// The points of the caller's tasks in sprints that run.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MySprintBurndown {
    pub total_points: i64,
    pub remaining_points: i64,
}

/// How much goes on at once.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MyUtilization {
    /// How many open tasks run today by the schedule.
    pub tasks_today: i64,
}

/// What stands out among all open tasks of the caller, whichever are shown.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MyWorkSignals {
    pub schedule_health: MyScheduleHealth,
    pub forecast: MyForecast,
    pub sprint_burndown: MySprintBurndown,
    pub utilization: MyUtilization,
}

/// What the caller has to do.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "PaginatedMeWorkTaskList")]
pub struct MyWork {
    #[serde(flatten)]
    pub page: Page<MeWorkTask>,
    pub active_sprints: Vec<MyRunningSprint>,
    /// How many tasks are due today, or were before.
    pub due_today_count: i64,
    /// The highest version among all tasks of the list.
    pub server_version_high_water: i64,
    /// What the caller promised in retrospectives and nobody made a task of.
    pub retro_action_items: Vec<MyRetroActionItem>,
    /// Only on the first page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signals: Option<MyWorkSignals>,
    /// Only on the first page: what is open in the trackers of the caller, at most 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_items: Option<Vec<WorkElsewhere>>,
    /// Only on the first page: the connected trackers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_sources: Option<Vec<ConnectedTracker>>,
}
