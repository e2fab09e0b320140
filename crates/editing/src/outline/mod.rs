//! The outline as people change it: order among siblings, one level in or out, another parent; and the phases at its top.
//! Numbers are derived (`schedule/outline.rs`); nothing here writes one.

mod commands;
mod model;
mod phases;
mod queries;
mod routes;
pub mod structure;

use planwright_web::Routes;

/// The routes of the outline.
pub fn routes() -> Routes {
    routes::table().and(phases::table())
}
