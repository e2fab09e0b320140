//! Offline clients: what changed since they last asked, and what their people changed in the meantime. A change of
//! theirs goes through the same commands as one over the other routes.

mod collections;
mod programs;
mod project;
mod pull;
mod push;
mod watermarks;

use planwright_web::Routes;

/// The routes of this area.
pub fn routes() -> Routes {
    project::table().and(programs::table()).and(push::table())
}
