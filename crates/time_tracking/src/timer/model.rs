//! The timer on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProjectId, TaskId, TimerId, UserId};
use planwright_store::record::OnDelete;
use planwright_store::{record, row, tracked};
use planwright_web::input;
use planwright_web::input::{LongText, Patch};
use schemars::JsonSchema;
use serde::Serialize;

use crate::entries::model::TimeEntry;

record! {
    /// A running timer as it is stored.
    pub struct TimerRow in timers {
        #[serde(skip)]
        pub id: TimerId,
        #[serde(skip)]
        pub user_id: UserId,
        #[serde(rename = "task")]
        pub task_id: TaskId,
        pub note: String,
        pub started_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    TimerRow as "timer" {
        const ON_DELETE: OnDelete = OnDelete::Remove;
    }
}

row! {
    /// A running timer with the names of its task, which are empty when the person may not see them any more.
    pub struct TimerSeen {
        pub id: TimerId,
        pub task_id: TaskId,
        pub task_short_id: String,
        pub task_name: String,
        pub project: ProjectId,
        pub started_at: DateTime<Utc>,
        pub note: String,
    }
}

/// What the caller's timer counts.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RunningTimer {
    pub id: TimerId,
    pub task: TaskId,
    pub task_short_id: String,
    pub task_name: String,
    pub project: ProjectId,
    pub started_at: DateTime<Utc>,
    /// How long the timer has been running, in seconds.
    pub elapsed_seconds: i64,
    pub note: String,
    /// Whether it has been running so long that it was probably forgotten.
    pub stale: bool,
}

/// The caller's timer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Timer {
    /// Whether it is running. If not, all other fields are left out.
    pub active: bool,
    #[serde(flatten)]
    pub running: Option<RunningTimer>,
}

/// The started timer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TimerStarted {
    pub active_timer: Timer,
    /// The minutes of the timer that was running and is now stopped.
    pub finalized_entry: Option<TimeEntry>,
}

input! {
    /// The task of the timer.
    pub struct TimerStartRequest {
        /// The task.
        pub task: TaskId,
        /// A note on the work.
        pub note: Patch<LongText<0, 500>>,
    }
}
