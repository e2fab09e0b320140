//! Groups of people, at `/api/v1/workspace/groups/`: their lead, their members, and the projects in which they give
//! these members a place. How places follow is in `planwright_plan::containers::conferred`.

mod commands;
pub mod model;
pub mod queries;
mod routes;
mod rules;

use planwright_web::Routes;

/// The routes of groups.
pub fn routes() -> Routes {
    routes::table()
}
