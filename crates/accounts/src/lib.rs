//! Sign-in, sessions, API tokens and one's own profile, at `/api/v1/auth/` and `/api/v1/me/`.
//! What people may do in projects is not decided here.

pub mod passwords;
pub mod people;

use planwright_web::Routes;

/// The routes of accounts.
pub fn routes() -> Routes {
    Routes::new()
}
