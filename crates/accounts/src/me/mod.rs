//! The person who asks: who they are, where they land and what they chose, at `/api/v1/auth/me/`.
//! Their tokens are in `tokens`, their password is in `passwords`.

pub mod model;
pub mod queries;
pub mod routes;
pub mod rules;

use planwright_web::Routes;

/// The routes of one's own person and profile.
pub fn routes() -> Routes {
    routes::table()
}
