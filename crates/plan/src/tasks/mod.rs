//! Tasks as people read them, at `/api/v1/tasks/`: what somebody wrote joined with what the engine computed.
//! Recalculation is in `schedule/`.

mod approval;
mod counts;
pub mod decorate;
mod duration_events;
pub mod facets;
pub mod model;
pub mod queries;
pub mod routes;
pub mod rules;
mod scope_rollup;
pub mod seen;
pub mod write;

use planwright_web::Routes;

pub use counts::TaskCounts;

/// The routes of tasks.
pub fn routes() -> Routes {
    routes::table()
        .and(write::routes())
        .and(approval::table())
        .and(duration_events::table())
        .and(scope_rollup::table())
}
