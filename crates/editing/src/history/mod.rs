//! What happened in a project, at `/api/v1/projects/{id}/history/`, and to one of its tasks.
//! The rows are written by whoever changes something; here they are only read.

mod changelog;
mod model;
mod queries;
mod routes;
mod rules;

use planwright_web::Routes;

/// The routes of history.
pub fn routes() -> Routes {
    routes::table().and(changelog::table())
}
