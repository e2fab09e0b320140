//! Imports on the wire (names and types of the reference's schema).

use chrono::{DateTime, Utc};
use planwright_domain::ids::ProgramId;
use planwright_domain::words::{LagCalendar, RunStatus};
use planwright_plan::import::replacement::Candidate;
use planwright_web::input;
use planwright_web::input::Patch;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::queries::ImportRow;
use crate::under_way::JobProgress;

input! {
    /// What may be said beside a document: keys of a raw body, or fields of a form.
    pub struct SeedImportRequest {
        /// Whether a program of the same code may be replaced.
        pub replace: Patch<bool>,
        /// The program that is expected to be replaced.
        pub expected_program_id: Patch<Option<ProgramId>>,
        /// The calendar that lags are counted on, whatever the document says.
        pub lag_calendar: Patch<Option<LagCalendar>>,
    }
}

/// The names of [`SeedImportRequest`]'s fields.
pub(super) const OPTIONS: [&str; 3] = ["replace", "expected_program_id", "lag_calendar"];

/// An import that was accepted.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SeedImportQueuedResponse {
    /// Always true.
    pub queued: bool,
    /// The new program. It is empty until the import is done.
    pub program_id: ProgramId,
    /// The id with which the import can be followed.
    pub import_request_id: Uuid,
    /// The program that was replaced.
    pub replaced_program_id: Option<ProgramId>,
    /// For each project, on which calendar its lags count and why, as a sentence.
    pub lags: Vec<String>,
}

/// A program with the same code as the imported one.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SeedReplaceConflict {
    /// The program.
    pub program_id: ProgramId,
    /// Its name.
    pub name: String,
    /// The code. It is the slug of the document.
    pub code: String,
    /// How many projects it has.
    pub project_count: i64,
    /// How many tasks they have.
    pub task_count: i64,
}

impl From<Candidate> for SeedReplaceConflict {
    fn from(row: Candidate) -> Self {
        let Candidate { program_id, name, code, project_count, task_count } = row;
        Self { program_id, name, code, project_count, task_count }
    }
}

/// What a dry run found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SeedValidateResponse {
    /// Whether the document could be imported.
    pub valid: bool,
    /// All errors, each with its path in the document.
    pub errors: Vec<String>,
    /// The version in the document.
    pub schema_version: Option<String>,
    /// The slug of its program.
    pub program_slug: Option<String>,
    /// The name of its program.
    pub program_name: Option<String>,
    /// The number of projects in the document.
    pub project_count: i64,
    /// How many tasks.
    pub task_count: i64,
    /// How many resources.
    pub resource_count: i64,
    /// The program that an import would replace.
    pub replaces: Option<SeedReplaceConflict>,
    /// Your programs with this code if there are several and nobody said which one is meant. The import refuses to choose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<SeedReplaceConflict>,
}

/// The state of an import.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProgramImportJob {
    pub id: Uuid,
    pub program: ProgramId,
    pub status: RunStatus,
    /// The name of the file; empty for a raw body.
    pub filename: String,
    /// Whether another program was to be replaced.
    pub replace: bool,
    /// The program that was replaced.
    pub replaced_program_id: Option<ProgramId>,
    /// The number of imported projects, tasks, sprints and dependencies.
    pub result_summary: Json,
    /// Why it failed.
    pub error_detail: String,
    /// The time until which the import can be followed.
    pub expires_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub completed_at: Option<DateTime<Utc>>,
    /// When somebody cancelled it.
    pub cancelled_at: Option<DateTime<Utc>>,
    /// How far it has come. Null before it begins.
    pub progress: Option<JobProgress>,
}

impl From<ImportRow> for ProgramImportJob {
    fn from(row: ImportRow) -> Self {
        Self {
            id: row.id,
            program: row.program_id,
            status: row.status,
            filename: row.filename,
            replace: row.replace_existing,
            replaced_program_id: row.replaced_program_id,
            result_summary: row.result_summary.unwrap_or_else(|| json!({})),
            error_detail: row.error_detail,
            expires_at: Some(row.expires_at),
            created_at: row.created_at,
            started_at: row.started_at,
            completed_at: row.completed_at,
            cancelled_at: row.cancelled_at,
            progress: JobProgress::of(row.phase, row.rows_done, row.rows_total),
        }
    }
}
