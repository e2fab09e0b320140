//! Items of a program backlog on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{BacklogItemId, ProgramId, ProjectId, TaskId, UserId};
use planwright_domain::words::{BacklogItemStatus, BacklogItemType};
use planwright_plan::tasks::model::Task;
use planwright_store::{record, row, tracked};
use planwright_web::input::{Int, List, LongText, Name, Patch};
use planwright_web::{Resource, body, input};
use schemars::JsonSchema;
use serde::Serialize;

record! {
    /// An item as it is stored. Whether it is pulled also depends on whether its task is still there.
    pub struct BacklogItemRow in backlog_items {
        #[serde(skip)]
        pub id: BacklogItemId,
        #[serde(skip)]
        pub program_id: ProgramId,
        pub title: String,
        pub description: String,
        pub item_type: BacklogItemType,
        pub status: BacklogItemStatus,
        /// A list of texts.
        pub tags: serde_json::Value,
        pub priority_rank: Option<i64>,
        pub story_points: Option<i64>,
        #[serde(rename = "pulled_task")]
        pub pulled_task_id: Option<TaskId>,
        #[serde(skip)]
        pub pulled_at: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub pulled_by_id: Option<UserId>,
        #[serde(skip)]
        pub created_by_id: Option<UserId>,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub updated_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! { BacklogItemRow as "backlog_item" }

impl Resource for BacklogItemRow {
    type Container = ProgramId;

    fn container(&self) -> ProgramId {
        self.program_id
    }
}

impl BacklogItemRow {
    /// Its tags.
    pub fn tags(&self) -> Vec<String> {
        let texts = self.tags.as_array().into_iter().flatten();
        texts.filter_map(|tag| tag.as_str().map(str::to_owned)).collect()
    }
}

row! {
    /// An item with what is still there of its task; the project only if the caller sees it.
    pub struct ShownItemRow {
        pub live_task_id: Option<TaskId>,
        pub project_id: Option<ProjectId>,
        pub project_name: Option<String>,
    }
    and pub item: BacklogItemRow
}

/// An item of a program backlog.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BacklogItem {
    pub id: BacklogItemId,
    pub server_version: i64,
    pub program: ProgramId,
    pub title: String,
    pub description: String,
    pub item_type: BacklogItemType,
    /// `pulled` as long as its task is there.
    pub status: BacklogItemStatus,
    /// They become labels of the task.
    pub tags: Vec<String>,
    pub priority_rank: Option<i64>,
    pub story_points: Option<i64>,
    /// The task that it became.
    pub pulled_task: Option<TaskId>,
    /// The project of that task; null when you are no member of it.
    pub pulled_task_project_id: Option<ProjectId>,
    /// The name of that project; null when you are no member of it.
    pub pulled_task_project_name: Option<String>,
    pub pulled_at: Option<DateTime<Utc>>,
    pub pulled_by: Option<UserId>,
    pub created_by: Option<UserId>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl From<ShownItemRow> for BacklogItem {
    fn from(ShownItemRow { live_task_id, project_id, project_name, item }: ShownItemRow) -> Self {
        let is_pulled = live_task_id.is_some();
        Self {
            tags: item.tags(),
            status: match item.status {
                BacklogItemStatus::Pulled if !is_pulled => BacklogItemStatus::Proposed,
                status => status,
            },
            pulled_task: live_task_id,
            pulled_task_project_id: project_id,
            pulled_task_project_name: project_name,
            pulled_at: item.pulled_at.filter(|_| is_pulled),
            pulled_by: item.pulled_by_id.filter(|_| is_pulled),
            id: item.id,
            server_version: item.server_version,
            program: item.program_id,
            title: item.title,
            description: item.description,
            item_type: item.item_type,
            priority_rank: item.priority_rank,
            story_points: item.story_points,
            created_by: item.created_by_id,
            created_at: item.created_at,
            updated_at: item.updated_at,
        }
    }
}

body! {
    /// A new item of a program backlog, or all of one.
    pub struct BacklogItemRequest;
    /// Some fields of an item of a program backlog.
    pub struct PatchedBacklogItemRequest;
    required {
        /// What might be done.
        title: Name<1, 512>,
    }
    optional {
        /// Anything worth knowing.
        description: LongText<0, 100000>,
        /// What kind of work it is; a story unless said otherwise.
        item_type: BacklogItemType,
        /// Whether it is proposed or archived; an item is pulled by its own route.
        status: BacklogItemStatus,
        /// Words to find it by; they become labels of the task.
        tags: List<Name<1, 50>, 0, 20>,
        /// Its place in the backlog.
        priority_rank: Option<Int<0, 2147483647>>,
        /// Its size.
        story_points: Option<Int<0, 32767>>,
    }
}

input! {
    /// Which items of a program backlog a list shows.
    pub struct BacklogItemFilter {
        /// Items of this kind.
        pub item_type: Patch<BacklogItemType>,
        /// Items that stand there; those that are proposed unless said otherwise.
        pub status: Patch<BacklogItemStatus>,
        /// Items with any of these tags, separated by commas, without regard to case.
        pub tags: Patch<Name<0, 2000>>,
        /// Items whose title or description contains this text.
        pub q: Patch<Name<0, 200>>,
    }
}

input! {
    /// Where an item goes.
    pub struct BacklogItemPullRequestRequest {
        /// The project that gets the task; one of the program.
        pub project_id: ProjectId,
    }
}

/// An item that was pulled, with the task that it became.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BacklogItemPullResult {
    pub task: Task,
    pub backlog_item: BacklogItem,
}
