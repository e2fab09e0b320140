//! Time entries: minutes that somebody spent on a task on a day, read and written by that person alone.

pub mod model;
pub mod queries;
mod routes;
pub mod rules;
mod week;

use planwright_web::Routes;

/// The routes of time entries.
pub fn routes() -> Routes {
    routes::table()
}
