//! Retention on the wire and in storage.

use chrono::{DateTime, NaiveTime, Utc};
use planwright_domain::words::{
    PurgeFrequency, PurgeOnFailure, PurgeState, PurgeTrigger, RetentionKey, RetentionUnit,
};
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::{Int, Name, Patch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use uuid::Uuid;

row! {
    /// A policy as somebody wrote it.
    pub struct WrittenPolicy {
        pub key: RetentionKey,
        pub value: i64,
        pub enabled: bool,
    }
}

row! {
    /// When rows are deleted.
    pub struct ScheduleRow {
        pub frequency: PurgeFrequency,
        pub time_of_day_utc: String,
        pub day_of_week: Option<i64>,
        pub on_failure: PurgeOnFailure,
        pub last_run_at: Option<DateTime<Utc>>,
    }
}

row! {
    /// A run that deleted rows, or counted them.
    pub struct RunRow {
        pub id: Uuid,
        pub started_at: DateTime<Utc>,
        pub finished_at: Option<DateTime<Utc>>,
        pub run_trigger: PurgeTrigger,
        pub state: PurgeState,
        pub tables: Json,
        pub rows_deleted: i64,
        pub error: String,
    }
}

/// How long one kind of rows is kept.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RetentionPolicyRead {
    pub key: RetentionKey,
    /// What it is called.
    pub label: &'static str,
    /// What is deleted.
    pub note: &'static str,
    pub unit: RetentionUnit,
    /// How long rows are kept.
    pub value: i64,
    /// Whether rows are deleted after that.
    pub enabled: bool,
    /// The number of rows now.
    pub row_count: i64,
    /// Their size. Always null: neither engine knows it.
    pub bytes: Option<i64>,
}

/// When rows are deleted.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RetentionSchedule {
    pub frequency: PurgeFrequency,
    /// The time of the day in UTC.
    pub time_of_day_utc: NaiveTime,
    /// The day of a weekly run, from 0 for Monday. Null means Monday.
    pub day_of_week: Option<i64>,
    /// Whether a run goes on after a kind of rows could not be deleted.
    pub on_failure: PurgeOnFailure,
}

/// A run that deleted rows, or counted them.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PurgeRun {
    pub id: Uuid,
    pub started_at: DateTime<Utc>,
    pub finished_at: Option<DateTime<Utc>>,
    pub trigger: PurgeTrigger,
    pub state: PurgeState,
    /// How many rows of each kind, by key.
    pub tables: Json,
    /// How many rows in all. A dry run deletes none and counts them.
    pub rows_deleted: i64,
    /// The space that became free. Always null: the database decides when it gives space back.
    pub bytes_freed: Option<i64>,
    pub error: String,
    pub duration_ms: Option<i64>,
}

impl From<RunRow> for PurgeRun {
    fn from(row: RunRow) -> Self {
        Self {
            id: row.id,
            duration_ms: row.finished_at.map(|at| (at - row.started_at).num_milliseconds()),
            started_at: row.started_at,
            finished_at: row.finished_at,
            trigger: row.run_trigger,
            state: row.state,
            tables: row.tables,
            rows_deleted: row.rows_deleted,
            bytes_freed: None,
            error: row.error,
        }
    }
}

/// Retention as a whole.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RetentionState {
    pub policies: Vec<RetentionPolicyRead>,
    pub schedule: RetentionSchedule,
    /// The last runs, newest first.
    pub runs: Vec<PurgeRun>,
}

input! {
    /// How long one kind of rows is to be kept.
    pub struct RetentionPolicyWriteRequest {
        pub key: RetentionKey,
        /// How long, in the unit of the policy.
        pub value: Int<1, 36_500>,
        /// Whether rows are deleted after that.
        pub enabled: bool,
    }
}

input! {
    /// When rows are to be deleted.
    pub struct RetentionScheduleRequest {
        pub frequency: Patch<PurgeFrequency>,
        /// The time of the day in UTC, such as `03:00:00`.
        pub time_of_day_utc: Patch<Name<1, 20>>,
        /// The day of a weekly run, from 0 for Monday.
        pub day_of_week: Patch<Option<Int<0, 6>>>,
        /// Whether a run goes on after a kind of rows could not be deleted.
        pub on_failure: Patch<PurgeOnFailure>,
    }
}

input! {
    /// Changes of retention.
    pub struct PatchedRetentionUpdateRequest {
        pub policies: Patch<Vec<RetentionPolicyWriteRequest>>,
        pub schedule: Patch<RetentionScheduleRequest>,
    }
}

input! {
    /// A policy that is thought of.
    pub struct RetentionImpactQuery {
        pub key: RetentionKey,
        /// How long rows would be kept.
        pub value: Int<0, 36_500>,
    }
}

/// What a policy would delete now.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RetentionImpact {
    pub eligible_rows: i64,
    /// Their size. Always null: neither engine knows it.
    pub eligible_bytes: Option<i64>,
}

input! {
    /// A run that is wanted.
    pub struct PurgeRunRequestRequest {
        /// Whether rows are only counted.
        pub dry_run: Patch<bool>,
    }
}

/// A run that waits.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PurgeRunQueued {
    /// Always true.
    pub queued: bool,
    pub run_id: Uuid,
}

/// The payload of the job of a run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Purge {
    pub run: Uuid,
}
