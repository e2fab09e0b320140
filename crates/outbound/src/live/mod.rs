//! Channels to people who follow a project: WebSockets, and streams of server-sent events from the same log. Other
//! services get webhooks, see `webhooks/`.

mod board;
mod bus;
mod client;
mod connection;
mod frame;
mod hub;
mod log;
mod pace;
mod presence;
mod presence_place;
mod seats;
mod stream;
mod tending;
mod tickets;
mod workshop;
mod workshop_channel;

use chrono::Duration;
use planwright_jobs::{JobError, Registry};
use planwright_store::outbox::Waiting;
use planwright_store::{Result, Tx};
use planwright_web::{App, Routes};

pub use hub::{Bounds, Hub};

/// The routes of channels.
pub fn routes() -> Routes {
    Routes::new()
        .and(tickets::table())
        .and(board::table())
        .and(stream::table())
        .and(presence::table())
        .and(workshop::table())
        .and(workshop_channel::table())
}

/// The jobs of channels.
pub fn jobs() -> Registry<App> {
    Registry::default().every("forget_live_events", Duration::hours(1), forget).every(
        "bury_live_nodes",
        Duration::minutes(1),
        bury,
    )
}

/// Writes an event into the log of its project. Its followers get it after the commit.
pub async fn take_on(tx: &mut Tx, event: &Waiting) -> Result<()> {
    let Some(project) = event.project_id.filter(|_| event.channel == "socket") else { return Ok(()) };
    let seq = log::append(tx, project, &event.name, &event.payload).await?;
    if let Some(hub) = tx.context::<Hub>().cloned() {
        let told = frame::Frame::logged(seq, event.name.clone(), &event.payload);
        tx.signal_committed(move || hub.tell(project.0, told));
    }
    Ok(())
}

async fn forget(app: App) -> std::result::Result<(), JobError> {
    let mut tx = app.db.begin().await?;
    let before = tx.now() - Duration::hours(log::KEPT_HOURS);
    log::forget(&mut tx, before).await?;
    tickets::forget(&mut tx).await?;
    Ok(tx.commit().await?)
}

async fn bury(app: App) -> std::result::Result<(), JobError> {
    Ok(presence::bury(&app, app.get::<Hub>()).await?)
}
