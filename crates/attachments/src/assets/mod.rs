//! `…/assets/`: what people put beside the tasks of a project, of a program or of all projects of the caller, newest first.
//! Today these are links; there are no files yet.

mod model;
mod queries;
mod routes;

pub use routes::table;
