//! Durations that the velocity of a team suggests: `/api/v1/velocity-suggestions/`. They are made when a sprint closes.

mod commands;
mod model;
mod queries;
mod routes;
mod rules;

pub use commands::make;
use planwright_web::Routes;

/// The routes of this folder.
pub fn routes() -> Routes {
    routes::table()
}
