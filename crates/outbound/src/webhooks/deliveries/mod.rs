//! Deliveries: what is sent to a subscription, numbered one after another, and what became of each.
//! Sending them is in `sending/`.

pub mod model;
pub mod queries;
mod routes;
pub mod rules;

use chrono::Duration;
use planwright_jobs::{JobError, Registry};
use planwright_store::outbox::Waiting;
use planwright_store::{Result, Tx};
use planwright_web::{App, Routes};

use model::DeadDelivery;

/// The kind of a dead letter; putting it back into the queue sends the delivery again.
pub const DELIVER: &str = "deliver_webhook";

/// How many old deliveries are forgotten in one transaction.
const BATCH: i64 = 1000;

/// The routes of deliveries.
pub fn routes() -> Routes {
    routes::table()
}

/// The jobs of deliveries.
pub fn jobs() -> Registry<App> {
    Registry::default().on(DELIVER, send_again).every("prune_webhook_deliveries", Duration::hours(1), prune)
}

/// Writes a delivery for every subscription that an event is for.
pub async fn take_on(tx: &mut Tx, event: &Waiting) -> Result<()> {
    if event.channel != "webhook" {
        return Ok(());
    }
    let numbered = queries::number(tx, event).await?;
    queries::insert(tx, &numbered, &event.name, &event.payload).await.map(drop)
}

async fn send_again(app: App, dead: DeadDelivery) -> std::result::Result<(), JobError> {
    let mut tx = app.db.begin().await?;
    if super::queries::hold(&mut tx, dead.webhook).await? {
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
