//! The product backlog of a project: what waits in no sprint, its epics, its order and how ready it is.
//! Single rows of it are tasks, and are written as tasks.

pub mod model;
mod order;
mod queries;
pub mod ranks;
mod routes;
mod rules;

use planwright_web::Routes;

/// The routes of product backlogs.
pub fn routes() -> Routes {
    routes::table()
}
