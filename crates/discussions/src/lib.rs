//! What people say on tasks: comments with mentions, acknowledgements and reactions, notes and decisions, and the groups of
//! people that can be mentioned. Who is told of a mention, and how, is not decided here.

mod author;
mod comments;
mod decisions;
mod groups;
mod notes;
mod stakeholders;

use planwright_web::Routes;

/// The routes of discussions.
pub fn routes() -> Routes {
    Routes::new()
        .and(notes::table())
        .and(decisions::table())
        .and(comments::routes())
        .and(groups::routes())
        .and(stakeholders::table())
}
