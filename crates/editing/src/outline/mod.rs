//! The outline as people change it: order among siblings, one level in or out, another parent; and the phases at its top.
//! How rows are moved is in `planwright_plan::outline`.

mod model;
mod phases;
mod queries;
mod routes;

use planwright_web::Routes;

/// The routes of the outline.
pub fn routes() -> Routes {
    routes::table().and(phases::table())
}
