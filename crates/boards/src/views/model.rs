//! Views of a board on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{BoardViewId, LabelId, ProjectId, UserId};
use planwright_domain::words::{BoardSort, ChangeKind, DueBand, EarnedValueMode, PriorityBand};
use planwright_store::{record, tracked};
use planwright_web::input::{List, Name, Patch};
use planwright_web::{Resource, body, input};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// The version of what a view says.
pub const SCHEMA_VERSION: i64 = 3;

record! {
    /// A view of a board, as it is stored.
    pub struct BoardViewRow in board_views {
        #[serde(skip)]
        pub id: BoardViewId,
        #[serde(skip)]
        pub project_id: ProjectId,
        pub name: String,
        /// The name without regard to case, unique in the project.
        #[serde(skip)]
        pub name_key: String,
        pub config: Json,
        #[serde(skip)]
        pub created_by: Option<UserId>,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub updated_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    BoardViewRow as "board_view" {
        fn event(kind: ChangeKind) -> Option<SocketEvent> {
            Some(match kind {
                ChangeKind::Created | ChangeKind::Restored => SocketEvent::BoardViewCreated,
                ChangeKind::Updated => SocketEvent::BoardViewUpdated,
                ChangeKind::Deleted => SocketEvent::BoardViewDeleted,
            })
        }
    }
}

impl Resource for BoardViewRow {
    type Container = ProjectId;

    fn container(&self) -> ProjectId {
        self.project_id
    }
}

impl BoardViewRow {
    /// A view before anything is said of it.
    pub fn fresh(id: BoardViewId, project_id: ProjectId, by: UserId, now: DateTime<Utc>) -> Self {
        Self {
            id,
            project_id,
            name: String::new(),
            name_key: String::new(),
            config: Json::Null,
            created_by: Some(by),
            created_at: now,
            updated_at: now,
            server_version: 1,
        }
    }
}

/// What a view shows. What an older client left out has its usual value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BoardViewConfig {
    /// What cards are sorted by; by priority unless said otherwise.
    pub sort: Option<BoardSort>,
    /// Whether limits of columns are shown.
    pub show_wip: Option<bool>,
    /// Whether columns are tinted.
    pub show_col_tints: Option<bool>,
    /// Which figures of earned value are shown.
    pub evm_mode: Option<EarnedValueMode>,
    /// Whether cost is shown.
    pub show_cost: Option<bool>,
    /// Only tasks with risks.
    pub risk_linked_only: Option<bool>,
    /// Only tasks of these people.
    pub filter_assignees: Vec<UserId>,
    /// Only tasks with one of these priorities.
    pub filter_priority: Vec<PriorityBand>,
    /// Only tasks that are due then.
    pub filter_due: Vec<DueBand>,
    /// Only tasks with one of these labels.
    pub filter_labels: Vec<LabelId>,
}

input! {
    /// What a view shows. Keys that are left out have their usual value.
    pub struct BoardViewConfigRequest {
        /// What cards are sorted by; by priority unless said otherwise.
        pub sort: Patch<BoardSort>,
        /// Whether limits of columns are shown; true unless said otherwise.
        pub show_wip: Patch<bool>,
        /// Whether columns are tinted; true unless said otherwise.
        pub show_col_tints: Patch<bool>,
        /// Which figures of earned value are shown; none unless said otherwise.
        pub evm_mode: Patch<EarnedValueMode>,
        /// Whether cost is shown; false unless said otherwise.
        pub show_cost: Patch<bool>,
        /// Only tasks with risks; false unless said otherwise.
        pub risk_linked_only: Patch<bool>,
        /// Only tasks of these people.
        pub filter_assignees: Patch<List<UserId, 0, 200>>,
        /// Only tasks with one of these priorities.
        pub filter_priority: Patch<List<PriorityBand, 0, 4>>,
        /// Only tasks that are due then.
        pub filter_due: Patch<List<DueBand, 0, 2>>,
        /// Only tasks with one of these labels.
        pub filter_labels: Patch<List<LabelId, 0, 50>>,
    }
}

body! {
    /// A view to keep.
    pub struct BoardSavedViewRequest;
    /// What of a view is to change.
    pub struct PatchedBoardSavedViewRequest;
    required {
        /// What people call it; unique in the project without regard to case.
        name: Name<1, 64>,
        /// What it shows.
        config: BoardViewConfigRequest,
    }
}

/// A view of a board.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BoardSavedView {
    pub id: BoardViewId,
    pub name: String,
    pub config: BoardViewConfig,
    /// The version of what a view says.
    pub schema_version: i64,
    pub created_by: Option<UserId>,
    pub server_version: i64,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl From<BoardViewRow> for BoardSavedView {
    fn from(row: BoardViewRow) -> Self {
        let BoardViewRow { id, name, config, created_by, server_version, created_at, updated_at, .. } = row;
        let config = super::rules::read(config);
        let schema_version = SCHEMA_VERSION;
        Self { id, name, config, schema_version, created_by, server_version, created_at, updated_at }
    }
}
