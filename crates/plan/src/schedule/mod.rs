//! Recalculation: a plan's rows become a network, the engine computes, what changed is written back.
//! It happens within the write that asks for it, or by a job when the plan is large; either way once for many changes.

mod cached_plan;
pub mod calendars;
mod critical_path;
mod first;
pub mod network;
pub mod outline;
mod plan_cache;
mod plan_lock;
pub mod queries;
pub mod queued;
pub mod rollup;
mod run;
pub mod slip_conflicts;

use planwright_domain::ids::{CalendarId, ProgramId, ProjectId};
use planwright_domain::words::RunReason;
use planwright_store::{Result, Tx};

pub(crate) use first::First;
pub use plan_cache::PlanCache;
pub use plan_lock::{PlanLock, lock_with_linked};
pub use queued::queue_run;

/// Brings the dates of a project up to date: at once when what is computed together is small enough, else by a job.
pub async fn request(tx: &mut Tx, project: ProjectId) -> Result<()> {
    request_all(tx, vec![project]).await
}

/// The same for several projects; those that are computed together are computed once.
pub async fn request_all(tx: &mut Tx, projects: Vec<ProjectId>) -> Result<()> {
    let mut lock = PlanLock::default();
    for project in projects {
        lock.hold(tx, project).await?;
        lock.moves_dates(project);
    }
    lock.end(tx).await
}

/// Recalculates a project at once, however large it is, together with those that links tie to it.
pub async fn recalculate(tx: &mut Tx, project: ProjectId) -> Result<()> {
    let mut lock = PlanLock::default();
    let together = lock.hold(tx, project).await?;
    run::recalculate(tx, &lock, together, plan_lock::Need::Dates).await
}

/// Has a project read again by the next recalculation, after a change that its own rows do not tell.
pub async fn forget(tx: &mut Tx, project: ProjectId) -> Result<()> {
    queries::unmark(tx, project).await
}

async fn enqueue(tx: &mut Tx, project: ProjectId, reason: RunReason) -> Result<()> {
    queue_run(tx, project, reason, None).await.map(drop)
}

/// Brings up to date every project that inherits its calendar from the program, or from the workspace when none is given.
pub async fn request_inheriting(tx: &mut Tx, program: Option<ProgramId>) -> Result<()> {
    let projects = queries::inheriting_projects(tx, program).await?;
    request_all(tx, projects).await
}

/// Brings up to date every project that works on a calendar, itself, by inheritance or with a task.
pub async fn request_for_calendar(tx: &mut Tx, calendar: CalendarId) -> Result<()> {
    let projects = queries::projects_on_calendar(tx, calendar).await?;
    request_all(tx, projects).await
}
