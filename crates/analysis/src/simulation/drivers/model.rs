//! Analyses of what drives a finish, on the wire and in storage.

use std::collections::HashMap;

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

/// What was found, as it is stored. Names are not in it: they are read for each reader.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Found {
    pub finish: Option<NaiveDate>,
    pub cpm_finish: Option<NaiveDate>,
    pub runs: i64,
    pub drivers: Vec<FoundDriver>,
    pub left_out: i64,
}

/// What one risk or one estimate costs, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundDriver {
    pub kind: DriverKind,
    pub id: Uuid,
    pub days: i64,
}

/// What was found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FinishDrivers {
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
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FinishDriver {
    pub kind: DriverKind,
    /// The risk or the task. Null if it belongs to a project that the caller cannot open.
    pub id: Option<Uuid>,
    /// The title of the risk or the name of the task. Null if it belongs to a project that the caller cannot open.
    pub name: Option<String>,
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
    pub result: Option<FinishDrivers>,
    /// Why it failed; blank otherwise.
    pub error_detail: String,
    pub created_at: DateTime<Utc>,
    pub completed_at: Option<DateTime<Utc>>,
}

impl AnalysisRow {
    /// What was found. None until it is completed.
    pub fn found(&self) -> Option<Found> {
        let is_completed = self.status == DriverAnalysisStatus::Completed;
        is_completed.then(|| serde_json::from_value(self.result.clone()).unwrap_or_default())
    }
}

impl Found {
    /// The same with the names that a reader may know.
    fn named(self, names: &HashMap<Uuid, String>) -> FinishDrivers {
        let named = |FoundDriver { kind, id, days }: FoundDriver| {
            let name = names.get(&id).cloned();
            FinishDriver { kind, id: name.is_some().then_some(id), name, days }
        };
        FinishDrivers {
            finish: self.finish,
            cpm_finish: self.cpm_finish,
            runs: self.runs,
            drivers: self.drivers.into_iter().map(named).collect(),
            left_out: self.left_out,
        }
    }
}

impl DriverAnalysis {
    /// An analysis with the names of risks and tasks that its reader may know.
    pub fn of(row: AnalysisRow, names: &HashMap<Uuid, String>) -> Self {
        let result = row.found().map(|found| found.named(names));
        Self {
            id: row.id,
            project: row.project_id,
            status: row.status,
            percentile: row.percentile,
            seed: row.seed.parse().unwrap_or_default(),
            result,
            error_detail: row.error_detail,
            created_at: row.created_at,
            completed_at: row.completed_at,
        }
    }
}
