//! Suggestions that somebody takes a task: the row, and the command that makes one.
//! How they are accepted, declined and revoked is in the area of backlogs.

use chrono::{DateTime, Utc};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{SuggestionId, TaskId, UserId};
use planwright_domain::words::{ChangeKind, SuggestionState};
use planwright_store::{record, tracked};
use planwright_web::{ApiResult, Resource};
use serde_json::json;

use super::of_task::OfTask;
use crate::edit::Edit;

record! {
    /// A suggestion as it is stored.
    pub struct SuggestionRow in task_suggestions {
        #[serde(skip)]
        pub id: SuggestionId,
        #[serde(skip)]
        pub task_id: TaskId,
        #[serde(rename = "suggested_user")]
        pub suggested_user_id: UserId,
        #[serde(rename = "suggested_by")]
        pub suggested_by_id: UserId,
        pub state: SuggestionState,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        /// When it was accepted, declined or revoked.
        #[serde(skip)]
        pub decided_at: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    SuggestionRow as "task_suggestion" {
        fn event(kind: ChangeKind) -> Option<SocketEvent> {
            (kind == ChangeKind::Created).then_some(SocketEvent::SuggestionCreated)
        }

        fn payload(&self) -> serde_json::Value {
            json!({
                "task_id": self.task_id, "suggestion_id": self.id, "suggested_user_id": self.suggested_user_id,
            })
        }
    }
}

impl Resource for SuggestionRow {
    type Container = OfTask;

    fn container(&self) -> OfTask {
        OfTask(self.task_id)
    }
}

/// Suggests to somebody that they take a task.
pub async fn suggest(edit: &mut Edit, task: TaskId, to: UserId) -> ApiResult<SuggestionRow> {
    let row = SuggestionRow {
        id: edit.mint(),
        task_id: task,
        suggested_user_id: to,
        suggested_by_id: edit.grant.actor.id,
        state: SuggestionState::Pending,
        created_at: edit.now(),
        decided_at: None,
        server_version: 1,
    };
    edit.create(&row).await?;
    Ok(row)
}
