//! The activity of a board on the wire.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{SprintId, TaskId, UserId};
use planwright_domain::words::{BoardEventType, ChangeKind, ScopeChangeStatus};
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::{Int, Patch};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;
use uuid::Uuid;

input! {
    /// Which events to show.
    pub struct ActivityQuery {
        /// Only what happened before that; as `next_until` says it.
        pub until: Patch<DateTime<Utc>>,
        /// Only what happened then or later.
        pub since: Patch<DateTime<Utc>>,
        /// Only what this person did.
        pub actor: Patch<UserId>,
        /// Only this kind of event.
        pub r#type: Patch<BoardEventType>,
        /// Only what concerns this sprint.
        pub sprint: Patch<SprintId>,
        /// How many events to show, at most 100; more when several happened in the same moment.
        pub limit: Patch<Int<1, 100>>,
    }
}

row! {
    /// A change of a task.
    pub struct ActivityRow {
        pub id: Uuid,
        pub at: DateTime<Utc>,
        pub kind: ChangeKind,
        pub actor_id: Option<UserId>,
        pub username: Option<String>,
        pub fields: Json,
        /// Whether the change is a comment on the task.
        pub is_comment: bool,
        pub task_id: TaskId,
        pub task_name: Option<String>,
        pub sprint_id: Option<SprintId>,
    }
}

/// A field that changed.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BoardActivityChange {
    pub field: String,
    pub old: Option<String>,
    pub new: Option<String>,
}

/// Something that happened to a task.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BoardActivityEvent {
    pub id: String,
    pub event_type: BoardEventType,
    /// The name of who did it.
    pub actor: Option<String>,
    pub actor_id: Option<UserId>,
    pub timestamp: DateTime<Utc>,
    pub task_id: TaskId,
    pub task_name: String,
    /// The sprint that the task came into or left, else the one that it is in.
    pub sprint_id: Option<SprintId>,
    /// Whether the task belongs to that sprint, if it came into it while it ran.
    pub scope_change_status: Option<ScopeChangeStatus>,
    pub changes: Vec<BoardActivityChange>,
}

/// What happened on a board.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BoardActivityResponse {
    /// The newest first.
    pub results: Vec<BoardActivityEvent>,
    /// What to send as `until` for the events before these; null when there are none.
    pub next_until: Option<DateTime<Utc>>,
}
