//! The pulse of a team, at `/api/v1/sprints/{id}/pulse/`: how people felt in a sprint. An answer is for the eyes of its person;
//! others see means of at least four answers, when the team lets them. Answers have no history and no events, because both
//! would name people.

pub mod model;
pub mod personal_data;
mod queries;
mod routes;
mod rules;

use planwright_web::Routes;

/// The routes of pulses.
pub fn routes() -> Routes {
    routes::table()
}
