//! What a process tells about itself: its log, and its figures for Prometheus.
//! Counting happens where things happen; names, help texts and what is read at the moment of asking are here.

use std::io::IsTerminal;

use anyhow::Context;
use metrics::{Unit, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;
use planwright_store::backup::beside;
use planwright_store::database::Location;
use planwright_store::{Db, Read};
use tracing_subscriber::Layer as _;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::otlp::Pipeline;
use crate::{Settings, assemble};

/// Upper bounds of the buckets of requests, in seconds.
const REQUEST_SECONDS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];
/// Upper bounds of the buckets of jobs, in seconds.
const JOB_SECONDS: [f64; 9] = [0.005, 0.025, 0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0];

/// Begins the log on the standard error; with a pipeline, its spans go to the collector too.
pub fn start_log(settings: &Settings, pipeline: Option<&Pipeline>) -> anyhow::Result<()> {
    let mut wanted = settings.text("SVC_LOG").to_owned();
    if !wanted.contains("rmcp") {
        // It would repeat at length what a caller got wrong. The log of requests has the answers.
        wanted += ",rmcp=error";
    }
    let filter = tracing_subscriber::EnvFilter::try_new(&wanted).context("SVC_LOG")?;
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    let lines = match settings.truth("SVC_LOG_JSON")? {
        true => lines.json().flatten_event(true).boxed(),
        false => lines.boxed(),
    };
    let spans = pipeline.map(|pipeline| tracing_opentelemetry::layer().with_tracer(pipeline.tracer()));
    let started = tracing_subscriber::registry().with(filter).with(lines).with(spans).try_init();
    started.map_err(|error| anyhow::anyhow!("starting the log: {error}"))
}

/// The figures of this process.
#[derive(Clone)]
pub struct Figures {
    recorded: PrometheusHandle,
    process: Collector,
    db: Db,
    /// The write-ahead log of an embedded database.
    log: Option<std::path::PathBuf>,
}

impl Figures {
    /// Begins to record.
    pub fn start() -> anyhow::Result<PrometheusHandle> {
        let bounded = |name: &str| Matcher::Full(name.to_owned());
        let recorded = PrometheusBuilder::new()
            .set_buckets_for_metric(bounded("planwright_http_request_seconds"), &REQUEST_SECONDS)?
            .set_buckets_for_metric(bounded("planwright_job_seconds"), &JOB_SECONDS)?
            .install_recorder()
            .context("starting the metrics")?;
        describe();
        Ok(recorded)
    }

    /// The figures of a process over its database.
    pub fn of(recorded: PrometheusHandle, settings: &Settings, db: Db) -> Self {
        let log = match assemble::location(settings) {
            Ok(Location::File(path)) => Some(beside(&path, "-wal")),
            _ => None,
        };
        let (version, commit) = (env!("CARGO_PKG_VERSION"), settings.text("SVC_BUILD_SHA"));
        let (edition, engine) = (settings.text("SVC_EDITION"), db.engine().name());
        gauge!("planwright_build_info", "version" => version, "commit" => commit, "edition" => edition, "engine" => engine)
            .set(1.0);
        Self { recorded, process: Collector::default(), db, log }
    }

    /// All of them as Prometheus reads them. What is a state rather than an event is read now.
    pub async fn text(&self) -> String {
        self.read_database().await;
        self.process.collect();
        self.recorded.run_upkeep();
        self.recorded.render()
    }

    async fn read_database(&self) {
        let db = &self.db;
        let numbers = [
            ("planwright_jobs_waiting", planwright_jobs::queue::waiting(db).await),
            ("planwright_jobs_dead", planwright_jobs::dead::count(db).await),
            ("planwright_events_waiting", planwright_store::outbox::waiting(db).await),
            ("planwright_database_bytes", db.count(db.engine().size_listing()).await),
        ];
        let up = numbers.iter().all(|(_, number)| number.is_ok());
        gauge!("planwright_database_up").set(if up { 1.0 } else { 0.0 });
        for (name, number) in numbers {
            if let Ok(number) = number {
                gauge!(name).set(number as f64);
            }
        }
        if let Some(connections) = db.connections() {
            gauge!("planwright_database_connections", "state" => "idle").set(connections.idle as f64);
            let used = connections.open.saturating_sub(connections.idle);
            gauge!("planwright_database_connections", "state" => "used").set(used as f64);
            gauge!("planwright_database_connections_awaited").set(connections.waiting as f64);
        }
        if let Some(log) = &self.log {
            let bytes = std::fs::metadata(log).map_or(0, |file| file.len());
            gauge!("planwright_database_log_bytes").set(bytes as f64);
        }
        gauge!("planwright_database_statements").set(db.statements() as f64);
    }
}

/// Counters, with their help texts.
pub(crate) const COUNTERS: [(&str, &str); 10] = [
    ("planwright_http_requests_total", "Requests that were answered"),
    ("planwright_unexpected_errors_total", "Requests that ended with an unexpected error"),
    ("planwright_throttled_total", "Requests that a rate limit refused"),
    (
        "planwright_request_retries_total",
        "Requests that were run again because two changes waited for each other",
    ),
    ("planwright_connections_refused_total", "Connections above the limits"),
    ("planwright_jobs_total", "Attempts of jobs, by how they ended"),
    ("planwright_events_total", "Events that were sent"),
    ("planwright_live_endings_total", "Sockets and streams that ended, by reason"),
    ("planwright_live_unpublished_total", "Changes that other nodes were not told at once"),
    ("planwright_webhook_attempts_total", "Attempts to deliver webhooks, by result"),
];

/// Gauges, with their help texts.
pub(crate) const GAUGES: [(&str, &str); 11] = [
    ("planwright_build_info", "1, with the version, commit, edition and database engine as labels"),
    ("planwright_jobs_waiting", "Jobs that wait"),
    ("planwright_jobs_dead", "Failed jobs that wait for a decision"),
    ("planwright_events_waiting", "Events that were not sent yet"),
    ("planwright_database_up", "1 if the database answers now, otherwise 0"),
    ("planwright_database_bytes", "Size of the database"),
    ("planwright_database_log_bytes", "Size of the write-ahead log of SQLite"),
    ("planwright_database_connections", "Connections of this process to PostgreSQL, by state"),
    ("planwright_database_connections_awaited", "Requests and jobs that wait for such a connection"),
    ("planwright_database_statements", "Statements that this process has sent since its start"),
    ("planwright_live_connections", "Sockets and streams that are open"),
];

fn describe() {
    for (name, help) in COUNTERS {
        describe_counter!(name, help);
    }
    for (name, help) in GAUGES {
        describe_gauge!(name, help);
    }
    describe_histogram!(
        "planwright_http_request_seconds",
        Unit::Seconds,
        "How long requests took, by method and route"
    );
    describe_histogram!("planwright_job_seconds", Unit::Seconds, "How long attempts of jobs took, by kind");
    Collector::default().describe();
}
