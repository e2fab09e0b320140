//! Whole projects and programs as archives: `/api/v1/projects/{id}/export/jobs/` and the same of programs.
//! A job writes the archive; it can be fetched until it expires.

mod archive;
mod commands;
mod jobs;
mod model;
mod pack;
mod queries;
mod routes;

use planwright_jobs::Registry;
use planwright_web::{App, Routes};

/// The routes of this folder.
pub fn routes() -> Routes {
    routes::table()
}

/// The jobs of this folder.
pub fn jobs() -> Registry<App> {
    jobs::registry()
}
