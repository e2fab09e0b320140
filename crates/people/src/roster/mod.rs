//! Rosters, at `/api/v1/project-resources/`: which resources a project may work with.
//! Members of the project read its roster; who links its tasks keeps it.

pub mod model;
pub mod queries;
mod routes;
mod rules;

use planwright_web::Routes;

/// The routes of rosters.
pub fn routes() -> Routes {
    routes::table()
}
