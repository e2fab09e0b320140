//! `/api/v1/health/telemetry/test/`: sends one span and one metric to the collector and says what became of them.
//! What is sent at regular times is in `otlp.rs`.

use std::time::Instant;

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
        says("Send a trace and a metric to the collector.").session_only().limit(Limit::TelemetryTest),
    )
}

/// What was tried.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum TelemetryTestMode {
    /// A trace and a metric were sent.
    Export,
    /// Nothing was sent, since there is no collector.
    Probe,
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum TelemetryTestOutcome {
    /// The collector took both.
    Success,
    /// It did not.
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
    let (mode, detail) = match endpoint.is_empty() {
        true => (TelemetryTestMode::Probe, "OTEL_EXPORTER_OTLP_ENDPOINT is not set.".to_owned()),
        false => (TelemetryTestMode::Export, tried(collector).await?),
    };
    let outcome =
        if detail.is_empty() { TelemetryTestOutcome::Success } else { TelemetryTestOutcome::Failure };
    let duration_ms = i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
    let checked_at = app.clock.now();
    let (protocol, duration_ms) = (PROTOCOL, duration_ms);
    Ok(Json(TelemetryTestExportResult { mode, outcome, endpoint, protocol, duration_ms, detail, checked_at }))
}

/// What went wrong with an export; empty when nothing did.
async fn tried(collector: Collector) -> anyhow::Result<String> {
    let work = move || {
        let pipeline = Pipeline::to(&collector)?;
        let result = pipeline.try_out();
        pipeline.end();
        result
    };
    // The client of the collector blocks.
    let result = tokio::task::spawn_blocking(work).await?;
    Ok(result.err().map(|error| format!("{error:#}")).unwrap_or_default())
}
