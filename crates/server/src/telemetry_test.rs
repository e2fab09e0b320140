//! `/api/v1/health/telemetry/test/`: sends one span and one metric to the collector and says what became of them.
//! What is sent at regular times is in `otlp.rs`.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::access::may;
use planwright_web::limits::Limit;
use planwright_web::{ApiResult, App, IgnoredBody, Json, Routes, WorkspaceScope, says};
use schemars::JsonSchema;
use serde::Serialize;

use crate::otlp::{Collector, PROTOCOL, Pipeline};

/// The routes of this file.
pub fn routes() -> Routes {
    Routes::new().post(
        "/api/v1/health/telemetry/test/",
        test,
        says("Send a trace and a metric to the collector.").limit(Limit::TelemetryTest),
    )
}

/// What was tried: sending a trace and a metric, or nothing since there is no collector.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum TelemetryTestMode {
    Export,
    Probe,
}

/// What became of it: the collector took both, it answers but did not take them, or it does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum TelemetryTestOutcome {
    Success,
    Reachable,
    Failure,
}

/// What a test of the telemetry did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct TelemetryTestExportResult {
    /// `export` when a trace and a metric were sent, `probe` when no collector is set.
    mode: TelemetryTestMode,
    outcome: TelemetryTestOutcome,
    /// Where the collector is.
    endpoint: String,
    /// How it is spoken to.
    protocol: &'static str,
    /// How long it took, in milliseconds.
    duration_ms: i64,
    /// What went wrong. It may be empty.
    detail: String,
    checked_at: DateTime<Utc>,
}

async fn test(
    State(app): State<App>,
    _: WorkspaceScope<may::AdministerWorkspace>,
    _: IgnoredBody,
) -> ApiResult<Json<TelemetryTestExportResult>> {
    let collector = app.get::<Collector>().clone();
    let (endpoint, begun) = (collector.endpoint.clone(), Instant::now());
    let (mode, (outcome, detail)) = match endpoint.is_empty() {
        true => (TelemetryTestMode::Probe, (TelemetryTestOutcome::Failure, UNSET.to_owned())),
        false => (TelemetryTestMode::Export, tried(collector).await?),
    };
    let duration_ms = i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
    let checked_at = app.clock.now();
    let protocol = PROTOCOL;
    Ok(Json(TelemetryTestExportResult { mode, outcome, endpoint, protocol, duration_ms, detail, checked_at }))
}

const UNSET: &str = "OTEL_EXPORTER_OTLP_ENDPOINT is not set.";

/// How long a collector that took nothing may take to answer at all.
const PATIENCE: Duration = Duration::from_secs(2);

/// What became of an export, and what went wrong with it.
async fn tried(collector: Collector) -> anyhow::Result<(TelemetryTestOutcome, String)> {
    let work = move || {
        let pipeline = Pipeline::to(&collector)?;
        let result = pipeline.try_out();
        pipeline.end();
        Ok(match result {
            Ok(()) => (TelemetryTestOutcome::Success, String::new()),
            Err(error) if answers(&collector.endpoint) => {
                (TelemetryTestOutcome::Reachable, format!("{error:#}"))
            }
            Err(error) => (TelemetryTestOutcome::Failure, format!("{error:#}")),
        })
    };
    // The client of the collector blocks.
    tokio::task::spawn_blocking(work).await?
}

/// Whether something listens at an address.
fn answers(endpoint: &str) -> bool {
    let addresses = url::Url::parse(endpoint).ok().and_then(|url| url.socket_addrs(|| None).ok());
    addresses.into_iter().flatten().any(|address| TcpStream::connect_timeout(&address, PATIENCE).is_ok())
}
