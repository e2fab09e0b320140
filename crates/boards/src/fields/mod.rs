//! Fields that a project adds to its tasks, at `/api/v1/projects/{project_pk}/fields/`, and what tasks say in them.

pub mod model;
mod queries;
mod routes;
mod rules;
mod values;

use planwright_web::Routes;

/// The routes of custom fields.
pub fn routes() -> Routes {
    routes::table().and(values::table())
}
