//! The retrospective of a sprint: its notes and what it wants done, at `/api/v1/sprints/{id}/retro/`; and what becomes of
//! that, at `/api/v1/sprints/{id}/retrospective/`. The notes on its board are in `board/`.

mod actions;
mod carryover;
pub mod commands;
pub mod model;
pub mod queries;
mod routes;
pub mod rules;

use planwright_web::Routes;

/// The routes of retrospectives.
pub fn routes() -> Routes {
    routes::table().and(actions::table()).and(carryover::table())
}
