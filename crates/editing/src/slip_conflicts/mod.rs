//! Slip conflicts, at `/api/v1/slip-conflicts/`: tasks of running sprints that a link from another project pushes past
//! the sprint's end. Recalculations open, worsen and resolve them; people acknowledge them, which moves nothing.

pub mod model;
pub mod queries;
pub mod routes;
pub mod rules;

use planwright_web::Routes;

/// The routes of slip conflicts.
pub fn routes() -> Routes {
    routes::table()
}
