//! The product backlog on the wire.

use planwright_domain::ids::TaskId;
use planwright_domain::words::{PrioritizationModel, Readiness, TaskType};
use planwright_plan::tasks::model::Task;
use planwright_store::row;
use planwright_web::input::{List, Patch};
use planwright_web::{Sparse, input};
use schemars::JsonSchema;
use serde::Serialize;

row! {
    /// A row below an epic or one that waits, as it is counted.
    pub struct BacklogRow {
        pub id: TaskId,
        pub r#type: TaskType,
        /// Its live epic.
        pub epic_id: Option<TaskId>,
        /// Whether it waits: it stands in the backlog, and is not only counted with its epic.
        pub waits: bool,
        pub is_done: bool,
        pub dor: Readiness,
        pub story_points: Option<i64>,
        pub criteria: i64,
        pub criteria_met: i64,
    }
}

/// What the stories of an epic add up to, those in sprints and those that are done included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct EpicRollup {
    pub story_count: i64,
    pub points_total: i64,
    pub points_done: i64,
}

/// An epic with those of its stories that wait.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "BacklogEpic")]
pub struct BacklogEpic<T> {
    pub epic: T,
    /// Those that wait, in their order.
    pub stories: Vec<T>,
    pub rollup: EpicRollup,
}

/// How ready the stories are that wait.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct BacklogHealth {
    /// How many per cent of them are ready; 0 when there are none.
    pub dor_pct: i64,
    pub ready_count: i64,
    /// The story points of those that are ready.
    pub ready_points: i64,
    /// The capacity of the sprint that runs, or else of the next one; null when it has none.
    pub capacity_points: Option<i64>,
    /// How many have no story points.
    pub unestimated: i64,
    /// How many acceptance criteria of them are met.
    pub ac_met: i64,
    /// How many acceptance criteria they have.
    pub ac_total: i64,
    pub story_count: i64,
}

/// By which formula the backlog is scored.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct BacklogScoring {
    pub model: PrioritizationModel,
}

/// The product backlog of a project.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProductBacklog {
    /// The epics, in their order.
    pub epics: Vec<BacklogEpic<Sparse<Task>>>,
    /// The stories without an epic that wait, in their order.
    pub ungrouped: Vec<Sparse<Task>>,
    pub health: BacklogHealth,
    pub scoring: BacklogScoring,
}

input! {
    /// A row and the version that the caller has seen of it.
    pub struct SeenTask {
        /// The row.
        pub id: TaskId,
        /// Its version.
        pub server_version: i64,
    }
}

input! {
    /// The new order of a product backlog: all of its stories, or some of them with the place they go to.
    pub struct BacklogOrderRequest {
        /// The stories in their new order, each with the version that the caller has seen.
        pub stories: List<SeenTask, 1, 2000>,
        /// They go right before this row.
        pub before: Patch<Option<TaskId>>,
        /// They go right behind this row.
        pub after: Patch<Option<TaskId>>,
        /// They go behind all others.
        pub to_end: Patch<bool>,
    }
}

input! {
    /// The new order of some rows on the board: the first one gets the rank 10, the next one 20, and so on.
    pub struct QueueOrderRequest {
        /// The rows in their new order, each with the version that the caller has seen.
        pub stories | tasks: List<SeenTask, 1, 2000>,
    }
}

/// How many rows have another rank.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Reordered {
    pub updated: usize,
}

/// How many stories were put elsewhere, and by which formula.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct AutoRanked {
    pub reranked: usize,
    pub model: PrioritizationModel,
}
