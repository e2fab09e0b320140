//! `/api/v1/projects/{project_pk}/risks/`: the register of what may go wrong in a project, what people say about it, and a
//! way to bring it in from a table.

mod commands;
mod comments;
mod escalation;
mod import;
mod matrix;
mod model;
mod queries;
mod routes;
mod rules;
mod table;

use planwright_web::Routes;

pub use escalation::jobs;

/// The routes of risks.
pub fn routes() -> Routes {
    Routes::new().and(routes::table()).and(comments::table()).and(import::table()).and(matrix::table())
}
