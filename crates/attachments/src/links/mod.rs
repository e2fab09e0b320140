//! `…/tasks/{task_pk}/links/`: addresses of other places that people put on a task.

mod model;
mod queries;
mod routes;
mod rules;

pub use routes::table;
