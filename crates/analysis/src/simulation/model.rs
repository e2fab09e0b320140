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
        /// How many runs, at least 1. Unless it is given, as many as allowed, and fewer for a plan of more than 10 000 tasks.
        pub n_simulations: Patch<Lenient<i64>>,
        /// The key of the random numbers; the same one gives the same answer.
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
        /// The task whose duration differs.
        pub task_id: TaskId,
        /// Working days more, or fewer.
        pub duration_delta: Patch<Int<{ -LONGEST_DAYS }, LONGEST_DAYS>>,
        /// Working days in all.
        pub new_duration: Patch<Int<0, LONGEST_DAYS>>,
        /// How many runs, at least 1. Unless it is given, as many as allowed, and fewer for a plan of more than 10 000 tasks.
        pub n_simulations: Patch<Lenient<i64>>,
        /// The key of the random numbers.
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
    /// Per cent of the runs that had finished by the end of the day.
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

/// How likely a milestone is met.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MilestoneChance {
    pub task_id: TaskId,
    pub name: String,
    /// Its deadline; the date without chance when it has none.
    pub date: NaiveDate,
    /// Whether that is a deadline.
    pub is_deadline: bool,
    /// Per cent of the runs that reach it by the end of the day.
    pub confidence: f64,
}

/// The outcome of a simulation.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MonteCarloRun {
    pub project_id: ProjectId,
    pub runs: i64,
    /// Whether fewer runs were made than usual, since the plan is large and nobody said how many.
    #[serde(default)]
    pub runs_reduced: bool,
    /// The key of the random numbers that were used.
    pub seed: i64,
    pub p50: Option<NaiveDate>,
    pub p80: Option<NaiveDate>,
    pub p95: Option<NaiveDate>,
    /// Further percentiles, by name: `p10` to `p95` in steps of five.
    pub percentiles: BTreeMap<String, NaiveDate>,
    /// The mean distance of the finish from the deterministic one, in calendar days.
    pub mean_delta_days: Option<f64>,
    /// Standard deviation of the finish, in working days.
    pub sd_days: Option<f64>,
    /// Finish dates of equal probability, in order; at most 1000.
    pub distribution: Vec<NaiveDate>,
    /// The twenty tasks whose duration moves the finish most (|Spearman|).
    pub sensitivity: Vec<TaskIndex>,
    /// How often each task was on the path that decides the finish; the fifty highest.
    pub criticality: Vec<TaskIndex>,
    /// The finish without chance.
    pub cpm_finish: Option<NaiveDate>,
    /// Share of runs that make the finish without chance, in per cent.
    pub cpm_confidence: Option<f64>,
    /// Calendar days between the finish without chance and the percentiles.
    pub delta_vs_cpm: PercentileDays,
    pub confidence_curve: Vec<CurvePoint>,
    /// At most thirty bars.
    pub histogram_buckets: Vec<HistogramBucket>,
    /// How likely each milestone that is still to come is met, in order of their dates; at most 1000.
    #[serde(default)]
    pub milestones: Vec<MilestoneChance>,
    pub forecast_diagnostic: ForecastDiagnostic,
    pub last_run_at: DateTime<Utc>,
    pub status_date: Option<NaiveDate>,
    /// The recorded run; null when it was not recorded.
    pub run_id: Option<Uuid>,
    /// Calendar days from the finish without chance to P80.
    pub risk_premium_days: Option<i64>,
    /// The same as a share of what remains.
    pub risk_premium_ratio: Option<f64>,
    pub risk_premium_band: Option<String>,
    pub risk_premium_as_of: Option<DateTime<Utc>>,
    pub risk_premium_reason: Option<String>,
    /// `unmeasurable`, `stale`, `zero`, `premium` or `negative`.
    pub risk_premium_state: String,
    /// Whether it was read from the history.
    pub from_history: bool,
}

/// A recorded run.
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
    /// Calendar days against the run before it; null for the first.
    pub delta: Option<PercentileDays>,
    /// Who ran it, for those who may know.
    pub triggered_by_name: Option<String>,
    /// With `expand=distribution` what was recorded of it, else null.
    pub distribution: Option<RecordedDistribution>,
}

/// How the finish dates of a recorded run are spread.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RecordedDistribution {
    /// At most thirty bars.
    pub histogram_buckets: Vec<HistogramBucket>,
    pub confidence_curve: Vec<CurvePoint>,
    /// The twenty tasks whose duration moves the finish most.
    pub sensitivity: Vec<TaskIndex>,
}

/// The recorded runs, newest first.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MonteCarloHistory {
    pub results: Vec<HistoryEntry>,
    /// How many runs are kept.
    pub cap: i64,
    /// Whether runs are recorded at all.
    pub enabled: bool,
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
    /// The finish without chance.
    pub cpm_finish: Option<NaiveDate>,
    /// The critical leaves without chance, in order.
    pub critical_path: Vec<TaskId>,
}

/// Calendar days by which the change moves the finish.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WhatIfDelta {
    pub p50: Option<i64>,
    pub p80: Option<i64>,
    pub p95: Option<i64>,
    pub cpm_finish: Option<i64>,
}

/// What a change of one duration would do.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MonteCarloWhatIf {
    pub task_id: TaskId,
    pub applied: WhatIfApplied,
    pub current: WhatIfForecast,
    pub whatif: WhatIfForecast,
    pub critical_path_changed: bool,
    pub delta_vs_current: WhatIfDelta,
    pub runs: i64,
    /// The key of the random numbers; both forecasts use the same ones.
    pub seed: i64,
    pub cpm_status_date: Option<NaiveDate>,
    pub mc_status_date: Option<NaiveDate>,
}
