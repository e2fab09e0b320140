//! Sprints themselves: `/api/v1/projects/{id}/sprints/` and `/api/v1/sprints/{id}/`.

pub mod commands;
pub mod model;
pub mod queries;
mod routes;
mod rules;
pub mod show;

use planwright_web::Routes;

/// The routes of this folder.
pub fn routes() -> Routes {
    routes::table()
}
