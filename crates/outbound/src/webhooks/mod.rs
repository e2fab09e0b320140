//! Webhooks: what other services subscribed to, and what is sent to them.
//! People's own browsers are told over channels, in the room beside.

use planwright_jobs::Registry;
use planwright_store::outbox::Waiting;
use planwright_store::{Result, Tx};
use planwright_web::{App, Routes};

/// The routes of webhooks.
pub fn routes() -> Routes {
    Routes::new()
}

/// The jobs of webhooks.
pub fn jobs() -> Registry<App> {
    Registry::default()
}

/// Writes a delivery for every subscription that an event is for.
pub async fn take_on(_: &mut Tx, _: &Waiting) -> Result<()> {
    Ok(())
}
