//! Time entries on the wire and in storage.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{ProjectId, TaskId, TimeEntryId, UserId};
use planwright_domain::words::TimeEntrySource;
use planwright_store::{record, row, tracked};
use planwright_web::input::{Int, LongText, Patch};
use planwright_web::{Resource, body, input};
use schemars::JsonSchema;
use serde::Serialize;

use crate::owner::Owner;

record! {
    /// Minutes as they are stored.
    pub struct TimeEntryRow in time_entries {
        #[serde(skip)]
        pub id: TimeEntryId,
        #[serde(skip)]
        pub user_id: UserId,
        #[serde(rename = "task")]
        pub task_id: TaskId,
        pub minutes: i64,
        pub entry_date: NaiveDate,
        pub note: String,
        pub source: TimeEntrySource,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! { TimeEntryRow as "time_entry" }

impl Resource for TimeEntryRow {
    type Container = Owner;

    fn container(&self) -> Owner {
        Owner(self.user_id)
    }
}

/// Minutes that the caller spent on a task on a day.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TimeEntry {
    pub id: TimeEntryId,
    pub task: TaskId,
    /// The person who logged the minutes. Always the caller.
    pub user: UserId,
    pub minutes: i64,
    pub entry_date: NaiveDate,
    pub note: String,
    /// `timer` if a timer counted the minutes.
    pub source: TimeEntrySource,
    pub server_version: i64,
    pub created_at: DateTime<Utc>,
}

impl From<TimeEntryRow> for TimeEntry {
    fn from(row: TimeEntryRow) -> Self {
        let TimeEntryRow {
            id,
            user_id,
            task_id,
            minutes,
            entry_date,
            note,
            source,
            server_version,
            created_at,
        } = row;
        Self {
            id,
            task: task_id,
            user: user_id,
            minutes,
            entry_date,
            note,
            source,
            server_version,
            created_at,
        }
    }
}

body! {
    /// Minutes that are logged.
    pub struct TimeEntryRequest;
    /// Some fields of logged minutes.
    pub struct PatchedTimeEntryRequest;
    required {
        /// The number of minutes.
        minutes: Int<1, 1440>,
    }
    optional {
        /// The day of the work. The default is today.
        entry_date: NaiveDate,
        /// A note on the work.
        note: LongText<0, 500>,
    }
}

/// The caller's own minutes on a task, newest first.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskTimeEntries {
    pub results: Vec<TimeEntry>,
    /// The sum of them.
    pub total_logged_minutes: i64,
}

input! {
    /// The days of which the caller's minutes are shown: both or neither.
    pub struct TimeWindowQuery {
        /// The first day. The default is Monday of the current week.
        pub from: Patch<NaiveDate>,
        /// The last day. The default is Sunday of the current week.
        pub to: Patch<NaiveDate>,
    }
}

row! {
    /// The minutes of a window, with task and project. A name is empty if the caller may not see it any more.
    #[derive(Serialize, JsonSchema)]
    pub struct WeekEntry {
        pub id: TimeEntryId,
        pub task: TaskId,
        pub task_short_id: String,
        pub task_name: String,
        pub project: ProjectId,
        pub project_code: String,
        pub project_name: String,
        pub minutes: i64,
        pub entry_date: NaiveDate,
        pub note: String,
        pub source: TimeEntrySource,
        pub server_version: i64,
        pub created_at: DateTime<Utc>,
    }
}

/// The sums of the minutes of a window.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TimeTotals {
    /// The minutes of each day with minutes. The key is `YYYY-MM-DD`.
    pub by_day: BTreeMap<String, i64>,
    /// The minutes of each task on each day. The key is `<task>|YYYY-MM-DD`.
    pub by_cell: BTreeMap<String, i64>,
    /// The minutes of today in the time zone of the caller, if today is in the window.
    pub today_minutes: i64,
    /// The sum of all minutes in the window.
    pub week_minutes: i64,
}

/// Whether the caller has submitted a week.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WeekSubmission {
    /// Its Monday.
    pub week_start: NaiveDate,
    pub submitted: bool,
    pub submitted_at: Option<DateTime<Utc>>,
}

/// The minutes of the caller in a window, over all projects.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TimeWeek {
    /// The minutes, newest day first.
    pub results: Vec<WeekEntry>,
    pub totals: TimeTotals,
    /// The week in which the window begins.
    pub submission: WeekSubmission,
}
