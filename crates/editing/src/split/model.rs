//! What a caller may say of a split, and what is kept so that it can be taken back.

use chrono::NaiveDate;
use planwright_domain::ids::{DependencyId, LabelId, ResourceId, RiskId, TaskId};
use planwright_domain::words::{ConstraintType, EstimateStatus, TaskStatus};
use planwright_web::input;
use planwright_web::input::{Int, Name, Patch};
use serde::{Deserialize, Serialize};

input! {
    /// How a task is split. Every field may be left out.
    pub struct SplitRequest {
        /// The working days of the new row. The default is the part that is not done yet, or half of a task that has not
        /// begun. The first row keeps at least one day.
        pub remaining_duration: Patch<Int<1, 36525>>,
        /// The story points of the new row. The default is divided like the duration.
        pub remaining_story_points: Patch<Int<0, 32767>>,
        /// The name of the new row. The default is the name of the task with an addition.
        pub split_name: Patch<Name<1, 512>>,
    }
}

/// The fields of a task that a split changes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "`plan/tasks/model.rs` says what each field means")]
pub struct Before {
    pub duration: i64,
    pub story_points: Option<i64>,
    pub remaining_points: Option<i64>,
    pub deadline: Option<NaiveDate>,
    pub constraint_type: Option<ConstraintType>,
    pub constraint_date: Option<NaiveDate>,
    pub status: TaskStatus,
    pub percent_complete: f64,
    pub actual_start: Option<NaiveDate>,
    pub actual_finish: Option<NaiveDate>,
    pub optimistic_duration: Option<i64>,
    pub most_likely_duration: Option<i64>,
    pub pessimistic_duration: Option<i64>,
    pub estimate_status: Option<EstimateStatus>,
}

/// What a split has changed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SplitSnapshot {
    /// The task that was split.
    pub first: TaskId,
    /// Its version before the split.
    pub version_before: i64,
    /// Its version after the split.
    pub first_version: i64,
    /// The version of the new row after the split.
    pub second_version: i64,
    /// The fields of the task before.
    pub before: Before,
    /// The links that were tied to the new row.
    pub links: Vec<DependencyId>,
    /// What hung on the new row after the split.
    pub hung: Hung,
}

/// What a split puts on the new row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hung {
    /// All of its links.
    pub links: Vec<DependencyId>,
    /// Its labels.
    pub labels: Vec<LabelId>,
    /// Its resources with their shares.
    pub resources: Vec<(ResourceId, i64)>,
    /// The risks that threaten it.
    pub risks: Vec<RiskId>,
}
