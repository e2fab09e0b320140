//! A batch of task writes on the wire: operations and edges in, a bucket for each of them out.
//! What the data of an operation may hold is the business of the task itself.

use planwright_domain::ids::{DependencyId, OperationId, TaskId};
use planwright_domain::words::{BatchOp, BatchOutcome, DependencyType};
use planwright_plan::dependencies::model::Lag;
use planwright_plan::tasks::model::Task;
use planwright_plan::tasks::write::many::{Operation, TaskFields};
use planwright_web::input;
use planwright_web::input::{Lenient, List, Patch};
use planwright_web::schema::JsonObject;
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

/// The most operations, and the most edges, of one request.
pub const MOST: usize = 500;

input! {
    /// Writes of tasks, and links between them.
    pub struct TaskBulkRequest {
        /// The operations. They are checked in this order.
        pub operations: List<TaskBulkItemRequest, 1, MOST>,
        /// Links to make when the rows are written.
        pub dependencies: Patch<TaskBulkDependencyBucketRequest>,
    }
}

input! {
    /// One write of a batch.
    pub struct TaskBulkItemRequest {
        /// What is to happen.
        pub op: BatchOp,
        /// The task. A new task may have an id from the client.
        pub id: Patch<Lenient<Option<Uuid>>>,
        /// The fields of the task.
        pub data: Patch<Lenient<TaskFields>>,
    }
}

impl From<TaskBulkItemRequest> for Operation {
    fn from(request: TaskBulkItemRequest) -> Self {
        Self {
            op: request.op,
            id: request.id.given().map_or(Ok(None), |id| id.0),
            data: request
                .data
                .given()
                .map_or_else(|| Ok(JsonObject::new()), |data| data.0.map(|fields| fields.0)),
            knows_own_changes: false,
        }
    }
}

input! {
    /// Links of a batch.
    pub struct TaskBulkDependencyBucketRequest {
        /// Links to create.
        pub created: Patch<List<TaskBulkDependencyRequest, 0, MOST>>,
    }
}

input! {
    /// A link of a batch.
    pub struct TaskBulkDependencyRequest {
        /// The predecessor. The same request may create it.
        pub predecessor: Lenient<Uuid>,
        /// The successor. The same request may create it.
        pub successor: Lenient<Uuid>,
        /// Which ends it ties; from finish to start unless said otherwise.
        pub dep_type: Patch<Lenient<DependencyType>>,
        /// The lag in days. A negative lag is a lead.
        pub lag: Patch<Lenient<Lag>>,
        /// Not allowed. The server creates the ids of links.
        pub id: Patch<Lenient<Option<String>>>,
    }
}

/// The result of each part of a batch. Each operation is in exactly one list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskBulkResponse {
    /// Operations that were done.
    pub applied: Vec<TaskBulkAppliedEntry>,
    /// Operations that were refused.
    pub rejected: Vec<TaskBulkProblemEntry>,
    /// Operations for which there was nothing to do.
    pub skipped: Vec<TaskBulkProblemEntry>,
    /// The result for the links.
    pub dependencies: TaskBulkDependencyResult,
    /// The id for an undo of the new rows. Null if there are none.
    pub operation_id: Option<OperationId>,
}

/// An operation that was done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskBulkAppliedEntry {
    /// The index of the operation in the request, starting with 0.
    pub index: usize,
    /// The task.
    pub id: TaskId,
    /// What was asked for.
    pub op: BatchOp,
    /// What happened.
    pub outcome: BatchOutcome,
    /// The task after the operation. Absent if it was deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<Task>,
}

/// A row or a link that was refused.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskBulkProblemEntry {
    /// The index in the request, starting with 0.
    pub index: usize,
    /// The id that was sent, if it is a valid id.
    pub id: Option<Uuid>,
    /// A code for programs.
    pub code: &'static str,
    /// A message for people.
    pub message: String,
    /// The errors of each field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<JsonObject>,
    /// The tasks of the cycle that a link would close. The first one is repeated at the end. If several links close
    /// the same
    /// long cycle, only the first link names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offending: Option<Vec<TaskId>>,
}

/// The result for the links of a batch.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct TaskBulkDependencyResult {
    /// Links that were created.
    pub applied: Vec<TaskBulkDependencyApplied>,
    /// Links that were refused.
    pub rejected: Vec<TaskBulkProblemEntry>,
}

/// A link that was created.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskBulkDependencyApplied {
    /// The index of the link in the request, starting with 0.
    pub index: usize,
    /// The link.
    pub id: DependencyId,
    /// The predecessor.
    pub predecessor: TaskId,
    /// The successor.
    pub successor: TaskId,
    /// Whether the other project has not accepted the link yet.
    pub pending_acceptance: bool,
}
