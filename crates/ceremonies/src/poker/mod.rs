//! Planning poker: the members of a team vote on the size of a task, see the votes together, and take over a size.
//! Until a round is revealed nobody learns a value, neither from an answer nor from an event.

pub mod model;
mod queries;
mod routes;
mod rules;

use planwright_web::Routes;

/// The routes of planning poker.
pub fn routes() -> Routes {
    routes::table()
}
