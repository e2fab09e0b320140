//! Task links on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProjectId, TaskId, TaskLinkId, UserId};
use planwright_domain::words::{ChangeKind, LinkProvider, LinkStatus, PreviewType};
use planwright_plan::tasks::of_task::OfTask;
use planwright_plan::tasks::write::TaskRecord;
use planwright_store::{record, tracked};
use planwright_web::input::{Int, List, LongText, Name};
use planwright_web::{Resource, body};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};
use uuid::Uuid;

record! {
    /// A link as it is stored.
    pub struct LinkRow in task_links {
        #[serde(skip)]
        pub id: TaskLinkId,
        #[serde(skip)]
        pub project_id: ProjectId,
        #[serde(skip)]
        pub task_id: TaskId,
        pub url: String,
        pub provider: LinkProvider,
        pub title: String,
        pub custom_title: String,
        /// A list of texts.
        pub labels: Json,
        pub status: LinkStatus,
        pub preview_type: PreviewType,
        pub fetched_at: Option<DateTime<Utc>>,
        pub display_order: i64,
        #[serde(skip)]
        pub created_by: UserId,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    LinkRow as "task_link" {
        fn event(kind: ChangeKind) -> Option<SocketEvent> {
            Some(match kind {
                ChangeKind::Created | ChangeKind::Restored => SocketEvent::TaskLinkCreated,
                ChangeKind::Updated => SocketEvent::TaskLinkUpdated,
                ChangeKind::Deleted => SocketEvent::TaskLinkDeleted,
            })
        }

        fn payload(&self) -> Json {
            json!({ "id": self.id, "task_id": self.task_id })
        }
    }
}

impl Resource for LinkRow {
    type Container = OfTask;

    fn container(&self) -> OfTask {
        OfTask(self.task_id)
    }

    fn ancestors(&self) -> Vec<Uuid> {
        vec![self.project_id.0, self.task_id.0]
    }
}

impl LinkRow {
    /// A link before anything is said of it.
    pub fn fresh(id: TaskLinkId, task: &TaskRecord, created_by: UserId, now: DateTime<Utc>) -> Self {
        Self {
            id,
            project_id: task.project_id,
            task_id: task.id,
            url: String::new(),
            provider: LinkProvider::Generic,
            title: String::new(),
            custom_title: String::new(),
            labels: json!([]),
            status: LinkStatus::Unknown,
            preview_type: PreviewType::File,
            fetched_at: None,
            display_order: 0,
            created_by,
            created_at: now,
            server_version: 1,
        }
    }
}

body! {
    /// A link to put on a task.
    pub struct TaskLinkRequest;
    /// What of a link is to change.
    pub struct PatchedTaskLinkRequest;
    required {
        /// Where it leads: an http or https address without a user name or a password.
        url: Name<1, 2048>,
    }
    optional {
        /// What people call it. Blank shows the title of the page.
        custom_title: LongText<0, 512>,
        /// Words to find it by, at most 12.
        labels: List<Name<1, 40>, 0, 12>,
        /// Its place among the links of its task; a smaller number is shown first.
        display_order: Int<0, 2147483647>,
    }
}

/// A link on a task.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskLink {
    pub id: TaskLinkId,
    pub url: String,
    /// Whose page it is, as far as its host says.
    pub provider: LinkProvider,
    /// The title of the page; blank until it was read.
    pub title: String,
    /// What people call it.
    pub custom_title: String,
    pub labels: Vec<String>,
    /// How far the work is that the page shows.
    pub status: LinkStatus,
    /// When the page was read last.
    pub fetched_at: Option<DateTime<Utc>>,
    /// Always blank: only the title of a page is kept.
    pub description: String,
    /// Always blank: nothing is loaded from other places for a picture.
    pub thumbnail_url: String,
    /// What the page is, as far as its address says.
    pub preview_type: PreviewType,
    pub display_order: i64,
    pub server_version: i64,
}

impl From<LinkRow> for TaskLink {
    fn from(row: LinkRow) -> Self {
        Self {
            id: row.id,
            url: row.url,
            provider: row.provider,
            title: row.title,
            custom_title: row.custom_title,
            labels: super::rules::texts(&row.labels),
            status: row.status,
            fetched_at: row.fetched_at,
            description: String::new(),
            thumbnail_url: String::new(),
            preview_type: row.preview_type,
            display_order: row.display_order,
            server_version: row.server_version,
        }
    }
}
