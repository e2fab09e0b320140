//! What is asked of a simulation and what it answers (contract 1, Monte Carlo; facts-scheduling §3).
//! Dates are the first day by whose end that share of the runs had finished.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_web::input;
use planwright_web::input::{Int, Lenient, Name, Patch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The longest task, in working days.
pub const LONGEST_DAYS: i64 = 36_525;

/// The largest seed that survives every JSON reader.
pub const LARGEST_SEED: i64 = (1 << 53) - 1;

input! {
    /// How to simulate.
    pub struct MonteCarloRequest {
        /// The number of runs, at least 1. The default is the maximum. It is lower for a plan of more than 10 000
        /// tasks.
        pub n_simulations: Patch<Lenient<i64>>,
        /// The seed of the random numbers. The same seed gives the same answer.
        pub seed: Patch<Int<0, LARGEST_SEED>>,
    }
}

input! {
    /// How to show the history.
    pub struct HistoryQuery {
        /// `distribution` adds the distribution of each run.
        pub expand: Patch<Name<0, 40>>,
    }
}

input! {
    /// A change to try; exactly one of the two durations.
    pub struct WhatIfQuery {
        /// The task with the other duration.
        pub task_id: TaskId,
        /// The change of the duration, in working days.
        pub duration_delta: Patch<Int<{ -LONGEST_DAYS }, LONGEST_DAYS>>,
        /// Working days in all.
        pub new_duration: Patch<Int<0, LONGEST_DAYS>>,
        /// The number of runs, at least 1. The default is the maximum. It is lower for a plan of more than 10 000
        /// tasks.
        pub n_simulations: Patch<Lenient<i64>>,
        /// The seed of the random numbers.
        pub seed: Patch<Int<0, LARGEST_SEED>>,
    }
}

/// Three dates of one forecast.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PercentileDays {
    pub p50: Option<i64>,
    pub p80: Option<i64>,
    pub p95: Option<i64>,
}

/// How much a task matters.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TaskIndex {
    pub task_id: TaskId,
    /// From 0 to 1.
    pub index: f64,
}

/// A point of the S-curve.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CurvePoint {
    pub date: NaiveDate,
    /// The percentage of runs that had finished by the end of the day.
    pub pct: f64,
}

/// A bar of the histogram.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HistogramBucket {
    /// The last day of the bar.
    pub date: NaiveDate,
    pub count: i64,
}

/// Why a forecast has the width it has.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ForecastDiagnostic {
    /// Whether every run ended on the same day.
    pub deterministic: bool,
    pub reason: Option<String>,
    pub tasks_total: i64,
    pub tasks_with_variance: i64,
    pub tasks_pending_approval: i64,
    pub agile_tasks_without_velocity: i64,
}

/// How likely it is that a milestone is met.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MilestoneChance {
    pub task_id: TaskId,
    pub name: String,
    /// The deadline. If there is none, the deterministic date.
    pub date: NaiveDate,
    /// Whether this date is a deadline.
    pub is_deadline: bool,
    /// The percentage of runs that reach the milestone by the end of the day.
    pub confidence: f64,
}

