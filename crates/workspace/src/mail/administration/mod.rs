//! Mail settings that the Owner writes, at `/api/v1/workspace/email-settings/`, over those of the environment: a test
//! letter, and how well the sender's name is prepared. Sending is in the files beside this folder.

pub mod dns;
pub mod model;
pub(super) mod queries;
mod routes;
pub(super) mod rules;

use planwright_web::Routes;

/// The routes of mail settings.
pub fn routes() -> Routes {
    routes::table()
}
