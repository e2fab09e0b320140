//! The request and the answer of a search, and the rows it finds.

use planwright_domain::ids::*;
use planwright_domain::words::{BacklogItemType, TaskType};
use planwright_store::row;
use planwright_web::envelope::Page;
use planwright_web::input;
use planwright_web::input::{Name, Patch};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

input! {
    /// What to look for.
    pub struct OmniSearchQuery {
        /// The words to look for. Fewer than two characters find nothing.
        pub q: Patch<Name<0, 100>>,
        /// Only these types, separated by commas: `epic`, `story`, `task`, `milestone`.
        pub r#type: Patch<Name<0, 100>>,
    }
}

/// What a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FoundKind {
    /// A task of a project.
    Task,
    /// An item of the backlog of a program.
    BacklogItem,
}

/// The type of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FoundType {
    /// An epic.
    Epic,
    /// A story; of a program, also a feature.
    Story,
    /// All other work.
    Task,
    /// A milestone, whatever the type of its task.
    Milestone,
}

/// Where the words were found; the better place comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FoundIn {
    /// In the name or the title.
    Title,
    /// In the notes or the description.
    Text,
    /// In a comment.
    Comment,
}

row! {
    /// A task or an item that was found.
    pub struct FoundRow {
        pub id: Uuid,
        pub title: String,
        pub task_type: Option<TaskType>,
        pub item_type: Option<BacklogItemType>,
        pub is_milestone: bool,
    }
}

row! {
    /// What a task or an item belongs to.
    pub struct Around {
        pub id: Uuid,
        pub program_id: Option<ProgramId>,
        pub program_name: Option<String>,
        pub project_id: Option<ProjectId>,
        pub project_name: Option<String>,
        pub parent_epic_id: Option<TaskId>,
        pub parent_epic_name: Option<String>,
    }
}

/// Something that was found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OmniSearchResult {
    pub id: Uuid,
    pub kind: FoundKind,
    #[serde(rename = "type")]
    pub r#type: FoundType,
    pub title: String,
    pub program_id: Option<ProgramId>,
    pub program_name: Option<String>,
    /// Null for an item of a program.
    pub project_id: Option<ProjectId>,
    pub project_name: Option<String>,
    pub parent_epic_id: Option<TaskId>,
    pub parent_epic_name: Option<String>,
}

/// A page of what was found. At most 500 rows of each kind and place are looked at, the newest of them.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OmniSearchResultPage {
    #[serde(flatten)]
    pub page: Page<OmniSearchResult>,
}
