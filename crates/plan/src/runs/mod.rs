//! Queued recalculations as people read them, at `/api/v1/task-runs/` and below their projects.
//! A project has at most one that waits and one that runs; what is computed within a write leaves no row here.

pub mod model;
pub mod queries;
mod routes;
mod work;

use futures_util::future::BoxFuture;
use planwright_domain::ids::ProjectId;
use planwright_store::{Result, Tx};
use planwright_web::Routes;

pub use work::jobs;

/// What others do about a recalculation that a person asked for. It joins the transaction that writes the dates.
pub type AfterRunByHand = for<'a> fn(&'a mut Tx, ProjectId) -> BoxFuture<'a, Result<()>>;

/// How long a run is kept, in days.
const KEPT_DAYS: i64 = 30;

/// The routes of runs.
pub fn routes() -> Routes {
    routes::table()
}
