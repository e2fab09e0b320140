//! Labels on the wire.
//! How they are stored is in `plan/src/tasks/labels.rs`, the chip that a task shows in `plan/src/tasks/facets/`.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{LabelId, ProjectId, TaskId};
use planwright_domain::words::{LabelColor, TaskStatus};
pub use planwright_plan::tasks::labels::LabelRow;
use planwright_plan::tasks::model::TaskLabelChip;
use planwright_store::{record, row};
use planwright_web::input::{Int, Name, Patch};
use planwright_web::{body, input};
use schemars::JsonSchema;
use serde::Serialize;

record! {
    /// A label with the number of tasks that carry it.
    pub struct CountedRow {
        pub task_count: i64,
    }
    and pub label: LabelRow
}

/// A label.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Label {
    pub id: LabelId,
    pub server_version: i64,
    /// The name. It is unique in the project. Case does not matter.
    pub name: String,
    pub color: LabelColor,
    /// Its place among the labels of the project.
    pub position: i64,
    pub created_at: DateTime<Utc>,
    /// The number of tasks with this label.
    pub task_count: i64,
}

impl From<CountedRow> for Label {
    fn from(CountedRow { task_count, label }: CountedRow) -> Self {
        let LabelRow { id, server_version, name, color, position, created_at, .. } = label;
        Self { id, server_version, name, color, position, created_at, task_count }
    }
}

body! {
    /// All fields of a label.
    pub struct LabelRequest;
    /// Some fields of a label.
    pub struct PatchedLabelRequest;
    required {
        /// The name. It is unique in the project. Case does not matter.
        name: Name<1, 50>,
    }
    optional {
        /// Slate unless said otherwise.
        color: LabelColor,
        /// The position among the labels of the project. The default is the last position.
        position: Int<-32768, 32767>,
    }
}

row! {
    /// A label on a task.
    pub struct LabelOn {
        pub task_id: TaskId,
        pub id: LabelId,
        pub name: String,
        pub color: LabelColor,
        pub position: i64,
    }
}

impl From<LabelOn> for TaskLabelChip {
    fn from(row: LabelOn) -> Self {
        Self { id: row.id, name: row.name, color: row.color, position: row.position }
    }
}

input! {
    /// The label that a task gets.
    pub struct TaskLabelAttachRequestRequest {
        /// The label.
        pub label_id: LabelId,
    }
}

input! {
    /// The body that some clients send, although the path already names the label.
    pub struct TaskLabelNamedRequest {
        /// The label in the path. It may be left out.
        pub label_id: Patch<LabelId>,
    }
}

input! {
    /// The labels that a task loses.
    pub struct TaskLabelDetachQuery {
        /// Only this one. The default is all.
        pub label_id: Patch<LabelId>,
    }
}

row! {
    /// A label name that is used in projects of a program.
    #[derive(Serialize, JsonSchema)]
    pub struct ProgramLabel {
        /// The name of the oldest such label.
        pub name: String,
        /// The colour of that label.
        pub color: LabelColor,
        /// The number of projects with a label of this name.
        pub project_count: i64,
        /// The number of tasks with such a label.
        pub task_count: i64,
    }
}

input! {
    /// Which labelled tasks of a program a list shows.
    pub struct ProgramLabelFilter {
        /// Names of labels, separated by commas. Tasks with at least one of them are listed. The default is all
        /// labelled tasks.
        pub labels: Patch<Name<0, 2000>>,
    }
}

row! {
    /// A labelled task of a program, with its project.
    pub struct LabelledRow {
        pub id: TaskId,
        pub short_id: String,
        pub name: String,
        pub outline: Option<String>,
        pub status: TaskStatus,
        pub percent_complete: f64,
        pub early_finish: Option<i32>,
        pub is_milestone: bool,
        pub project_id: ProjectId,
        pub project_name: String,
        pub project_code: String,
    }
}

/// The project of a task in a list of a program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskProjectRef {
    pub id: ProjectId,
    pub name: String,
    pub code: String,
}

/// A label in the list of labelled tasks of a program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LabelChip {
    pub id: LabelId,
    pub name: String,
    pub color: LabelColor,
}

/// A labelled task of a program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProgramLabelTask {
    pub id: TaskId,
    pub short_id: String,
    pub name: String,
    pub wbs_path: Option<String>,
    pub status: TaskStatus,
    pub percent_complete: f64,
    pub early_finish: Option<NaiveDate>,
    pub is_milestone: bool,
    pub project: TaskProjectRef,
    pub labels: Vec<LabelChip>,
}
