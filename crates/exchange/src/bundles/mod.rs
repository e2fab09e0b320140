//! Whole projects, programs and the workspace as archives: `/api/v1/projects/{id}/export/jobs/` and their like.
//! A job writes the archive; it can be fetched until it expires.

mod archive;
mod commands;
mod jobs;
mod model;
mod pack;
mod queries;
mod routes;
mod workspace;

use planwright_jobs::Registry;
use planwright_web::{App, Routes};

/// The routes of this folder.
pub fn routes() -> Routes {
    routes::table().and(workspace::table())
}

/// The jobs of this folder.
pub fn jobs() -> Registry<App> {
    jobs::registry()
}
