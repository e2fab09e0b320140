//! Several sprints at once, one after the other: `/api/v1/projects/{id}/sprints/generate/`.

mod model;
mod routes;
mod rules;

use planwright_web::Routes;

/// The routes of this folder.
pub fn routes() -> Routes {
    routes::table()
}
