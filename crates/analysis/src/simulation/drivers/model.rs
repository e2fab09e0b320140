//! Analyses of what drives a finish, on the wire and in storage.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{ProjectId, UserId};
use planwright_domain::words::{DriverAnalysisStatus, DriverKind};
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::{Int, Patch};
use planwright_web::schema::JsonValue;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::simulation::model::LARGEST_SEED;

input! {
    /// Which drivers are looked for.
    pub struct DriverAnalysisRequest {
        /// The percentile of the finish, 1 to 99. The default is 80.
        pub percentile: Patch<Int<1, 99>>,
        /// The number of runs of each simulation. The default is 1 000. A large plan gets fewer.
        pub n_simulations: Patch<Int<100, 10_000>>,
        /// The seed of the random numbers. The same seed gives the same answer.
        pub seed: Patch<Int<0, LARGEST_SEED>>,
    }
}

row! {
    /// An analysis as it is stored.
    pub struct AnalysisRow {
        pub id: Uuid,
        pub project_id: ProjectId,
        pub status: DriverAnalysisStatus,
        pub percentile: i64,
        pub runs: i64,
        pub seed: String,
        pub result: JsonValue,
        pub error_detail: String,
        pub requested_by: UserId,
        pub created_at: DateTime<Utc>,
        pub completed_at: Option<DateTime<Utc>>,
    }
}

/// What was found.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "FinishDrivers")]
pub struct Found {
    /// The finish at the percentile with everything that varies. Null for a plan without a finish.
    pub finish: Option<NaiveDate>,
    /// The deterministic finish.
    pub cpm_finish: Option<NaiveDate>,
    /// The number of runs that were made of each simulation.
    pub runs: i64,
    /// What moves the finish, the most expensive first.
    pub drivers: Vec<FinishDriver>,
    /// How many risks and estimates were not looked at, because others matter more.
    pub left_out: i64,
}

/// What one risk or one estimate costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FinishDriver {
    pub kind: DriverKind,
    /// The risk or the task.
    pub id: Uuid,
    /// The title of the risk or the name of the task.
    pub name: String,
    /// The calendar days by which the finish is later with it than without it. Negative if it is earlier.
    pub days: i64,
}

/// An analysis of what drives the finish of a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DriverAnalysis {
    pub id: Uuid,
    pub project: ProjectId,
    pub status: DriverAnalysisStatus,
    pub percentile: i64,
    /// The seed of the random numbers.
    pub seed: i64,
    /// What was found. Null until it is completed.
    pub result: Option<Found>,
    /// Why it failed; blank otherwise.
    pub error_detail: String,
    pub created_at: DateTime<Utc>,
    pub completed_at: Option<DateTime<Utc>>,
}

impl From<AnalysisRow> for DriverAnalysis {
    fn from(row: AnalysisRow) -> Self {
        let is_completed = row.status == DriverAnalysisStatus::Completed;
        Self {
            id: row.id,
            project: row.project_id,
            status: row.status,
            percentile: row.percentile,
            seed: row.seed.parse().unwrap_or_default(),
            result: is_completed.then(|| serde_json::from_value(row.result).unwrap_or_default()),
            error_detail: row.error_detail,
            created_at: row.created_at,
            completed_at: row.completed_at,
        }
    }
}
