//! The audit of the workspace, at `/api/v1/workspace/audit-events/`: read by pages, and taken along as JSON lines.
//! Which lines there are is decided in `planwright_store::audit`.

pub mod model;
mod queries;
mod routes;

use planwright_web::Routes;

/// The routes of the audit.
pub fn routes() -> Routes {
    routes::table()
}
