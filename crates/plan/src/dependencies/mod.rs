//! Links between tasks, at `/api/v1/dependencies/`, and the commands that write them for every way in.
//! A link shows to members of either end's project; the far end of one that crosses projects is a card.

pub mod commands;
mod lags;
pub mod model;
pub mod queries;
pub mod routes;
pub mod rules;
mod scope;
pub mod splitting;

use planwright_web::Routes;

/// The routes of links.
pub fn routes() -> Routes {
    routes::table()
}
