//! The backlog of a program, at `/api/v1/programs/{id}/backlog-items/`: what might be done in one of its projects.
//! An item that is pulled becomes a task of a project. When that task goes, the item is proposed again.

pub mod model;
mod queries;
mod routes;
mod rules;

use planwright_web::Routes;

/// The routes of program backlogs.
pub fn routes() -> Routes {
    routes::table()
}
