//! The catalogue of resources, at `/api/v1/resources/`: people, contractors and equipment that work is assigned to.
//! Anybody signed in reads it; who manages any project changes it.

pub mod model;
pub mod queries;
mod routes;
pub mod rules;

use planwright_web::Routes;

/// The routes of the catalogue.
pub fn routes() -> Routes {
    routes::table()
}
