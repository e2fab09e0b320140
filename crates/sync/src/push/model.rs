//! A batch of an offline client on the wire (contract 1, Offline sync; facts-platform §9).

use planwright_plan::tasks::write::many::TaskFields;
use planwright_web::input;
use planwright_web::input::{Int, Lenient, List, Patch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use uuid::Uuid;

/// The most rows of a batch, and the most of each of its lists.
pub(super) const MOST: usize = 500;

input! {
    /// What a client changed while it was offline.
    pub struct SyncUploadRequestRequest {
        /// The id of the batch. A batch that was sent before is not written again.
        pub client_batch_id: Uuid,
        /// The `timestamp` of the pull that the changes are based on.
        pub last_pulled_at: Patch<Int<0, 9_007_199_254_740_991>>,
        /// The changes.
        pub changes: SyncUploadChangesRequest,
    }
}

input! {
    /// The changes of each collection. Only tasks can be sent.
    pub struct SyncUploadChangesRequest {
        /// Changes of tasks.
        pub tasks: Patch<SyncUploadCollectionRequest>,
    }
}

input! {
    /// The changes of a collection. All lists together may have 500 rows.
    pub struct SyncUploadCollectionRequest {
        /// New rows, with ids of the client.
        pub created: Patch<List<Lenient<TaskFields>, 0, MOST>>,
        /// Rows with the fields that changed, their `id`, and `base_version` or `server_version` if they are known.
        pub updated: Patch<List<Lenient<TaskFields>, 0, MOST>>,
        /// The ids of rows to delete.
        pub deleted: Patch<List<Lenient<Uuid>, 0, MOST>>,
    }
}

/// What became of a batch.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SyncUploadResponse {
    /// The id of the batch.
    pub client_batch_id: Uuid,
    /// What was written.
    pub applied: SyncUploadApplied,
    /// What others changed in the meantime. Nothing of these rows was written.
    pub conflicts: SyncUploadConflicts,
    /// Rows for which there was nothing to do.
    pub skipped: Vec<SyncUploadSkipped>,
    /// Where the next pull starts: where the client had pulled to. The pull brings the rows of the batch with their dates.
    pub timestamp: i64,
}

/// What was written in each collection.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SyncUploadApplied {
    /// The tasks.
    pub tasks: SyncUploadAppliedTasks,
}

/// The tasks that were written.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct SyncUploadAppliedTasks {
    /// New tasks.
    pub created: Vec<SyncUploadedRow>,
    /// Changed tasks, also those that were sent as new and existed already.
    pub updated: Vec<SyncUploadedRow>,
    /// The ids of deleted tasks.
    pub deleted: Vec<Uuid>,
}

/// A row that was written.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SyncUploadedRow {
    /// The row.
    pub id: Uuid,
    /// Its version now.
    pub server_version: i64,
}

/// Conflicts in each collection.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SyncUploadConflicts {
    /// For each task its `id`, the `conflict_fields`, `server_value`, `client_value` and `server_version`.
    pub tasks: Vec<std::collections::BTreeMap<String, Json>>,
}

/// A row for which there was nothing to do.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SyncUploadSkipped {
    /// The row.
    pub id: Uuid,
    /// `tombstoned` if it was deleted, `not_found` if the project does not have it.
    pub reason: String,
}
