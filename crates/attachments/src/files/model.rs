//! Attachments on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{AttachmentId, ProjectId, TaskId, UserId};
use planwright_domain::person::display_name;
use planwright_domain::words::ChangeKind;
use planwright_plan::tasks::of_task::OfTask;
use planwright_store::{record, row, tracked};
use planwright_web::input::{LongText, Name, Patch};
use planwright_web::{Resource, input};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};
use uuid::Uuid;

record! {
    /// An attachment as it is stored.
    pub struct AttachmentRow in task_attachments {
        #[serde(skip)]
        pub id: AttachmentId,
        #[serde(skip)]
        pub project_id: ProjectId,
        #[serde(skip)]
        pub task_id: TaskId,
        #[serde(skip)]
        pub storage_key: String,
        pub file_name: String,
        pub file_size: Option<i64>,
        pub file_mime: String,
        pub external_url: String,
        pub external_title: String,
        pub is_pinned: bool,
        #[serde(skip)]
        pub uploaded_by: UserId,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    AttachmentRow as "task_attachment" {
        fn event(kind: ChangeKind) -> Option<SocketEvent> {
            match kind {
                ChangeKind::Created | ChangeKind::Restored => Some(SocketEvent::TaskAttachmentCreated),
                ChangeKind::Deleted => Some(SocketEvent::TaskAttachmentDeleted),
                ChangeKind::Updated => None,
            }
        }

        fn payload(&self) -> Json {
            json!({ "id": self.id, "task_id": self.task_id })
        }
    }
}

impl Resource for AttachmentRow {
    type Container = OfTask;

    fn container(&self) -> OfTask {
        OfTask(self.task_id)
    }

    fn ancestors(&self) -> Vec<Uuid> {
        vec![self.project_id.0, self.task_id.0]
    }
}

row! {
    /// An attachment with whoever put it there.
    pub struct ShownRow {
        pub id: AttachmentId,
        pub project_id: ProjectId,
        pub task_id: TaskId,
        pub storage_key: String,
        pub file_name: String,
        pub file_size: Option<i64>,
        pub file_mime: String,
        pub external_url: String,
        pub external_title: String,
        pub is_pinned: bool,
        pub created_at: DateTime<Utc>,
        pub uploaded_by: UserId,
        pub username: String,
        pub first_name: String,
        pub last_name: String,
    }
}

/// A person beside an attachment.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AttachmentPerson {
    pub id: UserId,
    pub username: String,
    pub display_name: String,
}

/// A file or an address on a task.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskAttachment {
    pub id: AttachmentId,
    /// Where a signed address for the file is to be had. Null for an address of another place.
    pub file: Option<String>,
    pub file_name: String,
    /// Its size in bytes.
    pub file_size: Option<i64>,
    /// Its media type.
    pub file_mime: String,
    /// The address; blank for a file.
    pub external_url: String,
    pub external_title: String,
    /// Whether it stands before the others.
    pub is_pinned: bool,
    pub uploaded_by: AttachmentPerson,
    /// Always null: what is deleted is not shown.
    pub deleted_by: Option<AttachmentPerson>,
    pub created_at: DateTime<Utc>,
    /// Always false: what is deleted is not shown.
    pub is_deleted: bool,
    /// Always null: what is deleted is not shown.
    pub deleted_at: Option<DateTime<Utc>>,
}

impl From<ShownRow> for TaskAttachment {
    fn from(row: ShownRow) -> Self {
        let ShownRow { id, project_id, task_id, .. } = &row;
        let signed = format!("/api/v1/projects/{project_id}/tasks/{task_id}/attachments/{id}/signed-url/");
        Self {
            id: row.id,
            file: (!row.storage_key.is_empty()).then_some(signed),
            file_name: row.file_name,
            file_size: row.file_size,
            file_mime: row.file_mime,
            external_url: row.external_url,
            external_title: row.external_title,
            is_pinned: row.is_pinned,
            uploaded_by: AttachmentPerson {
                id: row.uploaded_by,
                display_name: display_name(&row.first_name, &row.last_name, &row.username),
                username: row.username,
            },
            deleted_by: None,
            created_at: row.created_at,
            is_deleted: false,
            deleted_at: None,
        }
    }
}

/// An address by which a file can be fetched for a while.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SignedDownloadUrl {
    /// The address. It works for whoever asked for it, as long as they are in the project.
    pub url: String,
    /// The time until which it works.
    pub expires_at: DateTime<Utc>,
}

input! {
    /// What is said beside a file, or of an address.
    pub struct TaskAttachmentRequest {
        /// The file. It is sent as the part `file` of a form; in JSON there is no file.
        pub file: Patch<Option<String>>,
        /// The name of the file; without it, the name that the file has where it comes from.
        pub file_name: Patch<Name<0, 255>>,
        /// The address of another place, http or https. Either this or a file.
        pub external_url: Patch<LongText<0, 2048>>,
        /// What the address is called.
        pub external_title: Patch<Name<0, 255>>,
        /// Whether it stands before the others.
        pub is_pinned: Patch<bool>,
    }
}

input! {
    /// How long an address works.
    pub struct SignedUrlQuery {
        /// Seconds, 1 to 3 600. The default is 900.
        pub ttl: Patch<planwright_web::input::Int<1, 3600>>,
    }
}
