//! Relations between tasks, at `/api/v1/task-relations/`: cross-references that people read and no computation does.
//! A relation shows to members of either end's project; whoever may edit its source writes it.

pub mod model;
pub mod queries;
pub mod routes;
pub mod rules;

use planwright_web::Routes;

/// The routes of relations.
pub fn routes() -> Routes {
    routes::table()
}
