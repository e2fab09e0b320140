//! `/api/v1/projects/{project_pk}/baselines/`: what a project promised and when, and what became of it since. One baseline of
//! a project is active: variances are measured against it.

mod capture;
mod commit;
mod comparison;
mod model;
mod queries;
mod routes;

use planwright_web::Routes;

/// The routes of baselines.
pub fn routes() -> Routes {
    Routes::new().and(routes::table()).and(comparison::table()).and(commit::table())
}
