//! Projects and their members, at `/api/v1/projects/`.
//! A project here is a shell: name, dates, settings, people; its tasks are elsewhere.

pub mod calendars;
pub mod change;
pub mod lifecycle;
pub mod members;
pub mod model;
pub mod present;
pub mod queries;
pub mod requests;
pub mod routes;
pub mod rules;
pub mod trash;

use planwright_domain::ids::ProjectId;
use planwright_web::Routes;

/// The routes of projects, their trash and their members.
pub fn routes() -> Routes {
    routes::table()
        .and(calendars::table())
        .and(lifecycle::table())
        .and(trash::table())
        .and(crate::members::table::<ProjectId>())
}
