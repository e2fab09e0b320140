//! Programs, projects, who belongs to them, their teams, and what they pass down, at `/api/v1/programs/`, `/projects/` and `/teams/`.
//! What is planned inside a project belongs to `plan`; this area only asks for its dates to be computed again.

pub mod inherit;
pub mod members;
pub mod pins;
pub mod programs;
pub mod projects;
pub mod settings;
pub mod teams;

use planwright_web::Routes;

/// The routes of programs, projects, members and teams.
pub fn routes() -> Routes {
    Routes::new().and(projects::routes()).and(programs::routes()).and(teams::table()).and(pins::table())
}
