//! The classification of a subtree on the wire.
//! What it does to a row is decided in `rules.rs`.

use planwright_domain::ids::{OperationId, TaskId};
use planwright_domain::words::{DeliveryMode, GovernanceClass};
use planwright_web::input;
use planwright_web::input::Patch;
use schemars::JsonSchema;
use serde::Serialize;

input! {
    /// The new governance class and delivery mode of a subtree. At least one of them is required.
    pub struct PatchedTaskClassificationRequest {
        /// The row at the top.
        pub subtree: TaskId,
        /// Whether the rows below it are changed too. The default is true.
        pub cascade: Patch<bool>,
        /// How strictly changes are governed.
        pub governance_class: Patch<Option<GovernanceClass>>,
        /// The delivery mode. A cascade creates no milestones.
        pub delivery_mode: Patch<Option<DeliveryMode>>,
        /// Whether rows keep a governance class of their own. The default is true.
        pub preserve_governance_overrides: Patch<bool>,
        /// Whether milestones keep their governance class. The default is true.
        pub skip_milestones: Patch<bool>,
    }
}

/// What a classification did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskClassificationResponse {
    /// The row at the top.
    pub subtree: TaskId,
    /// How many rows it was about.
    pub matched: usize,
    /// The result for the governance class. Absent if it was not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub governance: Option<TaskClassificationAxis>,
    /// The result for the delivery mode. Absent if it was not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery_mode: Option<TaskClassificationAxis>,
    /// Milestones that were not changed.
    pub skipped: Vec<TaskClassificationSkip>,
    /// The id for an undo. Null if nothing was written.
    pub operation_id: Option<OperationId>,
}

/// The result on one axis.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TaskClassificationAxis {
    /// What was asked for.
    pub requested: &'static str,
    /// How many rows were written.
    pub applied: usize,
    /// The number of rows that already had this value.
    pub unchanged: usize,
    /// The number of rows that kept their own value. Null if this axis has no inheritance.
    pub overrides_kept: Option<usize>,
    /// Whether rows record if their value is inherited.
    pub has_inherit_bit: bool,
}

/// A milestone that was not changed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TaskClassificationSkip {
    /// The milestone.
    pub id: TaskId,
    /// A code for programs.
    pub code: &'static str,
    /// The axes on which it was not changed.
    pub axes: Vec<&'static str>,
    /// A message for people.
    pub message: &'static str,
}
