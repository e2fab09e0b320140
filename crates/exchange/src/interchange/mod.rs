//! Files of other programs as a way into projects and out of them: `/api/v1/projects/{id}/import/…`,
//! `/api/v1/projects/{id}/imports/`, `/api/v1/projects/import/msproject/`, `/api/v1/projects/{id}/export/msproject.xml`.
//! What is in a file is read by `files/`; writing its rows is a command of the plan.

mod accept;
mod jobs;
pub mod model;
mod preview;
mod queries;
mod report;
mod routes;
mod written;

use planwright_jobs::Registry;
use planwright_web::{App, Routes};

use crate::ExchangeSettings;

pub(crate) use written::plan_of;

/// The routes of this folder.
pub fn routes(settings: &ExchangeSettings) -> Routes {
    routes::table(settings).and(written::table())
}

/// The jobs of this folder.
pub fn jobs() -> Registry<App> {
    jobs::registry()
}
