//! What became of the tasks of a sprint that is over: `/api/v1/sprints/{id}/outcome/`, the list of what is demonstrated, and
//! `/api/v1/sprint-task-outcomes/{id}/`. The rows are made when a sprint closes.

mod commands;
mod model;
mod queries;
mod routes;
pub mod rows;
mod rules;
mod summary;

use planwright_web::Routes;

/// The routes of this folder.
pub fn routes() -> Routes {
    routes::table()
}
