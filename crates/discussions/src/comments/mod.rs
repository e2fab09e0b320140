//! Comments on tasks, at `…/tasks/{task_pk}/comments/`: one level of answers, mentions, acknowledgements, reactions.

mod commands;
pub(crate) mod mentions;
pub mod model;
mod queries;
mod reactions;
mod routes;

use planwright_web::Routes;

/// The routes of comments.
pub fn routes() -> Routes {
    routes::table().and(reactions::table())
}
