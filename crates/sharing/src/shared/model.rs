//! What the pictures of public links say: names and dates, and no id by which anything else could be reached.

use chrono::NaiveDate;
use planwright_domain::words::{DependencyType, SharedContent, TaskStatus};
use planwright_store::row;
use schemars::JsonSchema;
use serde::Serialize;

row! {
    /// The project of a picture.
    #[derive(Serialize, JsonSchema)]
    pub struct SharedProject {
        pub name: String,
        /// Its code.
        pub short_id: String,
    }
}

/// The board of a project, for everybody who has its link.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SharedBoard {
    pub content_kind: SharedContent,
    pub project: SharedProject,
    /// The visible columns of the board without that of the backlog.
    pub columns: Vec<SharedColumn>,
    pub show_assignees: bool,
    /// Whether there are more cards than are shown.
    pub truncated: bool,
}

/// A column of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SharedColumn {
    /// The status of its tasks.
    pub key: TaskStatus,
    pub label: String,
    pub cards: Vec<SharedCard>,
}

/// A task on a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SharedCard {
    pub short_id: String,
    pub name: String,
    pub status: TaskStatus,
    pub is_milestone: bool,
    pub percent_complete: i64,
    /// The day on which it ends by the schedule.
    pub due_date: Option<NaiveDate>,
    /// The name of who does it; null unless the link shows people.
    pub assignee: Option<String>,
}

/// The schedule of a project, for everybody who has its link.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SharedSchedule {
    pub content_kind: SharedContent,
    pub project: SharedProject,
    /// In the order of the outline.
    pub tasks: Vec<SharedTask>,
    /// Links between tasks that are shown.
    pub dependencies: Vec<SharedDependency>,
    pub show_assignees: bool,
    pub show_milestone_dates: bool,
    /// Whether there are more tasks than are shown.
    pub truncated: bool,
}

/// A row of a schedule.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SharedTask {
    pub short_id: String,
    pub name: String,
    pub wbs_path: Option<String>,
    /// In working days.
    pub duration: i64,
    pub planned_start: Option<NaiveDate>,
    pub early_start: Option<NaiveDate>,
    pub early_finish: Option<NaiveDate>,
    pub scheduled_start: Option<NaiveDate>,
    pub is_milestone: bool,
    pub is_critical: bool,
    pub percent_complete: i64,
    pub status: TaskStatus,
    /// The name of who does it; null unless the link shows people.
    pub assignee: Option<String>,
}

impl SharedTask {
    /// The first day of the whole row. The early start of begun work is only that of what is left.
    pub fn start(&self) -> Option<NaiveDate> {
        self.scheduled_start.or(self.early_start)
    }
}

row! {
    /// A link between two tasks of a schedule.
    #[derive(Serialize, JsonSchema)]
    pub struct SharedDependency {
        pub predecessor_short_id: String,
        pub successor_short_id: String,
        pub dep_type: DependencyType,
        /// In working days.
        pub lag: i64,
    }
}

row! {
    /// A task as it is read for a picture.
    pub struct SharedTaskRow {
        pub short_id: String,
        pub name: String,
        pub wbs_path: Option<String>,
        pub duration: i64,
        pub planned_start: Option<NaiveDate>,
        pub early_start: Option<i32>,
        pub early_finish: Option<i32>,
        pub scheduled_start: Option<i32>,
        pub actual_finish: Option<NaiveDate>,
        pub is_milestone: bool,
        pub is_critical: bool,
        pub percent_complete: f64,
        pub status: TaskStatus,
        pub username: Option<String>,
        pub first_name: Option<String>,
        pub last_name: Option<String>,
    }
}
