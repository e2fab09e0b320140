//! Why a task stands where it stands, at `/api/v1/projects/{id}/schedule/derivation/`: what bounds a value, and which bound decides.
//! Computed afresh when it is asked for; the bounds are the engine's.

mod model;
mod queries;
mod routes;
mod rules;

use planwright_web::Routes;

/// The routes of derivation.
pub fn routes() -> Routes {
    routes::table()
}
