//! Backlogs: what waits to be planned, how ready it is, and in which order it is taken. The product backlog of a project,
//! the backlog of a program, acceptance criteria, and suggestions of who takes a task.

pub mod criteria;
pub mod product;
pub mod program;
mod suggestions;

use planwright_web::Routes;

/// The routes of backlogs.
pub fn routes() -> Routes {
    Routes::new()
        .and(criteria::routes())
        .and(product::routes())
        .and(program::routes())
        .and(suggestions::table())
}
