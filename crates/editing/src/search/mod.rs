//! Search over everything that a person sees, `/api/v1/me/search/`: tasks of their projects and items of the backlogs of their
//! programs. The search within one project is in `plan/src/tasks/`.

mod model;
mod queries;
mod routes;
mod rules;

pub use routes::table;
