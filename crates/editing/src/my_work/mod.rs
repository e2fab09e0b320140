//! My Work, `/api/v1/me/work/`: what a person has to do in all their projects, with the sprints that run and what they
//! promised in retrospectives. The week of one project is in `my_week.rs`.

mod model;
mod queries;
mod routes;
mod rules;

pub use routes::table;
