//! `…/tasks/{task_pk}/attachments/`: files and addresses that people put on a task, and the signed addresses by which
//! files are fetched.

mod download;
mod jobs;
mod model;
mod office;
mod queries;
mod routes;
mod rules;
mod settings;
mod sniff;
mod upload;

use planwright_jobs::Registry;
use planwright_web::{App, Routes};

pub use settings::FileSettings;

/// The routes of this folder.
pub fn table() -> Routes {
    routes::table().and(download::table())
}

/// The jobs of this folder.
pub fn jobs() -> Registry<App> {
    jobs::registry()
}
