//! What is sent to begin, close and cancel sprints, and what is answered.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{CloseRequestId, ResourceId, ScopeChangeId, SprintId, TaskId};
use planwright_domain::words::PendingDisposition;
use planwright_plan::sprints::scope::ScopeChangeRow;
use planwright_store::row;
use planwright_web::input::Patch;
use planwright_web::{Field, Problem, input};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use crate::sprints::model::Sprint;

/// That a sprint asks more of somebody than they have.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OverCapacity {
    pub r#type: String,
    pub member_id: ResourceId,
    pub member_name: String,
    pub committed_hours: f64,
    pub available_hours: f64,
    /// The points of the sprint that this person could bear.
    pub suggested_commitment_points: Option<i64>,
}

/// A sprint that has begun.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ActivatedSprint {
    #[serde(flatten)]
    pub sprint: Sprint,
    pub warnings: Vec<OverCapacity>,
}

/// Where the unfinished tasks of a sprint go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CarryOver {
    /// Out of all sprints, into the backlog.
    Backlog,
    /// Nowhere: they stay in the sprint.
    Stay,
    /// Into another sprint.
    Sprint(SprintId),
}

impl Field for CarryOver {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        match value.as_str() {
            Some("backlog") => Ok(Self::Backlog),
            Some("none") => Ok(Self::Stay),
            _ => SprintId::from_json(value)
                .map(Self::Sprint)
                .map_err(|_| Problem::says("Use \"backlog\", \"none\" or the id of a sprint.")),
        }
    }
}

#[schemars::for_document]
impl JsonSchema for CarryOver {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "CarryOver".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let sprint = generator.subschema_for::<uuid::Uuid>();
        schemars::json_schema!({ "anyOf": [{ "type": "string", "enum": ["backlog", "none"] }, sprint] })
    }
}

input! {
    /// What becomes of the tasks of a sprint that ends.
    pub struct SprintCloseRequest {
        /// Where unfinished tasks go: `backlog`, `none`, or a planned sprint of the project.
        pub carry_over_to: Patch<CarryOver>,
        /// What becomes of scope changes on which nobody has decided.
        pub pending_disposition: Patch<PendingDisposition>,
    }
}

/// A task that came into the sprint and on which nobody has decided.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UndecidedItem {
    pub id: ScopeChangeId,
    pub task: TaskId,
    pub item_name: String,
}

impl From<&ScopeChangeRow> for UndecidedItem {
    fn from(row: &ScopeChangeRow) -> Self {
        Self { id: row.id, task: row.task_id, item_name: row.item_name.clone() }
    }
}

/// That the sprint held work on which nobody had decided when it closed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ScopePendingOnClose {
    pub code: String,
    pub detail: String,
    pub pending_count: i64,
    pub items: Vec<UndecidedItem>,
    pub default_disposition: PendingDisposition,
}

/// That a sprint is closed, and where to read about it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SprintCloseAnswer {
    pub queued: bool,
    pub request_id: CloseRequestId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope_pending_on_close: Option<ScopePendingOnClose>,
}

row! {
    /// A request to close a sprint, as it is stored.
    pub struct CloseRequestRow {
        pub id: CloseRequestId,
        pub sprint_id: SprintId,
        pub requested_at: DateTime<Utc>,
        pub completed_at: DateTime<Utc>,
    }
}

/// A request to close a sprint. A sprint is closed within the request, so it has always completed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SprintCloseRequestState {
    pub id: CloseRequestId,
    pub sprint: SprintId,
    pub status: String,
    pub attempt_count: i64,
    pub failure_reason: String,
    pub error_message: String,
    pub requested_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub completed_at: Option<DateTime<Utc>>,
    pub next_attempt_at: Option<DateTime<Utc>>,
    /// Whether nothing more happens to it.
    pub terminal: bool,
}

impl From<CloseRequestRow> for SprintCloseRequestState {
    fn from(row: CloseRequestRow) -> Self {
        Self {
            id: row.id,
            sprint: row.sprint_id,
            status: "completed".to_owned(),
            attempt_count: 1,
            failure_reason: String::new(),
            error_message: String::new(),
            requested_at: row.requested_at,
            started_at: Some(row.requested_at),
            completed_at: Some(row.completed_at),
            next_attempt_at: None,
            terminal: true,
        }
    }
}
