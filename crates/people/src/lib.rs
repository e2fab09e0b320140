//! People: who does the work, what they can do, and how much of them there is.
//! What a plan promises with them is computed in `plan` and below.

mod allocations;
mod capacity;
mod catalog;
mod roster;
mod skills;

use planwright_web::Routes;

/// The routes of people.
pub fn routes() -> Routes {
    Routes::new()
        .and(catalog::routes())
        .and(skills::routes())
        .and(roster::routes())
        .and(allocations::routes())
        .and(capacity::routes())
}
