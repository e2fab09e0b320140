//! When the open work of a project is done, on the wire.

use chrono::NaiveDate;
use planwright_domain::words::{ForecastSource, SprintForecastStatus};
use schemars::JsonSchema;
use serde::Serialize;

/// When the open work of a project is done, by simulation over what was done in the past.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SprintForecast {
    pub status: SprintForecastStatus,
    /// Story points of the tasks that are open.
    pub remaining_points: Option<i64>,
    /// How many tasks are open.
    pub remaining_count: Option<i64>,
    /// How many past sprints, or weeks, the simulation draws from.
    pub sample_count: Option<i64>,
    /// What was done in each of them, the newest first: points of sprints, tasks of weeks.
    pub sample: Option<Vec<i64>>,
    /// Half of the runs take no more sprints; null when weeks are drawn.
    pub p50_sprints: Option<i64>,
    pub p80_sprints: Option<i64>,
    /// Half of the runs are done by this day.
    pub p50_date: Option<NaiveDate>,
    pub p80_date: Option<NaiveDate>,
    pub p95_date: Option<NaiveDate>,
    /// How the percentiles are made: `monte_carlo`.
    pub basis: &'static str,
    /// What is drawn: the points of sprints or the tasks of weeks.
    pub forecast_basis: ForecastSource,
    /// How many runs there are.
    pub runs: u32,
    /// The key of the random numbers: the same past gives the same answer.
    pub seed: u64,
    /// Whether the figures are hidden from the caller by the privacy settings of the project.
    pub velocity_suppressed: bool,
}
