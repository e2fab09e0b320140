//! A forecast as it was written down, on the wire and in storage.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::words::ForecastTrigger;
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::Patch;
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

row! {
    /// A stored forecast.
    #[derive(Serialize, JsonSchema)]
    pub struct ProjectForecastSnapshot {
        pub id: Uuid,
        pub captured_at: DateTime<Utc>,
        pub triggered_by: ForecastTrigger,
        /// The deterministic finish.
        pub cpm_finish: Option<NaiveDate>,
        /// The smallest float of an open task, in working days.
        pub total_float_days: Option<i64>,
        /// P50 of the newest simulation.
        pub mc_p50_finish: Option<NaiveDate>,
        pub mc_p80_finish: Option<NaiveDate>,
        pub mc_p95_finish: Option<NaiveDate>,
        pub mc_iterations: Option<i64>,
        /// The number of tasks in the schedule, without phases.
        pub task_count: i64,
        pub completed_task_count: i64,
    }
}

row! {
    /// How much work a plan holds.
    pub struct Work {
        /// The number of tasks in the schedule, without phases.
        pub tasks: i64,
        /// Those that are complete.
        pub completed: i64,
        /// The least float of those that are not.
        pub least_float: Option<i64>,
    }
}

input! {
    /// Which snapshots to show.
    pub struct SnapshotFilter {
        /// Only those on this day or later.
        pub since: Patch<NaiveDate>,
        /// Only those on this day or before.
        pub until: Patch<NaiveDate>,
    }
}
