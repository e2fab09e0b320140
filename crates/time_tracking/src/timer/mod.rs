//! The timer: what a person is working on right now. There is at most one, and stopping it logs its minutes.

mod model;
mod queries;
mod routes;
mod rules;

pub use model::TimerRow;
use planwright_web::Routes;

/// The routes of the timer.
pub fn routes() -> Routes {
    routes::table()
}
