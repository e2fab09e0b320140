//! Notes on the board of a retrospective, on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProjectId, RetroActionId, RetroId, RetroItemId, SprintId, UserId};
use planwright_domain::words::{RetroColumn, RetroKind};
use planwright_store::{record, row, tracked};
use planwright_web::input::{LongText, Name, Patch};
use planwright_web::{Resource, input};
use schemars::JsonSchema;
use serde::Serialize;

use crate::of_sprint::OfSprint;

record! {
    /// A note as it is stored.
    pub struct ItemRow in retro_items {
        #[serde(skip)]
        pub id: RetroItemId,
        #[serde(skip)]
        pub project_id: ProjectId,
        #[serde(skip)]
        pub sprint_id: SprintId,
        #[serde(skip)]
        pub retro_id: RetroId,
        #[serde(rename = "column")]
        pub board_column: RetroColumn,
        pub text: String,
        #[serde(skip)]
        pub author_id: Option<UserId>,
        pub position: f64,
        pub color: String,
        #[serde(rename = "converted_action_item")]
        pub converted_action_id: Option<RetroActionId>,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub updated_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

// What is told of a note depends on what happened to it, so its routes tell it.
tracked! { ItemRow as "retro_item" }

impl Resource for ItemRow {
    type Container = OfSprint;

    fn container(&self) -> OfSprint {
        OfSprint(self.sprint_id)
    }
}

row! {
    /// A note with the name of its author, and what is still there of its action item.
    pub struct ShownItemRow {
        pub author_username: Option<String>,
        pub live_action_id: Option<RetroActionId>,
    }
    and pub item: ItemRow
}

/// A note on the board of a retrospective.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RetroBoardItem {
    pub id: RetroItemId,
    pub retro: RetroId,
    pub column: RetroColumn,
    pub text: String,
    pub author: Option<UserId>,
    pub author_username: Option<String>,
    /// Its place in the column.
    pub position: f64,
    pub color: String,
    /// The action item that it became, as long as that is there.
    pub converted_action_item_id: Option<RetroActionId>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl From<ShownItemRow> for RetroBoardItem {
    fn from(ShownItemRow { author_username, live_action_id, item }: ShownItemRow) -> Self {
        Self {
            id: item.id,
            retro: item.retro_id,
            column: item.board_column,
            text: item.text,
            author: item.author_id,
            author_username,
            position: item.position,
            color: item.color,
            converted_action_item_id: live_action_id,
            created_at: item.created_at,
            updated_at: item.updated_at,
        }
    }
}

/// A column of the board.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RetroBoardColumn {
    pub key: RetroColumn,
    pub label: &'static str,
}

/// The board of a retrospective. What is for the team alone is counted for others: then `kind` is `summary`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RetroBoard {
    /// The retrospective; null until somebody begins it.
    pub retro: Option<RetroId>,
    pub kind: RetroKind,
    pub columns: Vec<RetroBoardColumn>,
    /// The notes, by column and place; none in a summary.
    pub items: Vec<RetroBoardItem>,
    pub items_count: usize,
}

input! {
    /// A new note.
    pub struct RetroBoardItemRequest {
        /// Its column; what went well unless said otherwise.
        pub column: Patch<RetroColumn>,
        /// What it says.
        pub text: LongText<1, 2000>,
        /// Its colour.
        pub color: Patch<Name<0, 16>>,
    }
}

input! {
    /// Some fields of a note.
    pub struct PatchedRetroBoardItemRequest {
        /// Its column.
        pub column: Patch<RetroColumn>,
        /// What it says; for its author and those who lead the retrospective.
        pub text: Patch<LongText<1, 2000>>,
        /// Its place in the column.
        pub position: Patch<f64>,
        /// Its colour.
        pub color: Patch<Name<0, 16>>,
    }
}
