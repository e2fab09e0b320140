//! How long rows are kept that nobody needs any more, at `/api/v1/health/retention/`: policies, what a change of one
//! would delete, and runs that delete. Only what is listed in `rules.rs` is ever deleted here.

mod jobs;
pub mod model;
mod queries;
mod routes;
mod rules;

use planwright_jobs::Registry;
use planwright_web::{App, Routes};

pub use rules::RetentionDefaults;

/// The routes of retention.
pub fn routes() -> Routes {
    routes::table()
}

/// The jobs of retention.
pub fn jobs() -> Registry<App> {
    jobs::registry()
}
