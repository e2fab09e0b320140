//! `/api/v1/me/notifications/`: what the caller was told, and what they do with it.

mod model;
mod queries;
mod routes;
mod rules;

use planwright_web::Routes;

/// The routes of the list of notifications.
pub fn routes() -> Routes {
    routes::table()
}
