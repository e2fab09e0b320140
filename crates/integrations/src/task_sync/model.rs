//! Pushed tasks on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProjectId, TaskId, UserId};
use planwright_store::{record, row};
use planwright_web::input;
use planwright_web::input::{Int, LongText, Name, Patch};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;
use uuid::Uuid;

record! {
    /// The key of a pushed task, and what is still to be done about it.
    pub struct SyncedRow in synced_tasks {
        pub id: Uuid,
        pub project_id: ProjectId,
        pub task_id: TaskId,
        /// The other system.
        pub source: String,
        /// The key of the task there.
        pub external_id: String,
        pub external_url: String,
        /// The key of the row that it stands below there; blank for none.
        pub parent_external_id: String,
        /// The address of whoever is to do it and is no member yet; blank for nobody.
        pub pending_assignee: String,
        /// Whose token pushed it last.
        pub pushed_by: UserId,
        pub created_at: DateTime<Utc>,
        pub synced_at: DateTime<Utc>,
    }
}

row! {
    /// What is known before a task is pushed.
    pub struct Known {
        /// What the statuses of the other system mean, as the token says.
        pub status_map: Json,
        /// The row of the key.
        pub id: Option<Uuid>,
        pub task_id: Option<TaskId>,
        pub external_url: Option<String>,
        pub parent_external_id: Option<String>,
        pub pending_assignee: Option<String>,
        pub created_at: Option<DateTime<Utc>>,
        /// Whether rows stand below the task, which then computes status and assignee from them.
        pub is_phase: bool,
        /// The task that the named parent is here.
        pub parent_task_id: Option<TaskId>,
        /// Whether others wait for a parent with this key.
        pub is_awaited: bool,
    }
}

row! {
    /// A task that waits for somebody.
    pub struct AwaitingRow {
        pub id: Uuid,
        pub task_id: TaskId,
        pub source: String,
        pub pushed_by: UserId,
    }
}

input! {
    /// A task of another system.
    pub struct InboundTaskSyncPayloadRequest {
        /// The other system: a lower-case letter, then lower-case letters, digits and underscores.
        pub source: Name<1, 32>,
        /// The key of the task there. It is found again by it.
        pub external_id: Name<1, 255>,
        /// What is to be done. A new task without a name is called by its key.
        pub name: Patch<Name<0, 512>>,
        /// More about it; it becomes the notes.
        pub description: Patch<LongText<0, 100000>>,
        /// Where it stands, in the words of the other system.
        pub status: Patch<Name<0, 64>>,
        /// The address of whoever does it. It fills an empty place only.
        pub assignee_email: Patch<Name<0, 254>>,
        /// Its size.
        pub story_points: Patch<Int<0, 999>>,
        /// Where people open it there.
        pub external_url: Patch<Name<0, 2000>>,
        /// The key of the row that it stands below there. It may be pushed later.
        pub parent_external_id: Patch<Name<0, 255>>,
    }
}

/// The task that stands for a pushed one.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InboundTaskSyncResult {
    pub task_id: TaskId,
    pub short_id: String,
    /// Whether it was made by this push.
    pub created: bool,
    /// Whether the named person does it.
    pub assignee_resolved: bool,
}
