//! The health of the parts, at `/api/v1/health/system/` and `/api/v1/health/beat/`.
//! Probes that tell nothing of the inside are in the server crate.

pub mod model;
pub mod queries;
pub mod routes;
pub mod rules;

use planwright_web::Routes;

/// The routes of the health pages.
pub fn routes() -> Routes {
    routes::table()
}
