//! Who sees the figures of a team: `/api/v1/projects/{id}/signal-privacy/`. A figure has an audience, and a ceiling above which
//! nobody may set it. The ceiling rises only when the team votes for that.

mod commands;
mod model;
mod queries;
mod routes;
mod rules;

use planwright_web::Routes;

/// The routes of this folder.
pub fn routes() -> Routes {
    routes::table()
}
