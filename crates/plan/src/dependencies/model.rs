//! Links on the wire and in storage.
//! What a link means for dates is in the engine.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{DependencyId, ProjectId, TaskId, UserId};
use planwright_domain::words::DependencyType;
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::Patch;
use schemars::JsonSchema;
use serde::Serialize;

row! {
    /// A link as it is stored.
    pub struct DependencyRow {
        pub id: DependencyId,
        pub predecessor_id: TaskId,
        pub successor_id: TaskId,
        pub predecessor_project_id: ProjectId,
        pub successor_project_id: ProjectId,
        pub dep_type: DependencyType,
        pub lag: i64,
        pub pending_acceptance: bool,
        pub accepted_by: Option<UserId>,
        pub accepted_at: Option<DateTime<Utc>>,
        pub is_driving: bool,
        pub server_version: i64,
    }
}

row! {
    /// What a card shows of a task, as it is stored.
    pub struct CardRow {
        pub id: TaskId,
        pub name: String,
        pub short_id: String,
        pub project_id: ProjectId,
        pub project_name: String,
        pub is_milestone: bool,
        pub early_start: Option<i32>,
        pub early_finish: Option<i32>,
        pub is_critical: Option<bool>,
    }
}

/// The little that is shown of a task of another project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExternalTaskCard {
    pub id: TaskId,
    pub title: String,
    pub hex_id: String,
    pub project_id: ProjectId,
    pub project_name: String,
    pub is_milestone: bool,
    pub early_start: Option<NaiveDate>,
    pub early_finish: Option<NaiveDate>,
    pub is_critical: Option<bool>,
}

/// A link between two tasks.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Dependency {
    pub id: DependencyId,
    pub predecessor: TaskId,
    pub successor: TaskId,
    pub dep_type: DependencyType,
    /// Days; on which calendar they are counted is a setting of the project.
    pub lag: i64,
    /// Whether the other project has yet to accept it; until then it holds nothing.
    pub pending_acceptance: bool,
    pub accepted_by: Option<UserId>,
    pub accepted_at: Option<DateTime<Utc>>,
    /// Whether the predecessor cannot slip a day without moving the successor.
    pub is_driving: bool,
    /// The predecessor, when it is in another project than the successor.
    pub predecessor_card: Option<ExternalTaskCard>,
    /// The successor, when it is in another project than the predecessor.
    pub successor_card: Option<ExternalTaskCard>,
    pub server_version: i64,
}

input! {
    /// Which links a list shows.
    pub struct DependencyFilter {
        /// Links whose predecessor is in this project.
        pub project: Patch<ProjectId>,
        /// Links of this type.
        pub dep_type: Patch<DependencyType>,
        /// Links into or out of this task.
        pub task: Patch<TaskId>,
        /// Links that wait for this project to accept them.
        pub pending_for_project: Patch<ProjectId>,
    }
}
