//! `/api/v1/projects/{id}/sprint-forecast/`: when the open work of a project is done, by simulation over its past.

mod model;
mod queries;
mod rules;

use axum::extract::State;
use chrono::Days;
use planwright_domain::access::may;
use planwright_domain::words::{ForecastSource, SprintForecastStatus};
use planwright_engine::{Periods, periods_until_done};
use planwright_plan::sprints::VelocityGate;
use planwright_plan::sprints::velocity::completed;
use planwright_web::{ApiResult, App, Json, ProjectScope, Routes, says};

use self::model::SprintForecast;
use self::rules::{Ahead, Basis, OpenWork};
use super::queries::active_sprint;

/// How many runs a forecast has.
const RUNS: u32 = 10_000;

/// The key of the random numbers.
const SEED: u64 = 1;

/// How many past sprints are drawn from at most.
const SPRINTS: usize = 12;

/// How many past weeks are drawn from: a quarter.
const WEEKS: u64 = 13;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/projects/{id}/sprint-forecast/",
        show,
        says("When the open work is done, by simulation over past sprints or weeks.").agent_compute(),
    )
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Json<SprintForecast>> {
    let gate = VelocityGate::of(&app.db, scope.project, scope.actor.id).await?;
    let today = app.clock.today();
    let sprints = completed(&app.db, scope.project, None, SPRINTS).await?;
    let work = queries::open_work(&app.db, scope.project).await?;
    let first = today - Days::new(WEEKS * 7);
    let finishes = queries::finishes(&app.db, scope.project, first).await?;
    let weeks = rules::weekly(&finishes, today, WEEKS as usize);
    let basis = rules::basis(&work, &sprints, &weeks);
    if !gate.is_open {
        return Ok(Json(suppressed(&basis)));
    }
    let running = active_sprint(&app.db, scope.project).await?.map(|sprint| sprint.finish_date);
    let ahead = match basis.source {
        ForecastSource::Velocity => {
            Ahead { today, period_days: rules::cadence_days(&sprints), running_until: running }
        }
        ForecastSource::Throughput => Ahead { today, period_days: 7, running_until: None },
    };
    let periods = simulated(&basis, &work).await?;
    Ok(Json(forecast(basis, &work, periods.as_ref(), ahead)))
}

/// How many periods the open work takes; nothing as long as the past tells too little.
async fn simulated(basis: &Basis, work: &OpenWork) -> ApiResult<Option<Periods>> {
    if basis.status != SprintForecastStatus::Ready {
        return Ok(None);
    }
    let sample: Vec<f64> = basis.sample.iter().map(|done| *done as f64).collect();
    let work = match basis.source {
        ForecastSource::Velocity => work.points,
        ForecastSource::Throughput => work.tasks,
    };
    planwright_web::off_thread(move || periods_until_done(&sample, work as f64, RUNS, SEED)).await
}

fn forecast(basis: Basis, work: &OpenWork, periods: Option<&Periods>, ahead: Ahead) -> SprintForecast {
    let sprints = periods.filter(|_| basis.source == ForecastSource::Velocity);
    let sprints = |percent: f64| sprints.map(|periods| i64::from(periods.percentile(percent)));
    let date = |percent: f64| periods.and_then(|periods| ahead.end_of(periods.percentile(percent)));
    SprintForecast {
        remaining_points: Some(work.points),
        remaining_count: Some(work.tasks),
        sample_count: Some(basis.sample.len() as i64),
        p50_sprints: sprints(50.0),
        p80_sprints: sprints(80.0),
        p50_date: date(50.0),
        p80_date: date(80.0),
        p95_date: date(95.0),
        velocity_suppressed: false,
        sample: Some(basis.sample.clone()),
        ..suppressed(&basis)
    }
}

/// The answer to somebody who may not see the velocity of the team: the dates would tell it.
fn suppressed(basis: &Basis) -> SprintForecast {
    SprintForecast {
        status: basis.status,
        remaining_points: None,
        remaining_count: None,
        sample_count: None,
        sample: None,
        p50_sprints: None,
        p80_sprints: None,
        p50_date: None,
        p80_date: None,
        p95_date: None,
        basis: "monte_carlo",
        forecast_basis: basis.source,
        runs: RUNS,
        seed: SEED,
        velocity_suppressed: true,
    }
}
