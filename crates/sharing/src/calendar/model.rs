//! What is read for a calendar, before it becomes one.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_domain::words::TaskStatus;
use planwright_store::row;

row! {
    /// A task or milestone as it is read for a calendar.
    pub struct DatedRow {
        pub id: TaskId,
        pub short_id: String,
        pub name: String,
        pub project_id: ProjectId,
        pub project_name: String,
        pub project_code: String,
        pub is_milestone: bool,
        pub status: TaskStatus,
        pub percent_complete: f64,
        pub actual_start: Option<NaiveDate>,
        pub actual_finish: Option<NaiveDate>,
        pub scheduled_start: Option<i32>,
        pub early_finish: Option<i32>,
        pub created_at: DateTime<Utc>,
        pub edited_at: Option<DateTime<Utc>>,
        pub computed_at: Option<DateTime<Utc>>,
        pub change_number: i64,
        pub schedule_change_number: i64,
    }
}
