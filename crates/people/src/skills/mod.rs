//! Skills, at `/api/v1/skills/`, who has them, at `/api/v1/resource-skills/`, and which tasks ask for them, at
//! `/api/v1/task-skill-requirements/`. How well the two fit is decided where resources are listed and allocated.

pub mod model;
pub mod queries;
mod requirements;
mod resource_skills;
mod routes;
mod rules;

use planwright_web::Routes;

/// The routes of skills.
pub fn routes() -> Routes {
    routes::table().and(resource_skills::table()).and(requirements::table())
}
