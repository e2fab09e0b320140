//! The classification of a subtree on the wire.
//! What it does to a row is decided in `rules.rs`.

use planwright_domain::ids::{OperationId, TaskId};
use planwright_domain::words::{DeliveryMode, GovernanceClass};
use planwright_web::input;
use planwright_web::input::Patch;
use schemars::JsonSchema;
use serde::Serialize;

input! {
    /// How a subtree is to be governed and delivered; one of the two at least.
    pub struct PatchedTaskClassificationRequest {
        /// The row at the top.
        pub subtree: TaskId,
        /// Whether the rows below it are written as well; they are unless said otherwise.
        pub cascade: Patch<bool>,
        /// How strictly changes are governed.
        pub governance_class: Patch<Option<GovernanceClass>>,
        /// How the work is delivered; a cascade makes no milestones.
        pub delivery_mode: Patch<Option<DeliveryMode>>,
        /// Whether rows that are governed in a way of their own stay so; they do unless said otherwise.
        pub preserve_governance_overrides: Patch<bool>,
        /// Whether the governance of milestones stays; it does unless said otherwise.
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
    /// What happened to governance; absent when nothing was asked of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub governance: Option<TaskClassificationAxis>,
    /// What happened to delivery; absent when nothing was asked of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery_mode: Option<TaskClassificationAxis>,
    /// Milestones that kept what they had.
    pub skipped: Vec<TaskClassificationSkip>,
    /// By this it can be taken back; null when nothing was written.
    pub operation_id: Option<OperationId>,
}

/// What happened on one axis.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TaskClassificationAxis {
    /// What was asked for.
    pub requested: &'static str,
    /// How many rows were written.
    pub applied: usize,
    /// How many rows were that already.
    pub unchanged: usize,
    /// How many rows kept a way of their own; null where there is no such thing.
    pub overrides_kept: Option<usize>,
    /// Whether a row knows if it inherits what it has.
    pub has_inherit_bit: bool,
}

/// A milestone that kept what it had.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TaskClassificationSkip {
    /// The milestone.
    pub id: TaskId,
    /// Why, for programs.
    pub code: &'static str,
    /// On which axes.
    pub axes: Vec<&'static str>,
    /// Why, for people.
    pub message: &'static str,
}
