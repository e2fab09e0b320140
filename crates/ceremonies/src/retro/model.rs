//! Retrospectives and their action items on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProjectId, RetroActionId, RetroId, SprintId, TaskId, UserId};
use planwright_domain::words::{ChangeKind, RetroKind, RetroVisibility};
use planwright_plan::tasks::model::Task;
use planwright_store::{record, row, tracked};
use planwright_web::input::{Int, List, LongText, Patch};
use planwright_web::{Resource, input};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::of_sprint::OfSprint;

/// How many action items a retrospective may have.
pub const MOST_ACTIONS: usize = 200;

record! {
    /// A retrospective as it is stored. One that came with the first note on its board has no author yet.
    pub struct RetroRow in retros {
        #[serde(skip)]
        pub id: RetroId,
        #[serde(skip)]
        pub project_id: ProjectId,
        #[serde(skip)]
        pub sprint_id: SprintId,
        pub notes: String,
        pub team_visibility: RetroVisibility,
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
    RetroRow as "retro" {
        // That one is begun is told by what began it, and by nobody when that was an answer for the eyes of one person.
        fn event(kind: ChangeKind) -> Option<SocketEvent> {
            (kind != ChangeKind::Created).then_some(SocketEvent::SprintRetroUpdated)
        }

        fn payload(&self) -> Json {
            json!({ "sprint_id": self.sprint_id })
        }
    }
}

record! {
    /// An action item as it is stored.
    pub struct ActionRow in retro_actions {
        #[serde(skip)]
        pub id: RetroActionId,
        #[serde(skip)]
        pub project_id: ProjectId,
        #[serde(skip)]
        pub sprint_id: SprintId,
        #[serde(skip)]
        pub retro_id: RetroId,
        pub position: i64,
        pub text: String,
        #[serde(rename = "assignee")]
        pub assignee_id: Option<UserId>,
        pub story_points: Option<i64>,
        #[serde(rename = "promoted_task")]
        pub promoted_task_id: Option<TaskId>,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! { ActionRow as "retro_action" }

impl Resource for ActionRow {
    type Container = OfSprint;

    fn container(&self) -> OfSprint {
        OfSprint(self.sprint_id)
    }
}

row! {
    /// An action item with what is still there of its task, and the name of who has it.
    pub struct ShownActionRow {
        pub assignee_username: Option<String>,
        pub live_task_id: Option<TaskId>,
    }
    and pub action: ActionRow
}

/// What a retrospective wants done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RetroActionItem {
    pub id: RetroActionId,
    pub text: String,
    pub assignee: Option<UserId>,
    pub assignee_username: Option<String>,
    pub story_points: Option<i64>,
    /// The task that it became, as long as that is there.
    pub promoted_task_id: Option<TaskId>,
    pub created_at: DateTime<Utc>,
}

impl From<ShownActionRow> for RetroActionItem {
    fn from(ShownActionRow { assignee_username, live_task_id, action }: ShownActionRow) -> Self {
        Self {
            id: action.id,
            text: action.text,
            assignee: action.assignee_id,
            assignee_username,
            story_points: action.story_points,
            promoted_task_id: live_task_id,
            created_at: action.created_at,
        }
    }
}

/// The retrospective of a sprint. What is for the team alone is counted for others: then `kind` is `summary`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Retro {
    pub id: RetroId,
    pub sprint: SprintId,
    pub kind: RetroKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    pub team_visibility: RetroVisibility,
    /// Who wrote it first; null as long as only its board was used.
    pub created_by: Option<UserId>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action_items: Option<Vec<RetroActionItem>>,
    /// How many action items there are, in a summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action_items_count: Option<usize>,
    /// How many of them became tasks, in a summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promoted_count: Option<usize>,
}

input! {
    /// A wanted action item.
    pub struct RetroActionItemRequest {
        /// The action item that it was before; without it, the one of the same text.
        pub id: Patch<Option<RetroActionId>>,
        /// What is to be done.
        pub text: LongText<1, 2000>,
        /// Who does it; a member of the project.
        pub assignee: Patch<Option<UserId>>,
        /// Its size.
        pub story_points: Patch<Option<Int<0, 999>>>,
    }
}

input! {
    /// What a retrospective says. What is left out stays; the list of action items is replaced as a whole.
    pub struct RetroRequest {
        /// What was talked about.
        pub notes: Patch<LongText<0, 100000>>,
        /// What is to be done.
        pub action_items: Patch<List<RetroActionItemRequest, 0, MOST_ACTIONS>>,
        /// Who reads it besides the team.
        pub team_visibility: Patch<RetroVisibility>,
    }
}

input! {
    /// Who reads a retrospective.
    pub struct PatchedRetroRequest {
        /// Who reads it besides the team.
        pub team_visibility: RetroVisibility,
    }
}

/// The task that an action item became.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PromotedAction {
    pub task: Task,
}

input! {
    /// Where an action item is done.
    pub struct PullToSprintRequest {
        /// A planned sprint of the project.
        pub target_sprint_id: SprintId,
    }
}
