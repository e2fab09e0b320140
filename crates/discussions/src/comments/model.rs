//! Comments on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{CommentId, ProjectId, ReactionId, TaskId, UserId};
use planwright_domain::words::{ChangeKind, Emoji, Word};
use planwright_plan::tasks::of_task::OfTask;
use planwright_plan::tasks::write::TaskRecord;
use planwright_store::{record, row, tracked};
use planwright_web::input::{LongText, Name, Patch};
use planwright_web::{Resource, input};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::author::Author;

record! {
    /// A comment as it is stored. The history tells that its text changed, and not what it says.
    pub struct CommentRow in task_comments {
        #[serde(skip)]
        pub id: CommentId,
        #[serde(skip)]
        pub project_id: ProjectId,
        #[serde(skip)]
        pub task_id: TaskId,
        #[serde(skip)]
        pub parent_id: Option<CommentId>,
        #[serde(skip)]
        pub author_id: UserId,
        pub body: String,
        pub edited_at: Option<DateTime<Utc>>,
        pub deleted_at: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub deleted_by: Option<UserId>,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! { CommentRow as "task_comment" }

impl Resource for CommentRow {
    type Container = OfTask;

    fn container(&self) -> OfTask {
        OfTask(self.task_id)
    }

    fn ancestors(&self) -> Vec<Uuid> {
        vec![self.project_id.0, self.task_id.0]
    }
}

impl CommentRow {
    /// A comment that was just written.
    pub fn fresh(
        id: CommentId,
        task: &TaskRecord,
        author_id: UserId,
        request: TaskCommentRequest,
        now: DateTime<Utc>,
    ) -> Self {
        Self {
            id,
            project_id: task.project_id,
            task_id: task.id,
            parent_id: request.parent.given().flatten(),
            author_id,
            body: request.body.into(),
            edited_at: None,
            deleted_at: None,
            deleted_by: None,
            created_at: now,
            server_version: 1,
        }
    }

    /// Whether it was deleted and stays as an empty place.
    pub fn is_deleted(&self) -> bool {
        self.deleted_at.is_some()
    }

    /// What those who look at the task are told of it.
    pub fn told(&self) -> Json {
        json!({ "id": self.id, "task_id": self.task_id, "parent_id": self.parent_id })
    }
}

/// The event of a comment.
pub fn event(kind: ChangeKind) -> SocketEvent {
    match kind {
        ChangeKind::Created | ChangeKind::Restored => SocketEvent::TaskCommentCreated,
        ChangeKind::Updated => SocketEvent::TaskCommentUpdated,
        ChangeKind::Deleted => SocketEvent::TaskCommentDeleted,
    }
}

row! {
    /// A comment with the names of people and what others did with it.
    pub struct ShownCommentRow {
        pub username: String,
        pub first_name: String,
        pub last_name: String,
        pub deleter_username: Option<String>,
        pub deleter_first_name: Option<String>,
        pub deleter_last_name: Option<String>,
        pub acknowledged_count: i64,
        pub reaction_count: i64,
        pub has_my_acknowledgement: bool,
        pub my_reaction_id: Option<ReactionId>,
    }
    and pub comment: CommentRow
}

input! {
    /// A new comment.
    pub struct TaskCommentRequest {
        /// The comment that it answers; an answer cannot be answered.
        pub parent: Patch<Option<CommentId>>,
        /// What it says, as Markdown. `@name` mentions a person or a group.
        pub body: LongText<1, 10000>,
    }
}

input! {
    /// What of a comment is to change.
    pub struct PatchedTaskCommentRequest {
        /// The comment that it answers, which stays the same.
        pub parent: Patch<Option<CommentId>>,
        /// What it says, as Markdown. Who is mentioned anew is told.
        pub body: Patch<LongText<1, 10000>>,
    }
}

/// A comment on a task.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskComment {
    pub id: CommentId,
    pub task: TaskId,
    /// The comment that it answers.
    pub parent: Option<CommentId>,
    pub author: Author,
    /// What it says, as Markdown; empty once it is deleted.
    pub body: String,
    pub edited_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub is_deleted: bool,
    pub deleted_at: Option<DateTime<Utc>>,
    /// Who deleted it.
    pub deleted_by: Option<Author>,
    pub acknowledged_count: i64,
    pub reaction_count: i64,
    pub has_my_acknowledgement: bool,
    pub has_my_reaction: bool,
    pub my_reaction_id: Option<ReactionId>,
    pub server_version: i64,
}

impl From<ShownCommentRow> for TaskComment {
    fn from(row: ShownCommentRow) -> Self {
        let is_deleted = row.comment.is_deleted();
        let CommentRow { id, task_id, parent_id, author_id, body, edited_at, created_at, .. } = row.comment;
        let name = |first: &str, last: &str, username: &str| {
            planwright_domain::person::display_name(first, last, username)
        };
        let deleter = row.comment.deleted_by.zip(row.deleter_username);
        let (first, last) =
            (row.deleter_first_name.unwrap_or_default(), row.deleter_last_name.unwrap_or_default());
        Self {
            id,
            task: task_id,
            parent: parent_id,
            author: Author {
                id: author_id,
                display_name: name(&row.first_name, &row.last_name, &row.username),
                username: row.username,
            },
            body: if is_deleted { String::new() } else { body },
            edited_at,
            created_at,
            is_deleted,
            deleted_at: row.comment.deleted_at,
            deleted_by: deleter.map(|(id, username)| {
                let display_name = name(&first, &last, &username);
                Author { id, username, display_name }
            }),
            acknowledged_count: row.acknowledged_count,
            reaction_count: row.reaction_count,
            has_my_acknowledgement: row.has_my_acknowledgement,
            has_my_reaction: row.my_reaction_id.is_some(),
            my_reaction_id: row.my_reaction_id,
            server_version: row.comment.server_version,
        }
    }
}

row! {
    /// That somebody has seen a comment.
    #[derive(Serialize, JsonSchema)]
    pub struct CommentAcknowledgement {
        pub id: Uuid,
        pub user: UserId,
        pub created_at: DateTime<Utc>,
    }
}

/// Whether there was something to take back.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AcknowledgementDeleted {
    pub deleted: bool,
}

input! {
    /// How somebody reacts to a comment.
    pub struct CommentReactionRequest {
        /// One of 👍 👎 😄 🎉 😕 ❤️ 🚀 👀.
        pub emoji: Name<1, 8>,
    }
}

row! {
    /// A reaction as it is stored, with the names of who reacted.
    pub struct ReactionRow {
        pub id: ReactionId,
        pub emoji: Emoji,
        pub created_at: DateTime<Utc>,
    }
    and pub author: crate::author::AuthorRow
}

/// How somebody reacted to a comment.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CommentReaction {
    pub id: ReactionId,
    pub user: Author,
    /// One of 👍 👎 😄 🎉 😕 ❤️ 🚀 👀.
    pub emoji: &'static str,
    pub created_at: DateTime<Utc>,
}

impl From<ReactionRow> for CommentReaction {
    fn from(row: ReactionRow) -> Self {
        Self { id: row.id, user: row.author.into(), emoji: row.emoji.as_str(), created_at: row.created_at }
    }
}
