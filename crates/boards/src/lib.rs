//! How the people of a project look at its tasks: the columns, views, lanes and the activity of its board, and the fields
//! that it adds to tasks. Moving a card is an edit of its task, and is in the area `editing`.

mod activity;
mod config;
mod fields;
mod lanes;
mod views;

use planwright_web::Routes;

/// The routes of boards.
pub fn routes() -> Routes {
    Routes::new()
        .and(config::table())
        .and(views::table())
        .and(lanes::table())
        .and(activity::table())
        .and(fields::routes())
}
