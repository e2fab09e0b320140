//! What came into running sprints: `/api/v1/sprints/{id}/scope-changes/` and `/api/v1/scope-changes/{id}/`.
//! That something came in is noted by every write of a task, in `plan/src/sprints/scope.rs`.

pub mod commands;
mod model;
mod queries;
mod routes;
mod rules;

use planwright_web::Routes;

/// The routes of this folder.
pub fn routes() -> Routes {
    routes::table()
}
