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

/// A job that failed for good.
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
    /// Always empty; jobs are told what to do by name.
    pub args: Vec<Json>,
    /// What the job was told; secrets and letters are withheld.
    pub kwargs: Json,
    /// Whether it was tried until the attempts ran out, or could not be done at all.
    pub exception_type: String,
    /// What went wrong, with the whole chain of causes.
    pub exception_message: String,
    /// Always empty; the message holds the causes.
    pub traceback: String,
    /// How often it was tried.
    pub failure_count: i64,
    /// When it was first asked for.
    pub first_failed_at: DateTime<Utc>,
    /// When it failed for good.
    pub last_failed_at: DateTime<Utc>,
    /// What became of it.
    pub status: FailedTaskStatus,
    /// What was written when it was dropped.
    pub resolution_note: String,
    /// Who requeued or dropped it.
    pub resolved_by_display: Option<String>,
    /// When that was.
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

/// What became of many failed jobs at once.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct FailedTaskBulkOutcome {
    /// How many were requeued or dropped.
    pub processed: i64,
    /// How many there were to requeue or drop.
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
        /// Those of which this became.
        pub status: Patch<FailedTaskStatus>,
        /// Those of this kind.
        pub task_name: Patch<Name<1, 200>>,
        /// Those that failed for good at this time or later.
        pub failed_after: Patch<DateTime<Utc>>,
        /// Those that failed for good at this time or earlier.
        pub failed_before: Patch<DateTime<Utc>>,
    }
}

input! {
    /// How to requeue.
    pub struct FailedTaskRequeueRequest {
        /// So many seconds from now, a day at most; at once without it.
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
    /// How to drop.
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
