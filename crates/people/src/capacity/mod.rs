//! Capacity: how much of whose days is used, in a project, over weeks and across a program.
//! All of it is computed by one function, in `load.rs`; nothing here writes.

mod gather;
mod load;
mod model;
mod queries;
mod routes;
mod spans;

pub use gather::overloaded_days;

use planwright_web::Routes;

/// The routes of capacity.
pub fn routes() -> Routes {
    routes::table().and(spans::table())
}
