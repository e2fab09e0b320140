//! The settings of the one workspace, at `/api/v1/workspace/`.
//! What programs and projects inherit of them is decided where it is read.

mod deletion;
pub(crate) mod logo;
pub mod model;
pub mod queries;
pub mod routes;
pub mod rules;

use planwright_web::Routes;

/// The routes of the settings.
pub fn routes() -> Routes {
    routes::table().and(logo::table()).and(deletion::table())
}
