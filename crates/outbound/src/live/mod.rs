//! Channels to the people who look at a project: sockets, and streams of server-sent events over the same log.
//! Services are told by webhooks, in the room beside.

use planwright_jobs::Registry;
use planwright_store::outbox::Waiting;
use planwright_store::{Result, Tx};
use planwright_web::{App, Routes};

/// The routes of channels.
pub fn routes() -> Routes {
    Routes::new()
}

/// The jobs of channels.
pub fn jobs() -> Registry<App> {
    Registry::default()
}

/// Writes an event into the log of its project.
pub async fn take_on(_: &mut Tx, _: &Waiting) -> Result<()> {
    Ok(())
}
