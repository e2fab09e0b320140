//! `/api/v1/me/connections/` and `/api/v1/me/external-items/`: what is open for a person in their own tracker, beside their
//! tasks here. It is read again and again, and nothing is ever written there.

mod commands;
mod filter;
mod items;
mod jira;
mod model;
mod pulling;
mod queries;
mod routes;
mod rules;

use planwright_web::Routes;

pub use pulling::jobs;

/// The routes of this folder.
pub fn routes() -> Routes {
    routes::table().and(items::table())
}
