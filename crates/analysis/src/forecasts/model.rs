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
    /// A forecast as it was written down.
    #[derive(Serialize, JsonSchema)]
    pub struct ProjectForecastSnapshot {
        pub id: Uuid,
        pub captured_at: DateTime<Utc>,
        pub triggered_by: ForecastTrigger,
        /// The finish without chance.
        pub cpm_finish: Option<NaiveDate>,
        /// The least float of an open task, in working days.
        pub total_float_days: Option<i64>,
        /// From the newest simulation there was.
        pub mc_p50_finish: Option<NaiveDate>,
        pub mc_p80_finish: Option<NaiveDate>,
        pub mc_p95_finish: Option<NaiveDate>,
        pub mc_iterations: Option<i64>,
        /// Tasks of the schedule, phases not counted.
        pub task_count: i64,
        pub completed_task_count: i64,
    }
}

row! {
    /// How much work a plan holds.
    pub struct Work {
        /// Tasks of the schedule, phases not counted.
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
        /// Those of this day or later.
        pub since: Patch<NaiveDate>,
        /// Those of this day or before.
        pub until: Patch<NaiveDate>,
    }
}
