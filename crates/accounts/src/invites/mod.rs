//! Invitations into the workspace, at `/api/v1/workspace/invites/`: sent by mail, good once, for one address.
//! The page that the link of the mail leads to is in the server crate.

mod commands;
pub mod model;
pub(crate) mod queries;
mod routes;
mod rules;

use planwright_web::Routes;

pub use commands::{accept, invited};

/// The routes of invitations.
pub fn routes() -> Routes {
    routes::table()
}
