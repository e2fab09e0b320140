//! `…/tasks/{task_pk}/links/`: addresses of other places that people put on a task.

mod markup;
mod model;
mod page;
pub mod queries;
mod refresh;
mod routes;
mod rules;

pub use refresh::{Looked, LooksWithCredentials};
pub use routes::table;
pub use rules::texts;
