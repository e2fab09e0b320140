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
        /// The number of the row above them; empty for the top.
        pub parent_path: Patch<Name<0, 1000>>,
        /// Each of them once, in the order they shall have.
        pub ordered_ids: Vec<TaskId>,
    }
}

input! {
    /// Where a row goes.
    pub struct TaskReparentRequest {
        /// The row above it; null for the top.
        pub new_parent_id: Option<TaskId>,
    }
}

/// A row with its number.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WbsPathEntry {
    /// The row.
    pub id: TaskId,
    /// Its number now.
    pub wbs_path: String,
}

/// The rows whose numbers changed by putting siblings into an order.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskReorderResponse {
    /// Those rows.
    pub updated: Vec<WbsPathEntry>,
}

/// The rows whose numbers changed by moving one of them.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskRestructureResponse {
    /// Those rows.
    pub updated: Vec<WbsPathEntry>,
    /// `has_assignments` when the row above now sums up others while somebody is still allocated to it, else
    /// `phase_in_sprint` when it still stands in a sprint.
    pub warning: Option<String>,
}
