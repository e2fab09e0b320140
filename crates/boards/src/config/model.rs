//! The columns of a board on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{BoardConfigId, ProjectId};
use planwright_domain::words::{ChangeKind, ColumnBreach, TaskStatus};
use planwright_store::{record, tracked};
use planwright_web::input;
use planwright_web::input::{Int, List, Name, Patch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

record! {
    /// The columns of the board of a project, as they are stored.
    pub struct BoardConfigRow in board_configs {
        #[serde(skip)]
        pub id: BoardConfigId,
        #[serde(skip)]
        pub project_id: ProjectId,
        pub columns: Json,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

impl BoardConfigRow {
    /// The columns of a board before anybody arranged them.
    pub fn fresh(id: BoardConfigId, project_id: ProjectId, created_at: DateTime<Utc>) -> Self {
        Self { id, project_id, columns: Json::Null, created_at, server_version: 1 }
    }
}

tracked! {
    BoardConfigRow as "board_config" {
        fn event(_: ChangeKind) -> Option<SocketEvent> {
            Some(SocketEvent::BoardConfigUpdated)
        }

        fn payload(&self) -> Json {
            json!({ "columns": self.columns })
        }
    }
}

/// A column of a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BoardColumn {
    /// The status of the tasks that stand in it.
    pub status: TaskStatus,
    /// What people read above it.
    pub label: String,
    pub visible: bool,
    /// Like `#1A2B3C`; null for none.
    pub color: Option<String>,
    /// How many tasks it is meant to hold at most; null for no limit.
    pub wip_limit: Option<i64>,
    /// After how many days a card in it is old; null for never.
    pub age_threshold_days: Option<i64>,
}

/// A column of a board, with how full it is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FilledColumn {
    #[serde(flatten)]
    pub column: BoardColumn,
    /// How many tasks stand in it.
    pub current_count: i64,
    /// How that compares with its limit; null without one.
    pub breach: Option<ColumnBreach>,
}

/// The columns of a board, in their order.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BoardColumnConfigResponse {
    pub columns: Vec<FilledColumn>,
}

input! {
    /// A column of a board.
    pub struct BoardColumnRequest {
        /// The status of the tasks that stand in it.
        pub status: TaskStatus,
        /// What people read above it.
        pub label: Name<1, 32>,
        /// Shown unless said otherwise.
        pub visible: Patch<bool>,
        /// Like `#1A2B3C`.
        pub color: Patch<Option<Name<0, 7>>>,
        /// How many tasks it is meant to hold at most.
        pub wip_limit: Patch<Option<Int<1, 9999>>>,
        /// After how many days a card in it is old.
        pub age_threshold_days: Patch<Option<Int<1, 9999>>>,
    }
}

input! {
    /// All columns of a board, in their order.
    pub struct BoardColumnConfigRequest {
        /// One for each status.
        pub columns: List<BoardColumnRequest, 1, 20>,
    }
}
