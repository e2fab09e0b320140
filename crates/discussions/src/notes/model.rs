//! Notes on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{NoteId, ProjectId, TaskId, UserId};
use planwright_domain::words::ChangeKind;
use planwright_plan::tasks::of_task::OfTask;
use planwright_plan::tasks::write::TaskRecord;
use planwright_store::{record, row, tracked};
use planwright_web::input::LongText;
use planwright_web::{Resource, body};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::author::{Author, AuthorRow};

record! {
    /// A note as it is stored.
    pub struct NoteRow in task_notes {
        #[serde(skip)]
        pub id: NoteId,
        #[serde(skip)]
        pub project_id: ProjectId,
        #[serde(skip)]
        pub task_id: TaskId,
        #[serde(skip)]
        pub author_id: UserId,
        pub body: String,
        pub pinned: bool,
        pub decision: bool,
        #[serde(skip)]
        pub edited_at: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    NoteRow as "task_note" {
        fn event(kind: ChangeKind) -> Option<SocketEvent> {
            Some(match kind {
                ChangeKind::Created | ChangeKind::Restored => SocketEvent::TaskNoteCreated,
                ChangeKind::Updated => SocketEvent::TaskNoteUpdated,
                ChangeKind::Deleted => SocketEvent::TaskNoteDeleted,
            })
        }

        fn payload(&self) -> Json {
            json!({ "id": self.id, "task_id": self.task_id })
        }
    }
}

impl Resource for NoteRow {
    type Container = OfTask;

    fn container(&self) -> OfTask {
        OfTask(self.task_id)
    }

    fn ancestors(&self) -> Vec<Uuid> {
        vec![self.project_id.0, self.task_id.0]
    }
}

impl NoteRow {
    /// A note that was just written.
    pub fn fresh(id: NoteId, task: &TaskRecord, author_id: UserId, body: String, now: DateTime<Utc>) -> Self {
        Self {
            id,
            project_id: task.project_id,
            task_id: task.id,
            author_id,
            body,
            pinned: false,
            decision: false,
            edited_at: None,
            created_at: now,
            server_version: 1,
        }
    }
}

row! {
    /// A note with the names of its author.
    pub struct ShownNoteRow {
        pub username: String,
        pub first_name: String,
        pub last_name: String,
    }
    and pub note: NoteRow
}

body! {
    /// A new note.
    pub struct TaskNoteRequest;
    /// What of a note is to change.
    pub struct PatchedTaskNoteRequest;
    required {
        /// What it says, as Markdown.
        body: LongText<1, 10000>,
    }
}

/// A note on a task.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskNote {
    pub id: NoteId,
    pub task: TaskId,
    pub author: Author,
    /// What it says, as Markdown.
    pub body: String,
    pub pinned: bool,
    pub decision: bool,
    /// When its text was changed last.
    pub edited_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    /// Always false: a deleted note is not shown.
    pub is_deleted: bool,
    /// Always null.
    pub deleted_at: Option<DateTime<Utc>>,
    /// Always null.
    pub deleted_by: Option<Author>,
    pub server_version: i64,
}

impl From<ShownNoteRow> for TaskNote {
    fn from(ShownNoteRow { username, first_name, last_name, note }: ShownNoteRow) -> Self {
        let author = AuthorRow { author_id: note.author_id, username, first_name, last_name };
        Self {
            id: note.id,
            task: note.task_id,
            author: author.into(),
            body: note.body,
            pinned: note.pinned,
            decision: note.decision,
            edited_at: note.edited_at,
            created_at: note.created_at,
            is_deleted: false,
            deleted_at: None,
            deleted_by: None,
            server_version: note.server_version,
        }
    }
}
