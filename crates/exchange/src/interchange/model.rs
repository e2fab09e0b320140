//! Imports of files on the wire: what is said beside a file, the preview of a table, and what became of an import.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{ProgramId, ProjectId, TaskId, UserId};
use planwright_domain::words::{FileImportKind, FileImportStatus};
use planwright_plan_files::Loss;
use planwright_plan_files::table::{CellProblem, Column, DateOrderFound};
use planwright_store::{FromValue, Result, StoreError, Value};
use planwright_web::input;
use planwright_web::input::Patch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use uuid::Uuid;

use crate::under_way::JobProgress;

input! {
    /// What may be said beside a table.
    pub struct TableImportRequest {
        /// What the columns mean: a JSON object from header to field. Another text is ignored.
        pub column_map: Patch<String>,
        /// The order in which dates are written: `auto`, `mdy`, `dmy` or `iso`.
        pub date_order: Patch<String>,
        /// Whether somebody confirmed the order of an earlier preview.
        pub date_order_confirmed: Patch<String>,
    }
}

input! {
    /// What may be said beside the file of a plan: nothing yet.
    pub struct PlanImportRequest {}
}

input! {
    /// Where a new project goes.
    pub struct ProjectImportRequest {
        /// The program that it becomes part of.
        pub program: Patch<Option<ProgramId>>,
    }
}

/// What a table would bring. Nothing is kept.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TablePreview {
    /// What each column means.
    pub columns: Vec<Column>,
    /// The first ten rows.
    pub sample_rows: Vec<Vec<String>>,
    /// How many rows the table has.
    pub row_count: usize,
    /// How many tasks would be made.
    pub task_count: usize,
    /// How many links would be made.
    pub dependency_count: usize,
    /// How many milestones there are among the tasks.
    pub milestone_count: usize,
    /// How many rows would stand in the branch for review.
    pub parked_row_count: usize,
    /// What cannot be read, cell by cell.
    pub row_errors: Vec<CellProblem>,
    /// What would not be carried.
    pub warnings: Vec<String>,
    /// The same with the rows.
    pub losses: Vec<Loss>,
    /// The order in which dates were read, and how that is known.
    pub date_order: DateOrderFound,
    /// The fields that a column can mean.
    pub available_fields: Vec<&'static str>,
}

/// A row that a file would bring.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PreviewRow {
    /// Its outline number.
    pub wbs: String,
    /// Its name.
    pub name: String,
    pub is_milestone: bool,
    /// The dates that it would have in a new project. Null for a row without dates.
    pub start: Option<NaiveDate>,
    pub finish: Option<NaiveDate>,
}

/// A row whose dates would not be those of its file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PreviewDifference {
    /// The row, with the dates that it would have.
    #[serde(flatten)]
    pub row: PreviewRow,
    /// The dates in the file.
    pub file_start: Option<NaiveDate>,
    pub file_finish: Option<NaiveDate>,
    /// By how many calendar days it would start later than in the file; negative is earlier.
    pub start_difference_days: Option<i64>,
    /// By how many calendar days it would finish later than in the file; negative is earlier.
    pub finish_difference_days: Option<i64>,
}

/// What the file of a plan would bring as a new project. Nothing is kept.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PlanPreview {
    /// What kind of file it is.
    pub kind: FileImportKind,
    /// The name of the project in the file.
    pub name: String,
    /// How many tasks would be made.
    pub task_count: usize,
    /// How many milestones there are among the tasks.
    pub milestone_count: usize,
    /// How many links would be made.
    pub dependency_count: usize,
    /// How many resources the file has.
    pub resource_count: usize,
    /// How many calendars the file has.
    pub calendar_count: usize,
    /// How many baselines the file has.
    pub baseline_count: usize,
    /// The first day and the last day of the plan, as they would be computed. Null without dates.
    pub start: Option<NaiveDate>,
    pub finish: Option<NaiveDate>,
    /// The first twenty rows.
    pub first_rows: Vec<PreviewRow>,
    /// What would not be carried, as sentences.
    pub warnings: Vec<String>,
    /// The same with the rows.
    pub losses: Vec<Loss>,
    /// How many rows would have other dates than in the file.
    pub date_difference_count: usize,
    /// The first thousand of them. The import says for each what holds its dates.
    pub date_differences: Vec<PreviewDifference>,
}