/// The outcome of a simulation.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MonteCarloRun {
    pub project_id: ProjectId,
    pub runs: i64,
    /// Whether there were fewer runs than usual, because the plan is large and the request did not give a number.
    #[serde(default)]
    pub runs_reduced: bool,
    /// The number of risks of the register that could happen in the runs.
    #[serde(default)]
    pub risks_counted: i64,
    /// The seed of the random numbers that was used.
    pub seed: i64,
    pub p50: Option<NaiveDate>,
    pub p80: Option<NaiveDate>,
    pub p95: Option<NaiveDate>,
    /// More percentiles by name: `p10` to `p95` in steps of five.
    pub percentiles: BTreeMap<String, NaiveDate>,
    /// The mean difference between the simulated finish and the deterministic finish, in calendar days.
    pub mean_delta_days: Option<f64>,
    /// Standard deviation of the finish, in working days.
    pub sd_days: Option<f64>,
    /// Finish dates of equal probability, in ascending order, at most 1000.
    pub distribution: Vec<NaiveDate>,
    /// The twenty tasks whose duration influences the finish most (|Spearman|).
    pub sensitivity: Vec<TaskIndex>,
    /// How often each task was on the path that decides the finish; the fifty highest.
    pub criticality: Vec<TaskIndex>,
    /// The deterministic finish.
    pub cpm_finish: Option<NaiveDate>,
    /// The percentage of runs that finish by the deterministic finish.
    pub cpm_confidence: Option<f64>,
    /// The calendar days from the deterministic finish to each percentile.
    pub delta_vs_cpm: PercentileDays,
    pub confidence_curve: Vec<CurvePoint>,
    /// The bars of the histogram, at most thirty.
    pub histogram_buckets: Vec<HistogramBucket>,
    /// How likely it is that each open milestone is met, in the order of their dates, at most 1000.
    #[serde(default)]
    pub milestones: Vec<MilestoneChance>,
    pub forecast_diagnostic: ForecastDiagnostic,
    pub last_run_at: DateTime<Utc>,
    pub status_date: Option<NaiveDate>,
    /// The id of the recorded run. Null if it was not recorded.
    pub run_id: Option<Uuid>,
    /// The calendar days from the deterministic finish to P80.
    pub risk_premium_days: Option<i64>,
    /// The same as a share of the remaining time.
    pub risk_premium_ratio: Option<f64>,
    pub risk_premium_band: Option<String>,
    pub risk_premium_as_of: Option<DateTime<Utc>>,
    pub risk_premium_reason: Option<String>,
    /// `unmeasurable`, `stale`, `zero`, `premium` or `negative`.
    pub risk_premium_state: String,
    /// Whether it was read from the history.
    pub from_history: bool,
}

/// A recorded simulation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HistoryEntry {
    pub id: Uuid,
    pub taken_at: DateTime<Utc>,
    pub p50: Option<NaiveDate>,
    pub p80: Option<NaiveDate>,
    pub p95: Option<NaiveDate>,
    pub cpm_finish: Option<NaiveDate>,
    pub n_simulations: i64,
    pub task_count: i64,
    pub status_date: Option<NaiveDate>,
    /// The difference to the simulation before it, in calendar days. Null for the first one.
    pub delta: Option<PercentileDays>,
    /// The person who ran it, if the caller may know.
    pub triggered_by_name: Option<String>,
    /// The recorded distribution with `expand=distribution`. Otherwise null.
    pub distribution: Option<RecordedDistribution>,
}

/// How the finish dates of a recorded run are spread.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RecordedDistribution {
    /// The bars of the histogram, at most thirty.
    pub histogram_buckets: Vec<HistogramBucket>,
    pub confidence_curve: Vec<CurvePoint>,
    /// The twenty tasks whose duration influences the finish most.
    pub sensitivity: Vec<TaskIndex>,
}

/// The recorded runs, newest first.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MonteCarloHistory {
    pub results: Vec<HistoryEntry>,
    /// How many runs are kept.
    pub cap: i64,
    /// Whether simulations are recorded.
    pub enabled: bool,
    /// Whether `latest/` has a run, recorded or not.
    pub has_latest: bool,
    /// Whether `drivers/latest/` has an analysis.
    pub has_drivers: bool,
}

/// The change that was tried.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WhatIfApplied {
    pub base_duration_days: i64,
    pub duration_delta_days: i64,
    pub new_duration_days: i64,
}

/// A forecast, with or without the change.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WhatIfForecast {
    pub p50: Option<NaiveDate>,
    pub p80: Option<NaiveDate>,
    pub p95: Option<NaiveDate>,
    /// The deterministic finish.
    pub cpm_finish: Option<NaiveDate>,
    /// The critical tasks of the deterministic schedule, in order.
    pub critical_path: Vec<TaskId>,
}

/// How many calendar days the change moves the finish.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WhatIfDelta {
    pub p50: Option<i64>,
    pub p80: Option<i64>,
    pub p95: Option<i64>,
    pub cpm_finish: Option<i64>,
}

/// The effect of another duration of one task.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MonteCarloWhatIf {
    pub task_id: TaskId,
    pub applied: WhatIfApplied,
    pub current: WhatIfForecast,
    pub whatif: WhatIfForecast,
    pub critical_path_changed: bool,
    pub delta_vs_current: WhatIfDelta,
    pub runs: i64,
    /// The seed of the random numbers. Both forecasts use the same one.
    pub seed: i64,
    pub cpm_status_date: Option<NaiveDate>,
    pub mc_status_date: Option<NaiveDate>,
}
