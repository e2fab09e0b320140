//! Jobs that failed for good, at `/api/v1/admin/failed-tasks/`: looked at, requeued or dropped.
//! What a job does and when it counts as dead is decided in the jobs crate.

pub mod model;
pub mod queries;
pub mod routes;
pub mod rules;

use planwright_web::Routes;

/// The routes of failed jobs.
pub fn routes() -> Routes {
    routes::table()
}
