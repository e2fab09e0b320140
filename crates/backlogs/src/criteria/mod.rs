//! Acceptance criteria, at `/api/v1/acceptance-criteria/`: what must hold for a task to count as done. Machines that test say at
//! `…/acceptance-results/` which hold.
//! What tasks show of them, and when a task is ready, is decided in `planwright_plan::tasks`.

pub mod model;
mod queries;
mod results;
mod routes;
mod rules;

use planwright_web::Routes;

/// The routes of acceptance criteria.
pub fn routes() -> Routes {
    routes::table().and(results::table())
}
