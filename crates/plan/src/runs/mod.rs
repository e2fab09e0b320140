//! Queued recalculations as people read them, at `/api/v1/task-runs/` and below their projects.
//! A project has at most one that waits and one that runs; what is computed within a write leaves no row here.

pub mod model;
pub mod queries;
mod routes;
mod work;

use futures_util::future::BoxFuture;
use planwright_domain::ids::{ProjectId, TaskRunId, UserId};
use planwright_domain::words::RunReason;
use planwright_jobs::{NewJob, queue};
use planwright_store::{Result, Tx};
use planwright_web::Routes;
use serde::{Deserialize, Serialize};

pub use work::jobs;

/// What others do about a recalculation that a person asked for. It joins the transaction that writes the dates.
pub type AfterRunByHand = for<'a> fn(&'a mut Tx, ProjectId) -> BoxFuture<'a, Result<()>>;

/// The kind of job that computes a run.
const RECALCULATE: &str = "recalculate";

/// How long a run is kept, in days.
const KEPT_DAYS: i64 = 30;

/// What the job needs to know; a run has one job at a time.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Recalculate {
    run: TaskRunId,
}

/// Queues a recalculation of a project, or finds the one that waits already; it begins after the commit.
pub async fn request(
    tx: &mut Tx,
    project: ProjectId,
    reason: RunReason,
    by: Option<UserId>,
) -> Result<TaskRunId> {
    let fresh: TaskRunId = tx.mint();
    let run = queries::request(tx, fresh, project, reason, by).await?;
    if run == fresh {
        let job = NewJob::new(RECALCULATE, &Recalculate { run })?.of_project(project);
        let job = queue::enqueue(tx, job).await?;
        queries::set_job(tx, run, job).await?;
    }
    Ok(run)
}

/// The routes of runs.
pub fn routes() -> Routes {
    routes::table()
}
