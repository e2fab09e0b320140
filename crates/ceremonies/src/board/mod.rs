//! The board of a retrospective, at `/api/v1/sprints/{id}/retro-board/`: notes in three columns.
//! What a note becomes is an action item of the retrospective.

pub mod model;
mod queries;
mod routes;
mod rules;

use planwright_web::Routes;

/// The routes of retrospective boards.
pub fn routes() -> Routes {
    routes::table()
}
