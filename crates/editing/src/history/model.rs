//! Changes on the wire, a page of them, and what they add up to.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use planwright_domain::ids::UserId;
use planwright_domain::words::ChangeKind;
use planwright_store::row;
use planwright_web::input::{Name, Patch};
use planwright_web::{Field, Problem, input};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;
use uuid::Uuid;

use super::rules::{ALL, READABLE};

row! {
    /// A change as it was recorded, with its actor's names.
    pub struct HistoryRow {
        pub id: Uuid,
        pub at: DateTime<Utc>,
        pub entity: String,
        pub entity_id: Uuid,
        pub kind: ChangeKind,
        pub actor_id: Option<UserId>,
        pub username: Option<String>,
        pub first_name: Option<String>,
        pub last_name: Option<String>,
        pub version: i64,
        pub fields: Json,
    }
}

/// Somebody who changed something.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HistoryUser {
    pub id: UserId,
    pub username: String,
    pub display_name: String,
}

/// The values of a field before and after the change.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HistoryDiff {
    pub field: String,
    pub old: Json,
    pub new: Json,
    /// Whether both values are hidden from the caller.
    pub hidden: bool,
}

/// A change.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HistoryRecord {
    pub id: String,
    pub history_date: DateTime<Utc>,
    /// `+` means created, `~` changed, `-` deleted.
    pub history_type: String,
    /// `restored` if the row was restored from the trash.
    pub history_change_reason: Option<String>,
    /// Null for the system.
    pub history_user: Option<HistoryUser>,
    pub diff: Vec<HistoryDiff>,
    /// What kind of row it was.
    pub entity: String,
    pub entity_id: Uuid,
    /// The version of the row after the change.
    pub version: i64,
}

/// Changes, newest first.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectHistoryPage {
    /// The number of changes that were counted.
    pub count: i64,
    pub next: Option<String>,
    pub previous: Option<String>,
    pub results: Vec<HistoryRecord>,
    /// Whether there are more changes than were counted. `until` reaches them.
    pub count_truncated: bool,
}

/// Somebody who changed a task.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TaskChangeActor {
    pub id: UserId,
    pub display_name: String,
}

/// The values of a field of a task before and after the change, as text.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TaskFieldChange {
    pub field: String,
    /// Null means no value. A value that is not text is written as JSON.
    pub old: Option<String>,
    pub new: Option<String>,
    /// Whether both values are hidden from the caller.
    pub hidden: bool,
}

/// What a change did to a task.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TaskChangeDetail {
    /// The fields that changed.
    pub fields: Vec<String>,
}

/// A change of a task.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskChange {
    /// `task_created`, `task_updated`, `task_deleted` or `task_restored`.
    pub event_type: &'static str,
    /// Null for the system.
    pub actor: Option<TaskChangeActor>,
    pub timestamp: DateTime<Utc>,
    pub detail: TaskChangeDetail,
    pub id: String,
    /// `+` means created, `~` changed, `-` deleted.
    pub history_type: &'static str,
    pub history_date: DateTime<Utc>,
    /// The id of the person who changed it. Null for the system.
    pub history_user: Option<UserId>,
    /// Their name.
    pub history_user_display: Option<String>,
    pub diff: Vec<TaskFieldChange>,
    /// The version of the task after the change.
    pub version: i64,
}

/// How much one person changed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HistoryShare {
    /// Null for the system.
    pub user: Option<HistoryUser>,
    pub count: i64,
}

/// A summary of changes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectHistorySummary {
    pub total: i64,
    pub first_at: Option<DateTime<Utc>>,
    pub last_at: Option<DateTime<Utc>>,
    /// The number of changes of each type: `+`, `~` and `-`.
    pub by_type: BTreeMap<String, i64>,
    /// The number of changes for each kind of row.
    pub by_entity: BTreeMap<String, i64>,
    /// The number of changes by each person, the highest first.
    pub by_user: Vec<HistoryShare>,
}

/// A kind of row that the history tells of, or all of them.
#[derive(Clone, Debug)]
pub struct RowKind(Name<1, 40>);

impl RowKind {
    /// Its name.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl Field for RowKind {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        let name = Name::from_json(value)?;
        let known = READABLE.iter().chain([&ALL]).any(|known| *known == name.as_str());
        match known {
            true => Ok(Self(name)),
            false => Err(Problem::says(format!("\"{}\" is not a valid choice.", name.as_str()))),
        }
    }
}

#[schemars::for_document]
impl JsonSchema for RowKind {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RowKind".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Name::<1, 40>::json_schema(generator)
    }
}

input! {
    /// Which changes to show.
    pub struct HistoryFilter {
        /// Only changes of this kind of row. `all` means all kinds. The default is the project itself.
        pub entity: Patch<RowKind>,
        /// Only changes of this row.
        pub entity_id: Patch<Uuid>,
        /// Only changes by this person.
        pub actor: Patch<UserId>,
        /// Only changes at this time or later.
        pub since: Patch<DateTime<Utc>>,
        /// Only changes before this time.
        pub until: Patch<DateTime<Utc>>,
    }
}

input! {
    /// Which changes of a task to show.
    pub struct TaskHistoryQuery {
        /// Only changes before this time.
        pub until: Patch<DateTime<Utc>>,
    }
}
