//! An explanation on the wire: of a computed value, or of a percentile of the latest simulation.
//! Dates are days as people see them, first and last day included.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::TaskId;
use planwright_domain::words::{DependencyType, ExplainedQuantity};
use planwright_web::input;
use schemars::JsonSchema;
use serde::Serialize;

input! {
    /// What to explain.
    pub struct DerivationQuery {
        /// The task.
        pub task_id: TaskId,
        /// The value of it.
        pub quantity: ExplainedQuantity,
    }
}

/// A date, or a number of working days.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum DerivedValue {
    /// A date.
    Date(NaiveDate),
    /// Working days.
    Days(i64),
}

/// One bound on a value.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DerivationContribution {
    /// The kind of bound, such as `project_start`, `predecessor_fs` or `successor_free_slack`.
    pub kind: String,
    /// The task at the other end of a link, or below a phase.
    pub source_task_id: Option<TaskId>,
    pub source_task_name: Option<String>,
    pub dep_type: Option<DependencyType>,
    pub lag_days: Option<i64>,
    /// The value that this bound alone would give.
    pub imposed_date: Option<NaiveDate>,
    /// The calendar days that are added because nobody works on them.
    pub calendar_days_added: Option<i64>,
    /// The working days between this bound and the value. 0 if the bound decides the value.
    pub slack_days: Option<i64>,
    /// Whether this bound decides the value. Several bounds may decide it together.
    pub is_binding: bool,
}

/// The explanation of a computed value.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ScheduleDerivation {
    pub task_id: TaskId,
    pub task_name: String,
    pub quantity: ExplainedQuantity,
    /// Null if the row is not part of the schedule.
    pub value: Option<DerivedValue>,
    /// `forward`, `backward` or `float`.
    pub pass: String,
    pub is_critical: Option<bool>,
    /// The first of the binding bounds.
    pub binding: Option<DerivationContribution>,
    /// Every bound. The most limiting one comes first.
    pub contributions: Vec<DerivationContribution>,
}

/// A task whose duration influences the finish.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ForecastDriver {
    pub task_id: TaskId,
    pub task_name: Option<String>,
    /// From 0 to 1.
    pub index: f64,
}

/// The explanation of a percentile of the finish.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PercentileDerivation {
    pub task_id: TaskId,
    pub task_name: String,
    pub quantity: ExplainedQuantity,
    pub value: Option<NaiveDate>,
    /// Always `monte_carlo`.
    pub pass: String,
    pub cpm_finish: Option<NaiveDate>,
    pub delta_vs_cpm_days: Option<i64>,
    /// The tasks that influence the finish most.
    pub drivers: Vec<ForecastDriver>,
    pub runs: i64,
    pub last_run_at: DateTime<Utc>,
}

/// The explanation of a date or of a percentile.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Derivation {
    /// The explanation of a computed date or float.
    Schedule(Box<ScheduleDerivation>),
    /// The explanation of a simulated percentile.
    Percentile(Box<PercentileDerivation>),
}
