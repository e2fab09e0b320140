//! Templates: the structure of a project without dates, people and progress, to be used again.
//! `/api/v1/project-templates/` and `/api/v1/template-applications/`.

mod apply;
mod community;
mod gallery;
mod model;
mod publish;
mod queries;
mod structure;

use planwright_jobs::Registry;
use planwright_web::{App, Routes};

/// The routes of this folder.
pub fn routes() -> Routes {
    gallery::table().and(publish::table()).and(apply::table())
}

/// The jobs of this folder.
pub fn jobs() -> Registry<App> {
    apply::jobs().and(community::jobs())
}
