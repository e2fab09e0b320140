//! Scope changes on the wire.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ScopeChangeId, SprintId, TaskId};
use planwright_domain::words::ScopeChangeStatus;
use planwright_plan::sprints::scope::ScopeChangeRow;
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::{List, Name, Patch};
use schemars::JsonSchema;
use serde::Serialize;

row! {
    /// A scope change with who made it.
    pub struct ListedRow {
        pub id: ScopeChangeId,
        pub task_id: TaskId,
        pub item_name: String,
        pub story_points: Option<i64>,
        pub first_name: Option<String>,
        pub last_name: Option<String>,
        pub username: Option<String>,
        pub added_at: DateTime<Utc>,
        pub goal_impact: String,
        pub status: ScopeChangeStatus,
    }
}

/// That work came into a sprint while it ran.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ScopeChangeEvent {
    pub id: ScopeChangeId,
    pub task: TaskId,
    /// What the task was called then.
    pub item_name: String,
    /// Its points; null for those who do not see the velocity of the team.
    pub story_points: Option<i64>,
    pub added_by_name: Option<String>,
    pub added_at: DateTime<Utc>,
    pub goal_impact: String,
    pub status: ScopeChangeStatus,
}

/// What all of it adds up to.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ScopeChangeSummary {
    /// The points that came in and were not rejected.
    pub points_added: Option<i64>,
    /// The points that were rejected.
    pub points_removed: Option<i64>,
    /// How many came in and were not rejected.
    pub added_mid_sprint_count: i64,
    /// How many there are in all.
    pub total: i64,
}

/// What came into a sprint while it ran, newest first.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SprintScopeChanges {
    pub summary: ScopeChangeSummary,
    pub events: Vec<ScopeChangeEvent>,
}

/// A scope change after a decision.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DecidedScopeChange {
    pub id: ScopeChangeId,
    pub task: TaskId,
    pub sprint: SprintId,
    pub item_name: String,
    pub status: ScopeChangeStatus,
    pub goal_impact: String,
    pub added_at: DateTime<Utc>,
}

impl From<&ScopeChangeRow> for DecidedScopeChange {
    fn from(row: &ScopeChangeRow) -> Self {
        Self {
            id: row.id,
            task: row.task_id,
            sprint: row.sprint_id,
            item_name: row.item_name.clone(),
            status: row.status,
            goal_impact: row.goal_impact.clone(),
            added_at: row.added_at,
        }
    }
}

/// One decision, and how many are left.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ScopeDecision {
    #[serde(flatten)]
    pub change: DecidedScopeChange,
    /// How many tasks of the sprint still wait for a decision.
    pub pending_count: i64,
}

/// What was accepted, and how many are left.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AcceptedScope {
    pub accepted: Vec<DecidedScopeChange>,
    /// How many tasks of the sprint still wait for a decision.
    pub pending_count: i64,
}

/// What was rejected, and how many are left.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RejectedScope {
    pub rejected: Vec<DecidedScopeChange>,
    /// How many tasks of the sprint still wait for a decision.
    pub pending_count: i64,
}

input! {
    /// Which scope changes are decided on.
    pub struct ScopeDecisionRequest {
        /// Their ids; all that wait when it is empty or left out.
        pub ids: Patch<List<ScopeChangeId, 0, 2000>>,
        /// What they mean for the goal of the sprint.
        pub goal_impact: Patch<Name<0, 200>>,
    }
}

input! {
    /// More about one decision.
    pub struct OneScopeDecisionRequest {
        /// What it means for the goal of the sprint.
        pub goal_impact: Patch<Name<0, 200>>,
    }
}
