//! `/api/v1/projects/{id}/burn/`: what was left and done in a project day by day, in tasks or in points.

mod model;
mod queries;
mod rules;

use axum::extract::State;
use chrono::{Days, NaiveDate};
use planwright_domain::access::may;
use planwright_domain::words::{BurnChart, BurnMetric};
use planwright_plan::sprints::VelocityGate;
use planwright_store::Read;
use planwright_web::{ApiError, ApiResult, App, Json, ProjectScope, Query, Routes, says};

use self::model::{BurnQuery, BurnSeries, ProjectBurn};
use self::rules::Line;

/// How far back a chart begins unless said otherwise.
const WINDOW_DAYS: u64 = 90;

/// How many days a chart shows at most.
const LONGEST_DAYS: i64 = 1098;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/projects/{id}/burn/",
        show,
        says("What was left and done in a project, day by day."),
    )
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    Query(query): Query<BurnQuery>,
) -> ApiResult<Json<ProjectBurn>> {
    let chart_type = query.chart_type.as_given().copied().unwrap_or(BurnChart::Burndown);
    let metric = query.metric.as_given().copied().unwrap_or(BurnMetric::Tasks);
    let today = app.clock.today();
    let (since, until) = window(&query, today)?;
    let gate = VelocityGate::of(&app.db, scope.project, scope.actor.id).await?;
    let mut burn = ProjectBurn {
        chart_type,
        metric,
        since,
        until,
        series: BurnSeries::One(Vec::new()),
        baseline_series: None,
        velocity_suppressed: metric == BurnMetric::Points && !gate.is_open,
    };
    if !burn.velocity_suppressed {
        draw(&app.db, &scope, &mut burn, today).await?;
    }
    Ok(Json(burn))
}

/// The days that a query asks for.
fn window(query: &BurnQuery, today: NaiveDate) -> ApiResult<(NaiveDate, NaiveDate)> {
    let until = query.until.as_given().copied().unwrap_or(today);
    let before = until.checked_sub_days(Days::new(WINDOW_DAYS - 1)).unwrap_or(until);
    let since = query.since.as_given().copied().unwrap_or(before);
    match (until - since).num_days() {
        ..0 => Err(ApiError::invalid_field("since", "Must not be after until.")),
        LONGEST_DAYS.. => {
            Err(ApiError::invalid_field("until", format!("A chart has at most {LONGEST_DAYS} days.")))
        }
        _ => Ok((since, until)),
    }
}

async fn draw(
    db: &dyn Read,
    scope: &ProjectScope<may::ReadProject>,
    burn: &mut ProjectBurn,
    today: NaiveDate,
) -> ApiResult<()> {
    let tasks = queries::tasks(db, scope.project).await?;
    let moves = queries::moves(db, scope.project).await?;
    let finish = queries::computed_finish(db, scope.project).await?;
    let baseline = queries::baseline(db, scope.project, burn.metric).await?;
    let changes = rules::changes(&tasks, &moves, burn.metric);
    let known = rules::days(&changes, burn.since, burn.until.min(today.max(burn.since)));
    let from = known.first().map_or(0, |(_, amount)| amount.remaining + amount.completed);
    let last = finish.filter(|finish| *finish > burn.since).unwrap_or(burn.until);
    let line = Line { first: burn.since, last, from };
    burn.series = rules::series(burn.chart_type, &known, burn.until, line);
    burn.baseline_series =
        baseline.map(|finishes| rules::planned(burn.chart_type, &finishes, burn.since, burn.until));
    Ok(())
}
