//! Labels, at `/api/v1/projects/{id}/labels/`: the words by which the people of a project sort its tasks.
//! This folder is the pattern for resources of a project: four files, written with an item, a body and an edit.

pub mod model;
mod queries;
mod routes;
mod rules;

use planwright_web::Routes;

/// The routes of labels.
pub fn routes() -> Routes {
    routes::table()
}
