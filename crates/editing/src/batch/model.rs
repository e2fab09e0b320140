//! A batch of task writes on the wire: operations and edges in, a bucket for each of them out.
//! What the data of an operation may hold is the business of the task itself.

use planwright_domain::ids::{DependencyId, OperationId, TaskId};
use planwright_domain::words::{BatchOp, BatchOutcome, DependencyType};
use planwright_plan::dependencies::model::Lag;
use planwright_plan::tasks::model::Task;
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
        /// The writes, in the order in which they are judged.
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
        /// The task; a new one may bring its own id.
        pub id: Patch<Lenient<Option<Uuid>>>,
        /// The fields of the task.
        pub data: Patch<Lenient<JsonObject>>,
    }
}

input! {
    /// Links of a batch.
    pub struct TaskBulkDependencyBucketRequest {
        /// Links to make.
        pub created: Patch<List<TaskBulkDependencyRequest, 0, MOST>>,
    }
}

input! {
    /// A link of a batch.
    pub struct TaskBulkDependencyRequest {
        /// The task that drives; it may be made by the same request.
        pub predecessor: Lenient<Uuid>,
        /// The task that is driven; it may be made by the same request.
        pub successor: Lenient<Uuid>,
        /// Which ends it ties; from finish to start unless said otherwise.
        pub dep_type: Patch<Lenient<DependencyType>>,
        /// Days between the ends; below zero they overlap.
        pub lag: Patch<Lenient<Lag>>,
        /// Ids of links are given by the server.
        pub id: Patch<Lenient<Option<String>>>,
    }
}

/// What became of every part of a batch; each operation stands in exactly one bucket.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskBulkResponse {
    /// Rows that are as they were asked to be.
    pub applied: Vec<TaskBulkAppliedEntry>,
    /// Rows that were refused.
    pub rejected: Vec<TaskBulkProblemEntry>,
    /// Rows for which there was nothing to do, as the contract says.
    pub skipped: Vec<TaskBulkProblemEntry>,
    /// What became of the links.
    pub dependencies: TaskBulkDependencyResult,
    /// By this the new rows can be taken back; null when there are none.
    pub operation_id: Option<OperationId>,
}

/// A row that is as it was asked to be.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskBulkAppliedEntry {
    /// The place of the operation in the request, from 0.
    pub index: usize,
    /// The task.
    pub id: TaskId,
    /// What was asked for.
    pub op: BatchOp,
    /// What happened.
    pub outcome: BatchOutcome,
    /// The task as it is now; absent when it is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<Task>,
}

/// A row or link that was not written.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskBulkProblemEntry {
    /// The place in the request, from 0.
    pub index: usize,
    /// The id that was sent, when it is one.
    pub id: Option<Uuid>,
    /// Why, for programs.
    pub code: &'static str,
    /// Why, for people.
    pub message: String,
    /// What is wrong with which field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<JsonObject>,
    /// The tasks on the circle that a link would close, the first repeated at the end. Of links that close the same
    /// long circle only the first names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offending: Option<Vec<TaskId>>,
}

/// What became of the links of a batch.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct TaskBulkDependencyResult {
    /// Links that were made.
    pub applied: Vec<TaskBulkDependencyApplied>,
    /// Links that were refused.
    pub rejected: Vec<TaskBulkProblemEntry>,
}

/// A link that was made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskBulkDependencyApplied {
    /// The place of the link in the request, from 0.
    pub index: usize,
    /// The link.
    pub id: DependencyId,
    /// The task that drives.
    pub predecessor: TaskId,
    /// The task that is driven.
    pub successor: TaskId,
    /// Whether the other project has yet to accept it.
    pub pending_acceptance: bool,
}
