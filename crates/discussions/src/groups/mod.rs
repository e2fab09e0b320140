//! Groups of people that can be mentioned by one name, at `…/mention-groups/` of a project or a program.

pub mod model;
mod queries;
mod reach;
mod routes;
mod rules;

use planwright_web::Routes;

/// The routes of groups.
pub fn routes() -> Routes {
    routes::table().and(reach::table())
}
