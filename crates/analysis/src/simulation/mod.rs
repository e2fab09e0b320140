//! Simulation of a project, at `/api/v1/projects/{id}/monte-carlo/`: run it, the latest run, the history, and what if.
//! The numbers come from the engine; nothing here touches a task.

mod answer;
mod connected;
mod drivers;
mod inputs;
mod milestones;
mod model;
mod queries;
mod risks;
mod routes;
mod whatif;

use chrono::{DateTime, Duration, Utc};
use planwright_domain::ids::ProjectId;
use planwright_store::{Read, Result, StoreError};
use planwright_web::Routes;

pub use drivers::jobs;
pub use model::{MonteCarloRun, TaskIndex};

/// For so long the newest run answers in full, in hours; after that the recorded ones do.
const LATEST_HOURS: i64 = 24;

/// The routes of simulation.
pub fn routes() -> Routes {
    routes::table().and(whatif::table()).and(drivers::table())
}

/// Whether there is a newest run of a project.
async fn has_latest_run(db: &dyn Read, project: ProjectId, now: DateTime<Utc>) -> Result<bool> {
    queries::has_run(db, project, now - Duration::hours(LATEST_HOURS)).await
}

/// The newest run of a project: whoever's of the last day, else the last that was recorded.
pub async fn latest_run(
    db: &dyn Read,
    project: ProjectId,
    now: DateTime<Utc>,
) -> Result<Option<MonteCarloRun>> {
    let since = now - Duration::hours(LATEST_HOURS);
    let read = |kept| serde_json::from_value(kept).map_err(|error| StoreError::Unexpected(error.into()));
    if let Some(kept) = queries::latest(db, project, since).await? {
        return read(kept).map(Some);
    }
    let Some(recorded) = queries::recorded(db, project, 1).await?.pop() else { return Ok(None) };
    read(recorded.result).map(|run| Some(answer::from_history(run, now)))
}
