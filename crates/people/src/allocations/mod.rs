//! Allocations, at `/api/v1/task-resources/`: how much of which resource works on which task.
//! Writes of tasks allocate too, by `owners`; that is in `plan`.

pub mod commands;
pub mod model;
pub mod queries;
mod routes;
mod rules;

use planwright_web::Routes;

/// The routes of allocations.
pub fn routes() -> Routes {
    routes::table()
}
