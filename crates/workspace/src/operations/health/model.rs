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

/// How a part is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ComponentStatus {
    /// As it should be.
    Ok,
    /// Working, but somebody should look.
    Warn,
    /// Not working.
    Crit,
    /// It could not be told.
    Unknown,
}

/// One part of the program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HealthComponent {
    /// Its name for programs.
    pub key: String,
    /// Its name for people.
    pub label: String,
    /// How it is.
    pub status: ComponentStatus,
    /// The same in words.
    pub state_label: String,
    /// The figures behind it in one line; empty when there are none.
    pub meta: String,
    /// The same figures by name.
    pub figures: Map<String, Json>,
}

/// The sign of life of the workers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BeatHealthResponse {
    /// The newest one.
    pub last_heartbeat: Option<DateTime<Utc>>,
    /// Whether it is too old, or missing.
    pub stale: bool,
    /// Seconds since then; null when there was none.
    pub seconds_since: Option<i64>,
    /// From how many seconds on it is too old.
    pub stale_threshold_seconds: i64,
}

/// A job that runs by the clock.
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
    /// When it was enqueued last.
    pub last_run_at: Option<DateTime<Utc>>,
    /// When it is due next.
    pub next_run_at: DateTime<Utc>,
    /// Whether it should have been enqueued by now.
    pub overdue: bool,
}

/// The jobs that failed for good.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DeadLetterHealth {
    /// How many wait for somebody.
    pub parked: i64,
    /// How long the oldest of them has been waiting.
    pub oldest_age_seconds: Option<i64>,
    /// What most of them failed with.
    pub top_cause: Option<String>,
    /// How many there are of each status.
    pub by_status: BTreeMap<String, i64>,
}

/// How long something is kept.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RetentionHealth {
    /// What is kept, for programs.
    pub key: &'static str,
    /// What is kept, for people.
    pub label: &'static str,
    /// `hours`, `days` or `rows`.
    pub unit: &'static str,
    /// How many of them.
    pub value: i64,
    /// Whether it is kept for ever.
    pub disabled: bool,
}

/// Where figures about the program can be read.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TelemetryHealth {
    /// Whether they are sent anywhere; this program is asked for them instead.
    pub enabled: bool,
    /// Where they are sent; empty for nowhere.
    pub endpoint: String,
    /// Whether there is such a place.
    pub endpoint_configured: bool,
    /// How they can be read.
    pub protocol: &'static str,
    /// The page that Prometheus reads.
    pub metrics_path: &'static str,
    /// The name of this program.
    pub service_name: &'static str,
    /// Its version.
    pub service_version: String,
    /// Its edition.
    pub edition: String,
    /// Whether traces are sent.
    pub traces_enabled: bool,
    /// Whether figures are collected.
    pub metrics_enabled: bool,
    /// Which traces are taken; empty without traces.
    pub sampler: String,
    /// How many of them; empty without traces.
    pub sampler_arg: String,
    /// Whether figures can be read now.
    pub live: bool,
}

/// Whether protections are on.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SecurityHealth {
    /// Whether requests are counted against the limits.
    pub rate_limiting_enabled: bool,
}

/// How the program is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SystemHealthResponse {
    /// When this was found out.
    pub generated_at: DateTime<Utc>,
    /// The parts.
    pub components: Vec<HealthComponent>,
    /// The sign of life of the workers.
    pub beat: BeatHealthResponse,
    /// The jobs that run by the clock.
    pub scheduled_tasks: Vec<ScheduledTaskHealth>,
    /// The jobs that failed for good.
    pub dead_letter: DeadLetterHealth,
    /// How long things are kept.
    pub retention: Vec<RetentionHealth>,
    /// Where figures can be read.
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
    /// A job that runs by the clock.
    pub struct ScheduleReading {
        pub kind: String,
        pub last_run_at: Option<DateTime<Utc>>,
        pub next_run_at: DateTime<Utc>,
    }
}

/// The jobs that failed for good.
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
    /// When.
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
