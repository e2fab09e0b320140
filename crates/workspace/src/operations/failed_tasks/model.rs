//! Failed jobs on the wire and in storage.
//! What of a job must not be shown is in `rules.rs`.

use chrono::{DateTime, Duration, Utc};
use planwright_domain::ids::{JobId, ProjectId};
use planwright_domain::person;
use planwright_domain::words::FailedTaskStatus;
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::{Int, LongText, Name, Patch};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;
use uuid::Uuid;

use super::rules;

row! {
    /// A failed job as it is stored, with the name of whoever settled it.
    pub struct FailedTaskRow {
        pub id: Uuid,
        pub job_id: JobId,
        pub kind: String,
        pub payload: Json,
        pub project_id: Option<ProjectId>,
        pub error: String,
        pub failure_count: i64,
        pub first_failed_at: DateTime<Utc>,
        pub last_failed_at: DateTime<Utc>,
        pub status: FailedTaskStatus,
        pub resolution_note: String,
        pub resolved_at: Option<DateTime<Utc>>,
        pub resolver_username: Option<String>,
        pub resolver_first_name: Option<String>,
        pub resolver_last_name: Option<String>,
    }
}

impl FailedTaskRow {
    fn resolver(&self) -> Option<String> {
        let username = self.resolver_username.as_deref()?;
        let first_name = self.resolver_first_name.as_deref().unwrap_or_default();
        let last_name = self.resolver_last_name.as_deref().unwrap_or_default();
        Some(person::display_name(first_name, last_name, username))
    }
}

/// A job that failed in all attempts or cannot be done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FailedTask {
    /// The id of this entry.
    pub id: Uuid,
    /// The kind of job.
    pub task_name: String,
    /// The id of the job.
    pub task_id: String,
    /// The project it belonged to.
    pub project_id: Option<ProjectId>,
    /// Always empty. The arguments of jobs have names.
    pub args: Vec<Json>,
    /// The arguments of the job. Secrets and mail texts are left out.
    pub kwargs: Json,
    /// Whether all attempts failed, or the job cannot be done at all.
    pub exception_type: String,
    /// The error with all its causes.
    pub exception_message: String,
    /// Always empty. The message contains the causes.
    pub traceback: String,
    /// How often it was tried.
    pub failure_count: i64,
    /// The time at which the job was queued first.
    pub first_failed_at: DateTime<Utc>,
    /// The time of its last failure.
    pub last_failed_at: DateTime<Utc>,
    /// The current state.
    pub status: FailedTaskStatus,
    /// The note that was written when the job was discarded.
    pub resolution_note: String,
    /// Who requeued or dropped it.
    pub resolved_by_display: Option<String>,
    /// The time of the decision.
    pub resolved_at: Option<DateTime<Utc>>,
}

impl From<FailedTaskRow> for FailedTask {
    fn from(row: FailedTaskRow) -> Self {
        Self {
            resolved_by_display: row.resolver(),
            exception_type: rules::failure_kind(row.failure_count).to_owned(),
            id: row.id,
            task_name: row.kind,
            task_id: row.job_id.to_string(),
            project_id: row.project_id,
            args: Vec::new(),
            kwargs: rules::without_secrets(row.payload),
            exception_message: row.error,
            traceback: String::new(),
            failure_count: row.failure_count,
            first_failed_at: row.first_failed_at,
            last_failed_at: row.last_failed_at,
            status: row.status,
            resolution_note: row.resolution_note,
            resolved_at: row.resolved_at,
        }
    }
}

/// The result for many failed jobs.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct FailedTaskBulkOutcome {
    /// The number of jobs that were requeued or discarded.
    pub processed: i64,
    /// The number of failed jobs that match.
    pub matched: i64,
    /// Whether some are left for another request.
    pub capped: bool,
}

impl FailedTaskBulkOutcome {
    /// So many of so many.
    pub fn of(processed: i64, matched: i64) -> Self {
        Self { processed, matched, capped: matched > processed }
    }
}

input! {
    /// Which failed jobs.
    pub struct FailedTaskQuery {
        /// Only failed jobs with this status.
        pub status: Patch<FailedTaskStatus>,
        /// Only those of this kind.
        pub task_name: Patch<Name<1, 200>>,
        /// Only jobs that failed at this time or later.
        pub failed_after: Patch<DateTime<Utc>>,
        /// Only jobs that failed at this time or earlier.
        pub failed_before: Patch<DateTime<Utc>>,
    }
}

input! {
    /// How to requeue a job.
    pub struct FailedTaskRequeueRequest {
        /// The delay in seconds, at most one day. The default is no delay.
        pub backoff_seconds: Patch<Int<0, 86_400>>,
    }
}

impl FailedTaskRequeueRequest {
    /// How long the job waits.
    pub fn delay(&self) -> Duration {
        Duration::seconds(self.backoff_seconds.as_given().map_or(0, |seconds| seconds.0))
    }
}

input! {
    /// How to discard a job.
    pub struct FailedTaskDropRequest {
        /// Why.
        pub note: Patch<LongText<0, 1000>>,
    }
}

impl FailedTaskDropRequest {
    /// The note; empty when none was sent.
    pub fn note(self) -> String {
        self.note.given().map(String::from).unwrap_or_default()
    }
}
