//! The burndown and burnup of a project, on the wire.

use chrono::NaiveDate;
use planwright_domain::words::{BurnChart, BurnMetric};
use planwright_web::input;
use planwright_web::input::Patch;
use schemars::JsonSchema;
use serde::Serialize;

input! {
    /// Which chart to draw.
    pub struct BurnQuery {
        /// What is drawn; a burndown unless said otherwise.
        pub chart_type: Patch<BurnChart>,
        /// What is counted; tasks unless said otherwise.
        pub metric: Patch<BurnMetric>,
        /// The first day; 90 days ago unless said otherwise.
        pub since: Patch<NaiveDate>,
        /// The last day; today unless said otherwise.
        pub until: Patch<NaiveDate>,
    }
}

/// A day of a burndown or a burnup.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BurnDay {
    pub date: NaiveDate,
    /// What was left, or what was done in a burnup; null for days to come.
    pub actual: Option<i64>,
    /// What would be left or done on a straight line to the finish of the project.
    pub ideal: f64,
    /// All there was; null for days to come.
    pub scope: Option<i64>,
}

/// A day of both together.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CombinedBurnDay {
    pub date: NaiveDate,
    pub remaining: Option<i64>,
    pub completed: Option<i64>,
    pub total: Option<i64>,
    /// What would be left on a straight line to the finish of the project.
    pub ideal: f64,
}

/// The days of a chart.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum BurnSeries {
    /// Of a burndown or a burnup.
    One(Vec<BurnDay>),
    /// Of both together.
    Combined(Vec<CombinedBurnDay>),
}

/// What the active baseline planned for a day.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BaselineBurnDay {
    pub date: NaiveDate,
    /// What would be left, or done in a burnup.
    pub planned: i64,
}

/// How a project burns.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectBurn {
    pub chart_type: BurnChart,
    pub metric: BurnMetric,
    pub since: NaiveDate,
    pub until: NaiveDate,
    /// Empty when points are asked for by somebody who may not see the velocity of the team.
    pub series: BurnSeries,
    /// Absent without an active baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline_series: Option<Vec<BaselineBurnDay>>,
    /// Whether the series is hidden from the caller by the privacy settings of the project.
    pub velocity_suppressed: bool,
}
