//! How a sprint begins, closes and is cancelled: `/api/v1/sprints/{id}/activate/`, `close/` and `cancel/`.

mod commands;
mod model;
mod payloads;
mod queries;
mod routes;
mod rules;

use planwright_web::Routes;

/// The routes of this folder.
pub fn routes() -> Routes {
    routes::table()
}
