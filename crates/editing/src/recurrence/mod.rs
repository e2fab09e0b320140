//! Tasks that come back, at `/api/v1/recurrence-rules/`: a rule takes its template out of the schedule and makes a task for each day.
//! What it makes has no place in the outline and takes no part in the schedule either.

mod expand;
mod model;
mod queries;
mod routes;
mod rules;

use planwright_web::Routes;

pub use expand::jobs;

/// The routes of recurrence.
pub fn routes() -> Routes {
    routes::table()
}
