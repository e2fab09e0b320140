//! Many rows in one request: the batch of task writes, taking such writes back, and the sweep of rows nobody touched.
//! What a single row may be is validated by the write core of tasks; links are made by the commands of links.

mod answer;
mod edges;
pub mod model;
pub mod operations;
pub mod queries;
mod routes;
mod sweep;

use planwright_web::Routes;

/// The routes of batches.
pub fn routes() -> Routes {
    routes::table().and(operations::table()).and(sweep::table())
}
