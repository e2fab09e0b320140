//! The members of the workspace, at `/api/v1/workspace/members/`: their rank, their status, how far they are available.
//! Of the table of users this area writes `workspace_role`, `status` and `is_active` alone; the rest of a person, and
//! whatever they sign in with, belongs to the accounts area.

pub mod model;
mod ownership;
pub mod queries;
pub mod routes;
pub mod rules;

use planwright_web::Routes;

/// The routes of the members.
pub fn routes() -> Routes {
    routes::table().and(ownership::table())
}
