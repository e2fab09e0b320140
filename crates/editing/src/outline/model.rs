//! What moving rows takes and answers, in the words of the wire.
//! Paths are outline numbers.

use planwright_domain::ids::TaskId;
use planwright_web::input;
use planwright_web::input::{Name, Patch};
use schemars::JsonSchema;
use serde::Serialize;

input! {
    /// The order of all rows below one.
    pub struct TaskReorderRequest {
        /// The outline number of their parent. Empty for the top.
        pub parent_path: Patch<Name<0, 1000>>,
        /// All rows below the parent, each once, in the new order.
        pub ordered_ids: Vec<TaskId>,
    }
}

input! {
    /// The new place of a row.
    pub struct TaskReparentRequest {
        /// The new parent. Null means the top.
        pub new_parent_id: Option<TaskId>,
    }
}

/// A row with its outline number.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WbsPathEntry {
    /// The row.
    pub id: TaskId,
    /// Its number now.
    pub wbs_path: String,
}

/// The rows whose outline numbers changed because their order changed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskReorderResponse {
    /// The rows.
    pub updated: Vec<WbsPathEntry>,
}

/// The rows whose outline numbers changed because one of them was moved.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskRestructureResponse {
    /// The rows.
    pub updated: Vec<WbsPathEntry>,
    /// `has_assignments` if the new parent is now a summary and somebody is still allocated to it. Otherwise
    /// `phase_in_sprint` if the new parent is still in a sprint.
    pub warning: Option<String>,
}
