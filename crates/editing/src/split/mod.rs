//! Splitting a task: the remaining work becomes a row of its own. The split can be taken back as a whole.

mod commands;
pub(crate) mod model;
mod queries;
pub(crate) mod routes;
mod rules;
