//! What people put beside tasks so that others can open it: links to other places, and feeds of them.
//! What people say on tasks is in the crate `discussions`, and the order of tasks is in the plan.

mod assets;
mod links;

use planwright_web::Routes;

/// The routes of this area.
pub fn routes() -> Routes {
    links::table().and(assets::table())
}
