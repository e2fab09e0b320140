//! What the feed shows, and what can be asked of it.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProgramId, ProjectId, TaskId, UserId};
use planwright_domain::person;
use planwright_domain::words::{LinkProvider, LinkStatus, PreviewType, Word};
use planwright_store::row;
use planwright_web::input::{Name, Patch};
use planwright_web::{Field, Problem, input};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::Value as Json;
use uuid::Uuid;

use crate::links;

/// What was put beside a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssetKind {
    /// A file that was uploaded.
    File,
    /// An address of another place.
    Link,
}

impl Word for AssetKind {
    const ALL: &'static [Self] = &[Self::File, Self::Link];

    fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Link => "link",
        }
    }
}

impl Field for AssetKind {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        let text = String::from_json(value)?;
        Self::parse(&text).ok_or_else(|| Problem::says(format!("\"{text}\" is not a valid choice.")))
    }
}

impl Serialize for AssetKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[schemars::for_document]
impl JsonSchema for AssetKind {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AssetKind".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "enum": ["file", "link"] })
    }
}

input! {
    /// What of a feed is shown.
    pub struct AssetFilter {
        /// Only assets of this kind.
        pub kind: Patch<AssetKind>,
        /// Only links with this label.
        pub label: Patch<Name<1, 40>>,
        /// Only links to pages of this provider.
        pub provider: Patch<LinkProvider>,
        /// Words that a title or an address contains.
        pub q: Patch<Name<0, 100>>,
    }
}

input! {
    /// Which tasks a feed of all projects tells of.
    pub struct AssetTasks {
        /// Only assets of tasks that the caller is the assignee of.
        pub mine: Patch<bool>,
        /// Only assets of projects of this program.
        pub program: Patch<ProgramId>,
    }
}

row! {
    /// An asset with the names of where it is.
    pub struct AssetRow {
        pub id: Uuid,
        pub storage_key: String,
        pub url: String,
        pub title: String,
        pub custom_title: String,
        pub labels: Json,
        pub provider: Option<LinkProvider>,
        pub status: Option<LinkStatus>,
        pub preview_type: Option<PreviewType>,
        pub created_at: DateTime<Utc>,
        pub task_id: TaskId,
        pub task_name: String,
        pub project_id: ProjectId,
        pub project_name: String,
        pub program_id: Option<ProgramId>,
        pub program_name: Option<String>,
        pub user_id: UserId,
        pub username: String,
        pub first_name: String,
        pub last_name: String,
    }
}

/// The task of an asset.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AssetTaskRef {
    pub id: TaskId,
    pub name: String,
}

/// The project of an asset.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AssetProjectRef {
    pub id: ProjectId,
    pub name: String,
}

/// The program of an asset.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AssetProgramRef {
    pub id: ProgramId,
    pub name: String,
}

/// Who added an asset.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AssetUser {
    pub id: UserId,
    pub display_name: String,
}

/// Something beside a task.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AssetItem {
    pub kind: AssetKind,
    pub id: Uuid,
    /// What people call it, else the name of the file, else the title of its page, else its address.
    pub title: String,
    /// Where a link leads.
    pub url: Option<String>,
    /// Where a signed address for a file is to be had; null for links.
    pub download_url: Option<String>,
    pub provider: Option<LinkProvider>,
    pub status: Option<LinkStatus>,
    pub preview_type: Option<PreviewType>,
    pub labels: Vec<String>,
    pub task: AssetTaskRef,
    pub project: AssetProjectRef,
    /// Null for a project without a program.
    pub program: Option<AssetProgramRef>,
    pub added_by: Option<AssetUser>,
    pub added_at: DateTime<Utc>,
}

/// A page of a feed, newest first.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AssetFeedResponse {
    pub results: Vec<AssetItem>,
    /// What `cursor` has to be for the next page; null on the last one.
    pub next_cursor: Option<String>,
}

impl From<AssetRow> for AssetItem {
    fn from(row: AssetRow) -> Self {
        let names = [row.custom_title, row.title, row.url.clone()];
        let is_file = !row.storage_key.is_empty();
        let (project, task, id) = (row.project_id, row.task_id, row.id);
        let signed = format!("/api/v1/projects/{project}/tasks/{task}/attachments/{id}/signed-url/");
        let program = row.program_id.zip(row.program_name);
        let display_name = person::display_name(&row.first_name, &row.last_name, &row.username);
        Self {
            kind: if is_file { AssetKind::File } else { AssetKind::Link },
            id: row.id,
            title: names.into_iter().find(|name| !name.is_empty()).unwrap_or_default(),
            url: (!is_file).then_some(row.url),
            download_url: is_file.then_some(signed),
            provider: row.provider,
            status: row.status,
            preview_type: row.preview_type,
            labels: links::texts(&row.labels),
            task: AssetTaskRef { id: row.task_id, name: row.task_name },
            project: AssetProjectRef { id: row.project_id, name: row.project_name },
            program: program.map(|(id, name)| AssetProgramRef { id, name }),
            added_by: Some(AssetUser { id: row.user_id, display_name }),
            added_at: row.created_at,
        }
    }
}
