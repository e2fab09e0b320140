//! What was forecast when, at `/api/v1/projects/{id}/forecast-snapshots/`: written down after recalculations and once a day.
//! Older ones are thinned out; nothing here computes a forecast.

mod model;
mod queries;
mod routes;
mod rules;

use chrono::Duration;
use planwright_domain::ids::ProjectId;
use planwright_domain::words::ForecastTrigger;
use planwright_jobs::{JobError, NewJob, Registry, queue};
use planwright_store::{Db, Result, Tx};
use planwright_web::{App, Routes};
use serde::{Deserialize, Serialize};

/// The kind of job that writes down the forecast of a project.
const CAPTURE: &str = "capture_forecast";

/// Between two snapshots that nobody asked for lies at least so much, in minutes.
const APART_MINUTES: i64 = 60;

/// What the job needs to know.
#[derive(Serialize, Deserialize)]
struct CaptureForecast {
    project: ProjectId,
}

/// The routes of forecasts.
pub fn routes() -> Routes {
    routes::table()
}

/// The jobs of forecasts.
pub fn jobs() -> Registry<App> {
    Registry::default()
        .on(CAPTURE, async |app: App, job: CaptureForecast| {
            let mut tx = app.db.begin().await?;
            capture_unless_recent(&mut tx, job.project, ForecastTrigger::Recompute).await?;
            tx.commit().await.map_err(JobError::from)
        })
        .every("capture_forecasts", Duration::days(1), async |app: App| {
            capture_all(&app.db).await.map_err(JobError::from)
        })
}

/// Has the forecast of a project written down that was just recalculated, unless one is fresh enough.
///
/// A job does it, so that a forecast which cannot be written holds up nothing else.
pub async fn after_recalculation(tx: &mut Tx, project: ProjectId) -> Result<()> {
    if is_recent(tx, project).await? {
        return Ok(());
    }
    let job = NewJob::new(CAPTURE, &CaptureForecast { project })?.of_project(project);
    queue::enqueue(tx, job.once(format!("{CAPTURE}:{project}"))).await.map(drop)
}

/// Writes down a forecast that somebody asked for, however fresh the last one is.
pub async fn capture_by_hand(tx: &mut Tx, project: ProjectId) -> Result<()> {
    capture(tx, project, ForecastTrigger::Manual).await
}

async fn is_recent(tx: &Tx, project: ProjectId) -> Result<bool> {
    queries::any_since(tx, project, tx.now() - Duration::minutes(APART_MINUTES)).await
}

async fn capture_unless_recent(tx: &mut Tx, project: ProjectId, trigger: ForecastTrigger) -> Result<()> {
    match is_recent(tx, project).await? {
        true => Ok(()),
        false => capture(tx, project, trigger).await,
    }
}

async fn capture(tx: &mut Tx, project: ProjectId, trigger: ForecastTrigger) -> Result<()> {
    let Some(finish) = queries::computed_finish(tx, project).await? else { return Ok(()) };
    let work = queries::work(tx, project).await?;
    let simulation = crate::simulation::latest_run(tx, project, tx.now()).await?;
    queries::insert(tx, project, trigger, finish, &work, simulation.as_ref()).await
}

/// Writes down the forecast of every project, and thins out the old ones; each in a transaction of its own.
async fn capture_all(db: &Db) -> Result<()> {
    for project in queries::computed_projects(db).await? {
        let mut tx = db.begin().await?;
        capture_unless_recent(&mut tx, project, ForecastTrigger::Scheduled).await?;
        let old = queries::older_than(&tx, project, tx.now() - Duration::days(rules::EVERY_ONE_DAYS)).await?;
        let surplus = rules::surplus(&old, tx.now());
        queries::delete(&mut tx, &surplus).await?;
        tx.commit().await?;
    }
    Ok(())
}
