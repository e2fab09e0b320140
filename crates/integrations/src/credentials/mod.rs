//! `/api/v1/me/credentials/`: secrets with which a person is known at other providers, so that this server can read for them
//! what the provider shows to nobody else. Each is tried out before it is kept, and never shown again.

mod commands;
mod looking;
mod model;
mod providers;
mod queries;
mod routes;
mod rules;

pub use looking::look;
pub use routes::table as routes;
pub(crate) use rules::{base, verdict};
