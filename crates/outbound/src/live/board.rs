//! `/ws/v1/projects/{project_id}/`: the board channel, which sends the events of a project to its members at once. A
//! client that was away sends `?since=` with the last number that it saw.

use std::convert::Infallible;

use axum::extract::State;
use axum::extract::ws::WebSocket;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::ProjectId;
use planwright_store::StoreError;
use planwright_web::input::{Int, Patch};
use planwright_web::limits::Limit;
use planwright_web::socket::{Handshake, Switched};
use planwright_web::{ApiResult, App, Path, Query, Routes, input, says};

use super::client::Client;
use super::connection::{CloseReason, Connection, HEARTBEAT, Heard};
use super::hub::{News, Stopping, Subscription};
use super::presence_place::Place;
use super::{frame, log, presence};

input! {
    /// What a socket is opened with.
    pub struct SocketQuery {
        /// The ticket.
        pub ticket: Patch<String>,
        /// The number of the last seen event.
        pub since: Patch<Int<0, 9_007_199_254_740_991>>,
    }
}

/// The routes of this file. The ticket route has its own limit. Requests without a valid ticket are counted here.
pub fn table() -> Routes {
    let rules = says("The events of a project, over a WebSocket.").public().limit(Limit::Channel).hidden();
    Routes::new().get("/ws/v1/projects/{project_id}/", open, rules)
}

async fn open(
    State(app): State<App>,
    handshake: Handshake,
    Path(project): Path<ProjectId>,
    Query(request): Query<SocketQuery>,
) -> ApiResult<Switched> {
    let admitted = Client::admit(&app, project, request.ticket.given()).await?;
    let since = request.since.given().map(i64::from);
    Ok(handshake.accept(move |socket| async move {
        match admitted {
            Ok(client) => receive(client, socket, since).await,
            Err(reason) => Connection::over(socket, HEARTBEAT).close(reason).await,
        }
    }))
}

async fn receive(client: Client, socket: WebSocket, since: Option<i64>) {
    // Held to the end, so that a node that shuts down waits until its clients know.
    let _held = client.hub.stopping();
    let mut connection = Connection::over(socket, client.hub.heartbeat());
    metrics::gauge!("planwright_live_connections").increment(1.0);
    let Err(reason) = stay(&client, &mut connection, since).await;
    metrics::gauge!("planwright_live_connections").decrement(1.0);
    metrics::counter!("planwright_live_endings_total", "reason" => format!("{reason:?}")).increment(1);
    connection.close(reason).await;
}

async fn stay(
    client: &Client,
    connection: &mut Connection,
    since: Option<i64>,
) -> Result<Infallible, CloseReason> {
    let Client { app, hub, project, person, connection_id, .. } = client;
    let stopping = hub.stopping();
    let news = hub.follow(app, *project).await.map_err(trouble)?;
    let (node, user) = (hub.node(), person.user_id);
    let is_first = presence::enter(&app.db, node, *connection_id, user, project.0).await.map_err(trouble)?;
    if is_first {
        presence::announce(hub, *project, SocketEvent::PresenceJoin, person);
    }
    let Err(reason) = tell(client, connection, news, stopping, since).await;
    match presence::leave(&app.db, *connection_id, user, project.0).await {
        Ok(true) => presence::announce(hub, *project, SocketEvent::PresenceLeave, person),
        Ok(false) => {}
        Err(error) => tracing::warn!(%error, "a person who left is shown until their node is restarted"),
    }
    Err(reason)
}

async fn tell(
    client: &Client,
    connection: &mut Connection,
    mut news: Subscription,
    mut stopping: Stopping,
    since: Option<i64>,
) -> Result<Infallible, CloseReason> {
    let mut seen = replay(client, connection, since).await?;
    let pace = client.hub.paces().of(client.project.0, client.person.user_id);
    loop {
        tokio::select! {
            told = news.next() => {
                let told = told.map_err(|_| CloseReason::TooSlow)?;
                if let News::Frame(frame) = &*told
                    && frame.seq.is_none_or(|seq| seq > seen)
                {
                    seen = frame.seq.unwrap_or(seen);
                    connection.say(frame.text.clone()).await?;
                }
                client.stays(&told).await?;
            }
            heard = connection.hear() => match heard? {
                Heard::Beat => {
                    connection.beat().await?;
                    client.look_again().await?;
                }
                Heard::Text(text) => {
                    if let Some(place) = Place::read(&text).filter(|_| pace.allows()) {
                        place.announce(&client.hub, client.project, &client.person);
                    }
                }
                Heard::Sign => {}
            },
            () = client.ended() => return Err(CloseReason::Ticket),
            () = stopping.told() => return Err(CloseReason::Away),
        }
    }
}

/// Sends the missed events and returns the last number. Without a number, only new events are sent.
async fn replay(
    client: &Client,
    connection: &mut Connection,
    since: Option<i64>,
) -> Result<i64, CloseReason> {
    let Some(since) = since else { return Ok(0) };
    match log::missed(&client.app.db, client.project, since).await.map_err(trouble)? {
        log::Missed::Events(events) => {
            for event in &events {
                connection.say(frame::replayed(event.seq, &event.name, &event.payload)).await?;
            }
            Ok(events.last().map_or(since, |event| event.seq))
        }
        log::Missed::TooMuch(latest) => {
            connection.say(frame::resync_required(latest)).await?;
            Ok(latest)
        }
    }
}

/// Logs an error and ends the connection.
pub fn trouble(error: StoreError) -> CloseReason {
    tracing::warn!(%error, "a channel ends because the database does not answer");
    CloseReason::Trouble
}
