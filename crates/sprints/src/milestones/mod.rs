//! Milestones that sprints aim at: `/api/v1/sprints/{id}/promote-to-milestone/`, `unbind-milestone/` and
//! `reforecast-preview/`, and `/api/v1/projects/{id}/milestones/`.

mod commands;
pub mod forecast;
mod model;
mod queries;
mod routes;

pub use commands::keep_forecast;
use planwright_web::Routes;

/// The routes of this folder.
pub fn routes() -> Routes {
    routes::table()
}
