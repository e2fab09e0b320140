//! `/api/v1/projects/{id}/flow-metrics/`: how work flows through a project, counted from what happened and not from samples.

mod model;
mod queries;
pub(crate) mod rules;

use axum::extract::State;
use chrono::{Days, NaiveDate, NaiveTime};
use planwright_domain::access::may;
use planwright_domain::words::Signal;
use planwright_plan::sprints::velocity_gate;
use planwright_store::Read;
use planwright_web::{ApiResult, App, Json, ProjectScope, Query, Routes, says};

use model::{FlowMetrics, FlowPercentiles, FlowQuery, IntegrityCounts, WINDOW_DAYS};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/projects/{id}/flow-metrics/",
        show,
        says("How long work takes, how much is finished in a week, and how many tasks had which status."),
    )
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    Query(query): Query<FlowQuery>,
) -> ApiResult<Json<FlowMetrics>> {
    let window_days = query.window.given().map_or(WINDOW_DAYS, i64::from);
    let until = app.clock.today();
    let since = until - Days::new(window_days.unsigned_abs() - 1);
    let readers = velocity_gate::readable(&app.db, Signal::FlowMetrics, scope.actor.id, [scope.project]);
    let metrics = match readers.await?.is_empty() {
        true => suppressed(window_days, since, until),
        false => measured(&app.db, &scope, window_days, since, until).await?,
    };
    Ok(Json(metrics))
}

async fn measured(
    db: &dyn Read,
    scope: &ProjectScope<may::ReadProject>,
    window_days: i64,
    since: NaiveDate,
    until: NaiveDate,
) -> ApiResult<FlowMetrics> {
    let midnight = since.and_time(NaiveTime::MIN).and_utc();
    let now = queries::counts_now(db, scope.project).await?.into_iter().collect();
    let moves = queries::moves(db, scope.project, midnight).await?;
    let arrivals = queries::arrivals(db, scope.project, midnight).await?;
    let mut done = queries::completions(db, scope.project, midnight).await?;
    done.retain(|task| task.finish().is_some_and(|finish| (since..=until).contains(&finish)));
    Ok(FlowMetrics {
        window_days,
        since,
        until,
        cycle_time: rules::cycle_time(&done),
        lead_time: rules::lead_time(&done),
        cfd: rules::cumulative_flow(&now, &moves, &arrivals, since, until),
        throughput: rules::throughput(&done, since, until),
        data_integrity: rules::integrity(&done),
        flow_metrics_suppressed: false,
    })
}

/// The answer to somebody who may not see the figures of the team.
fn suppressed(window_days: i64, since: NaiveDate, until: NaiveDate) -> FlowMetrics {
    FlowMetrics {
        window_days,
        since,
        until,
        cycle_time: FlowPercentiles::default(),
        lead_time: FlowPercentiles::default(),
        cfd: Vec::new(),
        throughput: Vec::new(),
        data_integrity: IntegrityCounts::default(),
        flow_metrics_suppressed: true,
    }
}
