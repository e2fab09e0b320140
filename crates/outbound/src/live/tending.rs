//! The background task of the connections of a node: it fills gaps from the log, reads messages of other nodes, and
//! writes signs of life. It starts with the first connection and ends with the process.

use std::time::Duration;

use planwright_store::{Db, Result};
use planwright_web::App;
use tokio::time::{MissedTickBehavior, interval};

use super::hub::Hub;
use super::presence;

/// How often the logs are checked for events without a message.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// How often the node writes a sign of life, and checks which clients have lost their access.
const BEAT_EVERY: Duration = Duration::from_secs(20);

/// Begins.
pub fn start(hub: Hub, app: App) {
    tokio::spawn(async move {
        let mut stopping = hub.stopping();
        let hear = async {
            match hub.bus() {
                Some(bus) => bus.listen(&hub).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = stopping.told() => {}
            () = hear => {}
            () = tend(&hub, &app.db) => {}
        }
    });
}

async fn tend(hub: &Hub, db: &Db) {
    let [mut look, mut beat] = [LOOK_EVERY, BEAT_EVERY].map(|every| {
        let mut ticks = interval(every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticks
    });
    loop {
        let done = tokio::select! {
            () = hub.called() => hub.close_gaps(db).await,
            _ = look.tick() => hub.look(db).await,
            _ = beat.tick() => show_life(hub, db).await,
        };
        if let Err(error) = done {
            tracing::warn!(%error, "the log of events cannot be read");
        }
    }
}

async fn show_life(hub: &Hub, db: &Db) -> Result<()> {
    presence::beat(db, hub.node()).await?;
    for user in presence::shut_out(db, hub.node()).await? {
        hub.doubt_here(user);
    }
    Ok(())
}
