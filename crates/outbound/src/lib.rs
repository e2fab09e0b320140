//! Messages to the outside: webhooks to other services, and channels to people who follow a project. Events come from
//! the outbox. This crate decides who gets them and delivers them.

pub mod live;
pub mod payloads;
pub mod webhooks;

use planwright_egress::Egress;
use planwright_jobs::Registry;
use planwright_store::outbox::Waiting;
use planwright_store::{Result, Tx};
use planwright_web::app::Extensions;
use planwright_web::{App, Routes};

use anyhow::Context;
use webhooks::WebhookSettings;

/// The routes of this area.
pub fn routes() -> Routes {
    webhooks::routes().and(live::routes())
}

/// The jobs of this area.
pub fn jobs() -> Registry<App> {
    webhooks::jobs().and(live::jobs())
}

/// Adds the run-time state of this area. `setting` gives the value of a setting, or its default.
pub fn equip(extensions: Extensions, setting: impl Fn(&str) -> String) -> anyhow::Result<Extensions> {
    let most = setting("SVC_MAX_WEBHOOKS");
    let most = most.trim().parse().ok().filter(|most| *most >= 0);
    let most = most.context("SVC_MAX_WEBHOOKS: it is not a whole number of at least 0")?;
    Ok(extensions.with(WebhookSettings { most }).with(Egress::from_settings(setting)?))
}

/// Handles events: their deliveries are written in the transaction that takes them out of the outbox.
pub async fn take_on(tx: &mut Tx, events: &[Waiting]) -> Result<()> {
    webhooks::take_on(tx, events).await?;
    for event in events {
        live::take_on(tx, event).await?;
    }
    Ok(())
}
