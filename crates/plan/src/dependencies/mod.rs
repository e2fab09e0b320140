//! Links between tasks as people read them, at `/api/v1/dependencies/`: list, one.
//! A link shows to members of either end's project; the far end of one that crosses projects is a card.

pub mod model;
pub mod queries;
pub mod routes;

use planwright_web::Routes;

/// The routes of links.
pub fn routes() -> Routes {
    routes::table()
}