/// An import that was accepted.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FileImportQueued {
    /// Always true.
    pub queued: bool,
    /// The id with which the import can be followed.
    pub import_request_id: Uuid,
    /// The project.
    pub project_id: ProjectId,
    /// Where the import stands.
    pub status: FileImportStatus,
    /// How many rows were read.
    pub task_count: usize,
    /// What is not carried.
    pub warnings: Vec<String>,
}

/// What is known of a file before its rows are there.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct FileReport {
    /// What is not carried.
    pub(crate) losses: Vec<Loss>,
    /// Cells that could not be read, as line, field and message.
    pub(crate) problems: Vec<(usize, String, String)>,
    /// How many rows stand in the branch for review.
    pub(crate) parked: usize,
    /// The dates that the file has, in the order of the tasks.
    pub(crate) dates: Vec<(Option<NaiveDate>, Option<NaiveDate>)>,
}

/// A task whose dates are not those of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DateDifference {
    /// The task.
    pub task: TaskId,
    /// Its name.
    pub name: String,
    /// The dates in the file.
    pub file_start: Option<NaiveDate>,
    pub file_finish: Option<NaiveDate>,
    /// The dates that were computed.
    pub start: Option<NaiveDate>,
    pub finish: Option<NaiveDate>,
    /// By how many calendar days it starts later than in the file; negative is earlier.
    pub start_difference_days: Option<i64>,
    /// By how many calendar days it finishes later than in the file; negative is earlier.
    pub finish_difference_days: Option<i64>,
    /// What holds its dates now, in sentences; also which constraint of the file is overruled.
    pub reason: String,
}

/// What an import brought.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct FileImportSummary {
    /// How many tasks were made.
    pub tasks_created: usize,
    /// How many links were made.
    pub dependencies_created: usize,
    /// How many resources were assigned.
    pub resources_assigned: usize,
    /// How many rows stand in the branch for review.
    pub parked_row_count: usize,
    /// Cells that could not be read, as sentences.
    pub row_errors: Vec<String>,
    /// What was not carried, as sentences.
    pub warnings: Vec<String>,
    /// The same with the rows.
    pub losses: Vec<Loss>,
    /// How many tasks have other dates than in the file.
    pub date_difference_count: usize,
    /// The first thousand of them.
    pub date_differences: Vec<DateDifference>,
}

impl FromValue for FileImportSummary {
    fn from_value(value: Value) -> Result<Self> {
        let kept = Json::from_value(value)?;
        serde_json::from_value(kept).map_err(|error| StoreError::Unexpected(error.into()))
    }
}

/// An import of a file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FileImport {
    pub id: Uuid,
    /// The project.
    pub project: ProjectId,
    /// What kind of file it was.
    pub kind: FileImportKind,
    /// Where it stands. `dead` means that it failed and will not be tried again.
    pub status: FileImportStatus,
    /// The name of the file.
    pub filename: String,
    /// What it brought.
    pub summary: FileImportSummary,
    /// Why it failed.
    pub error_detail: String,
    /// Who brought it.
    pub created_by: UserId,
    pub created_at: DateTime<Utc>,
    /// When the job began.
    pub started_at: Option<DateTime<Utc>>,
    pub completed_at: Option<DateTime<Utc>>,
    pub undone_at: Option<DateTime<Utc>>,
    /// When somebody cancelled it.
    pub cancelled_at: Option<DateTime<Utc>>,
    /// How far it has come. Null before it begins.
    pub progress: Option<JobProgress>,
}

/// An import that was taken back.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FileImportUndone {
    pub id: Uuid,
    /// Always `undone`.
    pub status: FileImportStatus,
    /// What became of its rows.
    pub undo: UndoCounts,
}

/// What became of rows that were taken back.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct UndoCounts {
    /// How many were deleted.
    pub deleted: usize,
    /// How many stay because somebody changed them.
    pub kept: usize,
}
