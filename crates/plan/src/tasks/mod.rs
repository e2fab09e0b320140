//! Tasks as people read them, at `/api/v1/tasks/`: what somebody wrote joined with what the engine computed.
//! Recalculation is in `schedule/`.

pub mod decorate;
pub mod model;
pub mod queries;
pub mod routes;
pub mod rules;

use planwright_web::Routes;

/// The routes of tasks.
pub fn routes() -> Routes {
    routes::table()
}
