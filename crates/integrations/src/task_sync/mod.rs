//! `/api/v1/projects/{id}/task-sync/`: a machine pushes a task of another system, again and again. The key that the task has
//! there decides whether it is made or changed.

mod commands;
mod joining;
mod model;
mod queries;
mod routes;
mod rules;

pub use joining::{jobs, take_on};
pub use routes::table as routes;
