//! `/api/v1/me/calendar-feeds/`: the addresses at which the calendar programs of a person read, made and revoked by the person.

mod model;
mod queries;
mod routes;
mod rules;

pub use model::CalendarFeedRow;
pub use routes::table;
