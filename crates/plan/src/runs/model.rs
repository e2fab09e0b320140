//! A run in storage and on the wire, once as any kind of work and once as a recalculation.
//! Both are the same row; the names are those that clients know.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::Role;
use planwright_domain::ids::{JobId, ProjectId, TaskId, TaskRunId, UserId};
use planwright_domain::words::{RunReason, TaskRunStatus};
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::Patch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a run is called where other kinds of work may stand beside it.
pub const TASK_NAME: &str = "recalculate_schedule";

/// What those who do not manage the project are told of a failure; the cause may show more than they may see.
const FAILED: &str = "The recalculation failed.";

row! {
    /// A run as the work on it needs it.
    pub struct Run {
        /// The run.
        pub id: TaskRunId,
        /// Its project.
        pub project_id: ProjectId,
        /// Why it was asked for.
        pub reason: RunReason,
        /// The status.
        pub status: TaskRunStatus,
        /// Whether it was asked to stop.
        pub cancel_requested: bool,
    }
}

row! {
    /// A run as it is shown.
    pub struct RunRow {
        /// The run.
        pub id: TaskRunId,
        /// Its project.
        pub project_id: ProjectId,
        /// The job that computes it.
        pub job_id: Option<JobId>,
        /// Why it was asked for.
        pub reason: RunReason,
        /// Who asked for it; nobody in particular when a large plan was changed.
        pub initiated_by: Option<UserId>,
        /// The user name.
        pub username: Option<String>,
        /// The status.
        pub status: TaskRunStatus,
        /// How far it is.
        pub progress_pct: Option<i64>,
        /// What it is doing.
        pub progress_msg: String,
        /// What came of it.
        pub result_summary: Option<serde_json::Value>,
        /// Why it failed.
        pub error_detail: String,
        /// When it was asked for.
        pub created_at: DateTime<Utc>,
        /// When it began.
        pub started_at: Option<DateTime<Utc>>,
        /// When it ended.
        pub completed_at: Option<DateTime<Utc>>,
        /// The rank of the person who looks.
        pub my_role: Role,
    }
}

/// The result of a recalculation.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SchedulerRunResultSummary {
    /// The last day of the project.
    pub project_finish: Option<NaiveDate>,
    /// The tasks that cannot slip without moving this finish, in order.
    pub critical_path: Option<Vec<TaskId>>,
    /// The data date of this computation.
    pub status_date: Option<NaiveDate>,
}

/// A piece of queued work.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskRun {
    pub id: TaskRunId,
    /// What kind of work it is.
    pub task_name: String,
    /// The job that does the work.
    pub celery_task_id: String,
    pub project: Option<ProjectId>,
    pub initiated_by: Option<UserId>,
    pub status: TaskRunStatus,
    /// The progress in percent.
    pub progress_pct: Option<i64>,
    pub progress_msg: String,
    pub result_summary: Option<SchedulerRunResultSummary>,
    /// The cause, for those who manage the project.
    pub error_detail: String,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub completed_at: Option<DateTime<Utc>>,
    /// Why it was asked for.
    pub reason: RunReason,
}

/// A queued recalculation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SchedulerRun {
    pub id: TaskRunId,
    pub status: TaskRunStatus,
    /// The progress in percent.
    pub progress_pct: Option<i64>,
    pub progress_msg: String,
    pub result_summary: Option<SchedulerRunResultSummary>,
    /// The cause, for those who manage the project.
    pub error_detail: String,
    pub initiated_by_username: Option<String>,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub completed_at: Option<DateTime<Utc>>,
    /// Why it was asked for.
    pub reason: RunReason,
}

impl RunRow {
    fn summary(&self) -> Option<SchedulerRunResultSummary> {
        self.result_summary.clone().and_then(|summary| serde_json::from_value(summary).ok())
    }

    fn error(&self) -> String {
        match self.my_role >= Role::ProjectManager || self.error_detail.is_empty() {
            true => self.error_detail.clone(),
            false => FAILED.to_owned(),
        }
    }
}

impl From<RunRow> for TaskRun {
    fn from(row: RunRow) -> Self {
        Self {
            result_summary: row.summary(),
            error_detail: row.error(),
            id: row.id,
            task_name: TASK_NAME.to_owned(),
            celery_task_id: row.job_id.map(|job| job.to_string()).unwrap_or_default(),
            project: Some(row.project_id),
            initiated_by: row.initiated_by,
            status: row.status,
            progress_pct: row.progress_pct,
            progress_msg: row.progress_msg,
            created_at: row.created_at,
            started_at: row.started_at,
            completed_at: row.completed_at,
            reason: row.reason,
        }
    }
}

impl From<RunRow> for SchedulerRun {
    fn from(row: RunRow) -> Self {
        Self {
            result_summary: row.summary(),
            error_detail: row.error(),
            id: row.id,
            status: row.status,
            progress_pct: row.progress_pct,
            progress_msg: row.progress_msg,
            initiated_by_username: row.username,
            created_at: row.created_at,
            started_at: row.started_at,
            completed_at: row.completed_at,
            reason: row.reason,
        }
    }
}

input! {
    /// Which runs a list shows.
    pub struct RunFilter {
        /// Only runs with this status. The parameter may be repeated.
        pub status: Patch<Vec<TaskRunStatus>>,
        /// Only runs that began at this time or later.
        pub started_after: Patch<DateTime<Utc>>,
        /// Only runs that began at this time or before.
        pub started_before: Patch<DateTime<Utc>>,
    }
}
