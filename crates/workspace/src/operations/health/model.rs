//! The health pages on the wire, and the readings they are made of.
//! What a reading means is in `rules.rs`.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use planwright_domain::words::FailedTaskStatus;
use planwright_store::migrate::MigrationState;
use planwright_store::row;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value as Json};

/// The state of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ComponentStatus {
    /// Everything works.
    Ok,
    /// It works, but somebody should check it.
    Warn,
    /// It does not work.
    Crit,
    /// The state is unknown.
    Unknown,
}

/// One part of the program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HealthComponent {
    /// The name for programs.
    pub key: String,
    /// The name for people.
    pub label: String,
    /// How it is.
    pub status: ComponentStatus,
    /// The same in words.
    pub state_label: String,
    /// The values in one line. Empty if there are none.
    pub meta: String,
    /// The same values by name.
    pub figures: Map<String, Json>,
}

/// The sign of life of the workers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BeatHealthResponse {
    /// The newest sign of life.
    pub last_heartbeat: Option<DateTime<Utc>>,
    /// Whether it is too old, or missing.
    pub stale: bool,
    /// The number of seconds since then. Null if there was none.
    pub seconds_since: Option<i64>,
    /// The number of seconds after which it is too old.
    pub stale_threshold_seconds: i64,
}

/// A job that runs at fixed intervals.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ScheduledTaskHealth {
    /// The kind of job.
    pub name: String,
    /// The same.
    pub task: String,
    /// How often it runs, in words; empty before its first run.
    pub cadence: String,
    /// `planning` for work on plans, `maintenance` for the rest.
    pub category: &'static str,
    /// The time at which it was queued last.
    pub last_run_at: Option<DateTime<Utc>>,
    /// When it is due next.
    pub next_run_at: DateTime<Utc>,
    /// Whether it should have been queued before now.
    pub overdue: bool,
}

/// The failed jobs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DeadLetterHealth {
    /// The number of failed jobs that wait for a decision.
    pub parked: i64,
    /// How long the oldest of them has been waiting, in seconds.
    pub oldest_age_seconds: Option<i64>,
    /// The most frequent cause.
    pub top_cause: Option<String>,
    /// How many there are of each status.
    pub by_status: BTreeMap<String, i64>,
}

/// How long data of one kind is kept.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RetentionHealth {
    /// The kind of data, for programs.
    pub key: &'static str,
    /// The kind of data, for people.
    pub label: &'static str,
    /// `hours`, `days` or `rows`.
    pub unit: &'static str,
    /// The number.
    pub value: i64,
    /// Whether the data is kept forever.
    pub disabled: bool,
}

/// Where metrics of the program can be read.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TelemetryHealth {
    /// Whether metrics are sent to another system. Always false, because metrics are read from this program.
    pub enabled: bool,
    /// The address to which they are sent. Empty if there is none.
    pub endpoint: String,
    /// Whether there is such an address.
    pub endpoint_configured: bool,
    /// The protocol for reading the metrics.
    pub protocol: &'static str,
    /// The path that Prometheus reads.
    pub metrics_path: &'static str,
    /// The name of this program.
    pub service_name: &'static str,
    /// Its version.
    pub service_version: String,
    /// Its edition.
    pub edition: String,
    /// Whether traces are sent.
    pub traces_enabled: bool,
    /// Whether metrics are collected.
    pub metrics_enabled: bool,
    /// The sampler of traces. Empty without traces.
    pub sampler: String,
    /// The argument of the sampler. Empty without traces.
    pub sampler_arg: String,
    /// Whether metrics can be read now.
    pub live: bool,
}

/// Whether protections are on.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SecurityHealth {
    /// Whether requests are counted against the limits.
    pub rate_limiting_enabled: bool,
}

/// The state of the program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SystemHealthResponse {
    /// The time of this answer.
    pub generated_at: DateTime<Utc>,
    /// The parts.
    pub components: Vec<HealthComponent>,
    /// The sign of life of the workers.
    pub beat: BeatHealthResponse,
    /// The jobs that run at fixed intervals.
    pub scheduled_tasks: Vec<ScheduledTaskHealth>,
    /// The failed jobs.
    pub dead_letter: DeadLetterHealth,
    /// How long data is kept.
    pub retention: Vec<RetentionHealth>,
    /// Where metrics can be read.
    pub telemetry: TelemetryHealth,
    /// Whether protections are on.
    pub security: SecurityHealth,
}

row! {
    /// The queue: jobs that wait or run, and since when the longest due one has been due.
    pub struct QueueReading {
        pub waiting: i64,
        pub running: i64,
        pub due_since: Option<DateTime<Utc>>,
    }
}

row! {
    /// Events on their way out, and since when the oldest has been waiting.
    pub struct OutboxReading {
        pub waiting: i64,
        pub since: Option<DateTime<Utc>>,
    }
}

row! {
    /// A job that runs at fixed intervals.
    pub struct ScheduleReading {
        pub kind: String,
        pub last_run_at: Option<DateTime<Utc>>,
        pub next_run_at: DateTime<Utc>,
    }
}

/// The failed jobs.
#[derive(Clone, Debug, Default)]
pub struct DeadReading {
    /// How many there are of each status.
    pub by_status: Vec<(FailedTaskStatus, i64)>,
    /// When the one that has been dead the longest died.
    pub since: Option<DateTime<Utc>>,
    /// What the dead ones failed with, and how often.
    pub errors: Vec<(String, i64)>,
}

/// Everything that was read; what could not be read is missing.
#[derive(Clone, Debug)]
pub struct Readings {
    /// The time.
    pub now: DateTime<Utc>,
    /// The name of the database engine.
    pub engine: &'static str,
    /// The size of the database.
    pub database_bytes: Option<i64>,
    /// How the database stands to the program.
    pub migrations: MigrationState,
    /// The newest sign of life of any worker.
    pub last_heartbeat: Option<DateTime<Utc>>,
    /// How many workers are alive.
    pub workers: Option<i64>,
    /// The queue.
    pub queue: Option<QueueReading>,
    /// Events on their way out.
    pub outbox: Option<OutboxReading>,
    /// What runs by the clock.
    pub schedules: Vec<ScheduleReading>,
    /// What failed for good.
    pub dead: Option<DeadReading>,
    /// Where mail goes.
    pub mail: &'static str,
    /// The version of the program.
    pub version: String,
    /// Its edition.
    pub edition: String,
    /// Whether requests are counted against the limits.
    pub rate_limiting_enabled: bool,
}
