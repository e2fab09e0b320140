//! What agents did: a log that nobody can change unnoticed, and the page that shows it. What agents may do is decided in
//! the web crate.

pub mod chain;
pub mod keeping;
mod model;
mod queries;
pub mod recorder;
mod routes;

use planwright_store::Db;
use planwright_web::Routes;
use planwright_web::agent_log::AgentLog;
use planwright_web::app::Extensions;

/// The routes of this area.
pub fn routes() -> Routes {
    routes::table()
}

/// Adds the log that requests of agents are written to.
pub fn equip(extensions: Extensions, db: &Db) -> Extensions {
    extensions.with(AgentLog::new(recorder::Recorder::start(db.clone())))
}
