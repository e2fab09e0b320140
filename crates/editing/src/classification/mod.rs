//! How whole subtrees are governed and delivered, written in one go.
//! Taking a classification back is the business of `batch/operations.rs`.

pub mod model;
pub mod routes;
pub mod rules;

use planwright_web::Routes;

/// The routes of classifications.
pub fn routes() -> Routes {
    routes::table()
}
