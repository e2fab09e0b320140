//! Deliveries: the messages to a webhook, numbered one after another, and the result of each. `sending/` sends them.

pub mod model;
pub mod queries;
mod routes;
pub mod rules;

use crate::webhooks::model::WebhookRow;
use chrono::Duration;
use planwright_jobs::{JobError, Registry};
use planwright_store::outbox::Waiting;
use planwright_store::{Result, Tx};
use planwright_web::{App, Resource, Routes};

use model::{DeadDelivery, NewDelivery};

use super::message;

/// The kind of a failed job for a delivery. To requeue it sends the delivery again.
pub const DELIVER: &str = "deliver_webhook";

/// The number of old deliveries that are deleted in one transaction.
const BATCH: i64 = 1000;

/// The routes of deliveries.
pub fn routes() -> Routes {
    routes::table()
}

/// The jobs of deliveries.
pub fn jobs() -> Registry<App> {
    Registry::default().on(DELIVER, send_again).every("prune_webhook_deliveries", Duration::hours(1), prune)
}

/// Writes a delivery for every event and every subscription that it is for. Each subscription is given all its numbers
/// at once: it is held until the commit anyway, and databases that keep old versions keep one.
pub async fn take_on(tx: &mut Tx, events: &[Waiting]) -> Result<()> {
    let events: Vec<&Waiting> = events.iter().filter(|event| event.channel == "webhook").collect();
    let listeners = queries::listeners(tx, &events).await?;
    let mut new = Vec::new();
    let mut has_turn = false;
    for listener in &listeners {
        let heard: Vec<&Waiting> = events.iter().copied().filter(|event| listener.hears(event)).collect();
        if heard.is_empty() {
            continue;
        }
        if !has_turn {
            queries::lock_numbering(tx).await?;
            has_turn = true;
        }
        let Some(last) = queries::number(tx, listener.id, heard.len()).await? else { continue };
        let first = last - heard.len() as i64 + 1;
        let delivery = |(sequence, event): (i64, &'_ &Waiting)| NewDelivery {
            webhook: listener.id,
            sequence,
            event: event.name.clone(),
            body: message::body(listener.format, &event.name, &event.payload, sequence),
        };
        new.extend((first..).zip(&heard).map(delivery));
    }
    queries::insert(tx, new).await.map(drop)
}

async fn send_again(app: App, dead: DeadDelivery) -> std::result::Result<(), JobError> {
    let mut tx = app.db.begin().await?;
    if WebhookRow::lock(&tx, dead.webhook.0).await?.is_some() {
        queries::revive(&mut tx, dead.webhook, dead.delivery).await?;
    }
    Ok(tx.commit().await?)
}

async fn prune(app: App) -> std::result::Result<(), JobError> {
    loop {
        let mut tx = app.db.begin().await?;
        let before = tx.now() - Duration::days(rules::KEPT_DAYS);
        let gone = queries::prune(&mut tx, before, BATCH).await?;
        tx.commit().await?;
        if gone == 0 {
            return Ok(());
        }
    }
}
