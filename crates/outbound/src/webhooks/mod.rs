//! Webhooks: the subscriptions of other services, and the messages that are sent to them. Browsers use channels
//! instead, see `live/`.

pub mod deliveries;
mod departures;
pub mod message;
pub mod model;
pub mod queries;
mod routes;
pub mod rules;
pub mod sending;

use std::sync::Arc;

use planwright_jobs::Registry;
use planwright_store::outbox::Waiting;
use planwright_store::{Result, Tx};
use planwright_web::{App, Routes};

pub use departures::pause as pause_of_departed;

/// The settings of webhooks.
#[derive(Clone, Copy, Debug)]
pub struct WebhookSettings {
    /// `SVC_MAX_WEBHOOKS`: the maximum number of webhooks of a project or a program.
    pub most: i64,
}

/// The routes of webhooks.
pub fn routes() -> Routes {
    routes::table().and(deliveries::routes())
}

/// The jobs of webhooks.
pub fn jobs() -> Registry<App> {
    let sending = Arc::new(sending::Sending::default());
    deliveries::jobs().beside(move |app, how| {
        let sending = sending.clone();
        async move { sending.round(&app, how).await }
    })
}

/// Writes a delivery for every event and every subscription that it is for.
pub async fn take_on(tx: &mut Tx, events: &[Waiting]) -> Result<()> {
    deliveries::take_on(tx, events).await
}
