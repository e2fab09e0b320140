//! Flow metrics on the wire.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use planwright_domain::words::TaskStatus;
use planwright_web::input;
use planwright_web::input::{Int, Patch};
use schemars::JsonSchema;
use serde::Serialize;

/// Over how many days flow is measured unless said otherwise.
pub const WINDOW_DAYS: i64 = 90;

input! {
    /// Over how many days flow is measured.
    pub struct FlowQuery {
        /// The length of the window, which ends today; 90 unless said otherwise.
        pub window: Patch<Int<1, 365>>,
    }
}

/// Days within which so many percent of the work was done; null without any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "_FlowPercentiles")]
pub struct FlowPercentiles {
    pub p50: Option<i64>,
    pub p80: Option<i64>,
    pub p95: Option<i64>,
}

/// How many tasks had which status at the end of a day.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "_FlowDay")]
pub struct DayCounts {
    pub date: NaiveDate,
    /// Every status, with its number of tasks.
    pub counts: BTreeMap<TaskStatus, i64>,
}

/// How many tasks were completed in a week.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "_FlowWeek")]
pub struct WeekThroughput {
    /// The Monday of the week.
    pub week_start: NaiveDate,
    pub completed_count: i64,
}

/// How trustworthy the figures are: completed tasks of which something is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "_FlowDataIntegrity")]
pub struct IntegrityCounts {
    /// Those that were completed together with others.
    pub bulk_moved_count: i64,
    /// Those whose finish lies before the day on which somebody said so.
    pub backdated_count: i64,
    /// Those that were never put in progress, or came complete.
    pub missing_transition_count: i64,
}

/// How work flows through a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FlowMetrics {
    pub window_days: i64,
    /// The first day of the window.
    pub since: NaiveDate,
    /// The last day of the window: today.
    pub until: NaiveDate,
    /// Days from the start of work to its end, both counted.
    pub cycle_time: FlowPercentiles,
    /// Days from the day a task was written down to its end, both counted.
    pub lead_time: FlowPercentiles,
    /// How many tasks had which status, day by day.
    pub cfd: Vec<DayCounts>,
    /// How many tasks were completed, week by week.
    pub throughput: Vec<WeekThroughput>,
    pub data_integrity: IntegrityCounts,
    /// Whether the figures are hidden from the caller by the privacy settings of the project.
    pub flow_metrics_suppressed: bool,
}
