//! Programs, their members and their policies, at `/api/v1/programs/`.
//! Import, export, samples and everything computed over the plans of a program are elsewhere.

pub mod bulk;
pub mod change;
pub mod contents;
pub mod lifecycle;
pub mod members;
pub mod model;
pub mod policies;
pub mod present;
pub mod queries;
pub mod requests;
pub mod routes;
pub mod rules;
pub mod split;
pub mod task_search;

use planwright_domain::ids::ProgramId;
use planwright_web::Routes;

/// The routes of programs, their members, policies and projects.
pub fn routes() -> Routes {
    routes::table()
        .and(lifecycle::table())
        .and(task_search::table())
        .and(split::table())
        .and(crate::members::table::<ProgramId>())
        .and(policies::table())
        .and(bulk::table())
        .and(contents::table())
}
