//! `/api/v1/workspace/sso/providers/`: which providers people may sign in with, for Workspace Admins. The secret of a provider
//! is sealed and never shown.

pub mod commands;
pub mod model;
pub mod queries;
mod routes;
mod rules;

use planwright_web::Routes;

pub use rules::scopes;

/// The routes of providers.
pub fn routes() -> Routes {
    routes::table()
}
