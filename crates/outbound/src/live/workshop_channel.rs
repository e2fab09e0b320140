//! `/ws/v1/projects/{project_id}/workshop/`: what those who take part in a workshop say to each other, passed on and not kept.
//! Beginning and ending one is in `workshop/`.

use std::convert::Infallible;

use axum::extract::State;
use axum::extract::ws::WebSocket;
use planwright_domain::ids::ProjectId;
use planwright_store::Result as Stored;
use planwright_web::socket::{Handshake, Switched};
use planwright_web::{ApiResult, App, Path, Query, Routes, says};
use uuid::Uuid;

use super::board::{SocketQuery, trouble};
use super::frame::{Effect, Frame};
use super::hub::{News, Stopping, Subscription};
use super::line::{Ending, Heard, Line};
use super::presence;
use super::visitor::Visitor;
use super::workshop::{self, queries, rules};

/// The routes of this file. A ticket is limited where it is minted, and opens one socket.
pub fn table() -> Routes {
    let rules = says("Take part in a workshop, over a WebSocket.").public().unlimited().hidden();
    Routes::new().get("/ws/v1/projects/{project_id}/workshop/", open, rules)
}

async fn open(
    State(app): State<App>,
    handshake: Handshake,
    Path(project): Path<ProjectId>,
    Query(wish): Query<SocketQuery>,
) -> ApiResult<Switched> {
    let admitted = admit(&app, project, wish.ticket.given()).await?;
    Ok(handshake.accept(move |socket| async move {
        match admitted {
            Ok((visitor, session)) => receive(visitor, session, socket).await,
            Err(ending) => Line::over(socket).close(ending).await,
        }
    }))
}

async fn admit(
    app: &App,
    project: ProjectId,
    ticket: Option<String>,
) -> ApiResult<Result<(Visitor, Uuid), Ending>> {
    let visitor = match Visitor::admit(app, project, ticket).await? {
        Ok(visitor) => visitor,
        Err(ending) => return Ok(Err(ending)),
    };
    let held = queries::held(&app.db, project).await?;
    Ok(held.map(|session| (visitor, session.id)).ok_or(Ending::NoWorkshop))
}

async fn receive(visitor: Visitor, session: Uuid, socket: WebSocket) {
    // Held to the end, so that a node that shuts down waits until its clients know.
    let _held = visitor.hub.stopping();
    let mut line = Line::over(socket);
    let Err(ending) = stay(&visitor, session, &mut line).await;
    line.close(ending).await;
}

async fn stay(visitor: &Visitor, session: Uuid, line: &mut Line) -> Result<Infallible, Ending> {
    let Visitor { app, hub, project, person, connection } = visitor;
    let stopping = hub.stopping();
    let board = hub.follow(app, *project).await.map_err(trouble)?;
    let room = hub.join(session);
    if !take_part(visitor, session).await.map_err(trouble)? {
        return Err(Ending::NoWorkshop);
    }
    let Err(ending) = pass_on(visitor, session, line, [board, room], stopping).await;
    let gone = presence::leave(&app.db, *connection, person.user_id, session).await;
    let parted = match gone {
        Ok(true) => workshop::part(app, hub, session, person).await,
        Ok(false) => Ok(()),
        Err(error) => Err(error),
    };
    if let Err(error) = parted {
        tracing::warn!(%error, "somebody who left a workshop is shown until their node is restarted");
    }
    Err(ending)
}

/// Enters the workshop and tells the others, unless they are there by another connection; false when it is over.
async fn take_part(visitor: &Visitor, session: Uuid) -> Stored<bool> {
    let Visitor { app, hub, person, connection, .. } = visitor;
    let mut tx = app.db.begin().await?;
    let is_held = queries::take_part(&mut tx, session, person.user_id).await?;
    tx.commit().await?;
    if is_held && presence::enter(&app.db, hub.node(), *connection, person.user_id, session).await? {
        workshop::tell_of(hub, session, "participant_joined", person);
    }
    Ok(is_held)
}

async fn pass_on(
    visitor: &Visitor,
    session: Uuid,
    line: &mut Line,
    [mut board, mut room]: [Subscription; 2],
    mut stopping: Stopping,
) -> Result<Infallible, Ending> {
    let pace = visitor.hub.paces().of(session, visitor.person.user_id);
    loop {
        tokio::select! {
            told = board.next() => {
                let told = told.map_err(|_| Ending::TooSlow)?;
                if matches!(&*told, News::Frame(frame) if frame.effect == Effect::Ends(session)) {
                    return Err(Ending::NoWorkshop);
                }
                visitor.stays(&told).await?;
            }
            said = room.next() => {
                if let News::Frame(frame) = &*said.map_err(|_| Ending::TooSlow)?
                    && frame.from != Some(visitor.connection)
                {
                    line.say(frame.text.clone()).await?;
                }
            }
            heard = line.hear() => match heard? {
                Heard::Text(text) if pace.allows() => speak(visitor, session, &text),
                Heard::Text(_) | Heard::Sign => {}
                Heard::Beat => line.beat().await?,
            },
            () = stopping.told() => return Err(Ending::Away),
        }
    }
}

fn speak(visitor: &Visitor, session: Uuid, text: &str) {
    if let Some(saying) = rules::heard(text, &visitor.person) {
        let frame = Frame::of_workshop(saying.name, &saying.payload, Some(visitor.connection));
        visitor.hub.tell(session, frame);
    }
}
