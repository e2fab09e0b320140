//! `/ws/v1/projects/{project_id}/workshop/`: the messages between the participants of a workshop. They are passed on
//! and not stored. `workshop/` begins and ends workshops.

use std::convert::Infallible;

use axum::extract::State;
use axum::extract::ws::WebSocket;
use planwright_domain::ids::ProjectId;
use planwright_store::Result as Stored;
use planwright_web::limits::Limit;
use planwright_web::socket::{Handshake, Switched};
use planwright_web::{ApiResult, App, Path, Query, Routes, says};
use uuid::Uuid;

use super::board::{SocketQuery, trouble};
use super::client::Client;
use super::connection::{CloseReason, Connection, HEARTBEAT, Heard};
use super::frame::{Effect, Frame};
use super::hub::{News, Stopping, Subscription};
use super::presence;
use super::workshop::{self, queries, rules};

/// The routes of this file. The ticket route has its own limit. Requests without a valid ticket are counted here.
pub fn table() -> Routes {
    let rules = says("Take part in a workshop, over a WebSocket.").public().limit(Limit::Channel).hidden();
    Routes::new().get("/ws/v1/projects/{project_id}/workshop/", open, rules)
}

async fn open(
    State(app): State<App>,
    handshake: Handshake,
    Path(project): Path<ProjectId>,
    Query(request): Query<SocketQuery>,
) -> ApiResult<Switched> {
    let admitted = admit(&app, project, request.ticket.given()).await?;
    Ok(handshake.accept(move |socket| async move {
        match admitted {
            Ok((client, session)) => receive(client, session, socket).await,
            Err(reason) => Connection::over(socket, HEARTBEAT).close(reason).await,
        }
    }))
}

async fn admit(
    app: &App,
    project: ProjectId,
    ticket: Option<String>,
) -> ApiResult<Result<(Client, Uuid), CloseReason>> {
    let client = match Client::admit(app, project, ticket).await? {
        Ok(client) => client,
        Err(reason) => return Ok(Err(reason)),
    };
    let held = queries::held(&app.db, project).await?;
    Ok(held.map(|session| (client, session.id)).ok_or(CloseReason::NoWorkshop))
}

async fn receive(client: Client, session: Uuid, socket: WebSocket) {
    // Held to the end, so that a node that shuts down waits until its clients know.
    let _held = client.hub.stopping();
    let mut connection = Connection::over(socket, client.hub.heartbeat());
    let Err(reason) = stay(&client, session, &mut connection).await;
    connection.close(reason).await;
}

async fn stay(
    client: &Client,
    session: Uuid,
    connection: &mut Connection,
) -> Result<Infallible, CloseReason> {
    let Client { app, hub, project, person, connection_id, .. } = client;
    let stopping = hub.stopping();
    let board = hub.follow(app, *project).await.map_err(trouble)?;
    let room = hub.join(session);
    if !take_part(client, session).await.map_err(trouble)? {
        return Err(CloseReason::NoWorkshop);
    }
    let Err(reason) = pass_on(client, session, connection, [board, room], stopping).await;
    let gone = presence::leave(&app.db, *connection_id, person.user_id, session).await;
    let parted = match gone {
        Ok(true) => workshop::part(app, hub, session, person).await,
        Ok(false) => Ok(()),
        Err(error) => Err(error),
    };
    if let Err(error) = parted {
        tracing::warn!(%error, "a person who left a workshop is shown until their node is restarted");
    }
    Err(reason)
}

/// Joins the workshop and tells the others, unless the person already has another connection. False if it has ended.
async fn take_part(client: &Client, session: Uuid) -> Stored<bool> {
    let Client { app, hub, person, connection_id, .. } = client;
    let mut tx = app.db.begin().await?;
    let is_held = queries::take_part(&mut tx, session, person.user_id).await?;
    tx.commit().await?;
    if is_held && presence::enter(&app.db, hub.node(), *connection_id, person.user_id, session).await? {
        workshop::tell_of(hub, session, "participant_joined", person);
    }
    Ok(is_held)
}

async fn pass_on(
    client: &Client,
    session: Uuid,
    connection: &mut Connection,
    [mut board, mut room]: [Subscription; 2],
    mut stopping: Stopping,
) -> Result<Infallible, CloseReason> {
    let pace = client.hub.paces().of(session, client.person.user_id);
    loop {
        tokio::select! {
            told = board.next() => {
                let told = told.map_err(|_| CloseReason::TooSlow)?;
                if matches!(&*told, News::Frame(frame) if frame.effect == Effect::Ends(session)) {
                    return Err(CloseReason::NoWorkshop);
                }
                client.stays(&told).await?;
            }
            said = room.next() => {
                if let News::Frame(frame) = &*said.map_err(|_| CloseReason::TooSlow)?
                    && frame.from != Some(client.connection_id)
                {
                    connection.say(frame.text.clone()).await?;
                }
            }
            heard = connection.hear() => match heard? {
                Heard::Text(text) if pace.allows() => speak(client, session, &text),
                Heard::Text(_) | Heard::Sign => {}
                Heard::Beat => {
                    connection.beat().await?;
                    client.look_again().await?;
                }
            },
            () = client.ended() => return Err(CloseReason::Ticket),
            () = stopping.told() => return Err(CloseReason::Away),
        }
    }
}

fn speak(client: &Client, session: Uuid, text: &str) {
    if let Some(saying) = rules::heard(text, &client.person) {
        let frame = Frame::of_workshop(saying.name, &saying.payload, Some(client.connection_id));
        client.hub.tell(session, frame);
    }
}
