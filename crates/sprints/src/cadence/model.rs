//! What is asked for and answered when sprints are planned in a row.

use chrono::NaiveDate;
use planwright_domain::ids::SprintId;
use planwright_domain::words::{CadenceRowStatus, CapacityHintBasis};
use planwright_web::input;
use planwright_web::input::{Int, List, Name, Patch};
use schemars::JsonSchema;
use serde::Serialize;

use crate::sprints::model::Amount;

input! {
    /// A sprint whose dates are given.
    pub struct SprintCadenceEditRequest {
        /// What it is called.
        pub name: Name<1, 255>,
        /// Its first day.
        pub start_date: NaiveDate,
        /// Its last day, at most 120 days after the first.
        pub finish_date: NaiveDate,
    }
}

input! {
    /// How many sprints are wanted, and how long they are; or the sprints themselves.
    pub struct SprintGenerateRequest {
        /// How many there are to be.
        pub count: Patch<Int<1, 52>>,
        /// The first day; the day after the last sprint when it is left out.
        pub start_date: Patch<NaiveDate>,
        /// How many working days each of them has; 10 when it is left out.
        pub length_days: Patch<Int<2, 30>>,
        /// What they are called; `{n}` is their number.
        pub name_pattern: Patch<Name<1, 200>>,
        /// The number of the first one; 1 when it is left out.
        pub first_index: Patch<Int<1, 999>>,
        /// Only show what would be made.
        pub dry_run: Patch<bool>,
        /// The points that the first one can take.
        pub first_sprint_capacity_points: Patch<Option<Amount>>,
        /// The sprints themselves, in place of a cadence.
        pub sprints: Patch<List<SprintCadenceEditRequest, 0, 52>>,
    }
}

/// A sprint of a cadence.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SprintCadenceRow {
    pub name: String,
    pub start_date: NaiveDate,
    pub finish_date: NaiveDate,
    pub working_days: i64,
    pub non_working_days_skipped: i64,
    pub status: CadenceRowStatus,
    pub id: Option<SprintId>,
}

/// How many points a sprint might take.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SprintCapacityHint {
    /// Null without a completed sprint, and for those who do not see the velocity of the team.
    pub points: Option<i64>,
    pub basis: CapacityHintBasis,
    pub sprints_sampled: i64,
    pub note: String,
}

/// Sprints in a row.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SprintGenerateResponse {
    pub dry_run: bool,
    pub sprints: Vec<SprintCadenceRow>,
    pub created_count: i64,
    pub skipped_count: i64,
    pub capacity_hint: SprintCapacityHint,
}
