//! What happened in a sprint since a moment, on the wire.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{SprintId, TaskId, UserId};
use planwright_domain::words::{BlockKind, BlockerType, ScopeChangeStatus, TaskStatus};
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::Patch;
use schemars::JsonSchema;
use serde::Serialize;

input! {
    /// Since when.
    pub struct DeltaQuery {
        /// A moment; a day ago without one, or with one that cannot be read.
        pub since: Patch<String>,
    }
}

row! {
    /// A task, as far as a line of the answer names it.
    #[derive(Serialize, JsonSchema)]
    pub struct TaskName {
        pub task_id: TaskId,
        pub task_short_id: String,
        pub task_title: String,
    }
}

row! {
    /// A task that moved from one status to another.
    #[derive(Serialize, JsonSchema)]
    pub struct StatusChange {
        pub from: TaskStatus,
        pub to: TaskStatus,
        pub actor_id: Option<UserId>,
        pub actor_username: Option<String>,
        pub at: DateTime<Utc>,
    }
    and #[serde(flatten)] task: TaskName
}

row! {
    /// A task that came into the sprint.
    #[derive(Serialize, JsonSchema)]
    pub struct ScopeAdded {
        #[serde(skip)]
        pub added_by: Option<UserId>,
        pub added_by_username: Option<String>,
        pub at: DateTime<Utc>,
        pub status: ScopeChangeStatus,
        /// Null for those who may not see the velocity of the team.
        pub story_points: Option<i64>,
        /// The name of its epic.
        pub epic: Option<String>,
    }
    and #[serde(flatten)] task: TaskName
}

row! {
    /// A task of the sprint that is blocked or on hold.
    pub struct BlockedRow {
        pub actor_id: Option<UserId>,
        pub actor_username: Option<String>,
        pub at: Option<DateTime<Utc>>,
        pub blocker_type: Option<BlockerType>,
        pub is_paused: bool,
    }
    and pub task: TaskName
}

/// A line about a change of status.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TaskChange {
    /// What changed: the status.
    pub kind: &'static str,
    #[serde(flatten)]
    pub change: StatusChange,
}

/// A task that was blocked since then.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NewBlocker {
    #[serde(flatten)]
    pub task: TaskName,
    pub actor_username: Option<String>,
    pub at: DateTime<Utc>,
    pub blocker_type: Option<BlockerType>,
    pub blocked_age_seconds: i64,
    pub kind: BlockKind,
}

/// How many tasks of the sprint are blocked now.
#[derive(Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BlockerSummary {
    pub impediment: i64,
    pub paused: i64,
}

/// What was left then and is left now.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BurndownDelta {
    pub prior_date: NaiveDate,
    pub prior_remaining: i64,
    pub current_date: NaiveDate,
    pub current_remaining: i64,
    pub remaining_delta: i64,
    pub completed_delta: i64,
}

/// How much was done, by somebody or by all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Deeds {
    /// Changes of status.
    pub moved: i64,
    /// Those that completed a task.
    pub completed: i64,
    /// Tasks brought into the sprint.
    pub added: i64,
    /// Tasks blocked.
    pub blocked: i64,
}

/// What one person did.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ActorDeeds {
    pub actor_id: UserId,
    pub actor_username: String,
    #[serde(flatten)]
    pub deeds: Deeds,
}

/// How full the sprint is; null for those who may not see the velocity of the team.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SprintLoad {
    pub committed_points: Option<i64>,
    pub current_points: Option<i64>,
    pub delta_points: Option<i64>,
    /// The points of now in percent of the commitment.
    pub pct_loaded: Option<f64>,
}

/// What happened in a sprint since a moment.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SprintDailyDelta {
    pub sprint_id: SprintId,
    pub since: DateTime<Utc>,
    pub until: DateTime<Utc>,
    pub task_changes: Vec<TaskChange>,
    pub scope_added: Vec<ScopeAdded>,
    pub new_blockers: Vec<NewBlocker>,
    pub blocker_summary: BlockerSummary,
    /// Null for those who may not see the velocity of the team, and before the sprint begins.
    pub burndown_delta: Option<BurndownDelta>,
    /// Empty for Viewers.
    pub per_actor: Vec<ActorDeeds>,
    pub actor_aggregate: Deeds,
    pub sprint_load: SprintLoad,
}
