//! Simulation of a project, at `/api/v1/projects/{id}/monte-carlo/`: run it, the latest recorded run, the history.
//! The numbers come from the engine; nothing here touches a task.

mod answer;
mod model;
mod queries;
mod routes;

use planwright_web::Routes;

/// The routes of simulation.
pub fn routes() -> Routes {
    routes::table()
}
