//! `/api/v1/auth/oidc/`: which providers there are, sending a browser to one, and what happens when it comes back. A sign-in is
//! bound to the browser that began it, and can be finished once.

mod discover;
pub mod queries;
mod resolve;
mod routes;
mod rules;
mod waiting;

use planwright_web::Routes;

/// The routes of signing in with a provider.
pub fn routes() -> Routes {
    discover::table().and(routes::table())
}
