//! `POST /api/v1/ws/ticket/`: a ticket opens one socket within 30 seconds, because browsers cannot send headers with
//! a WebSocket handshake. It contains the person and the credential, but no permissions.

use axum::extract::State;
use chrono::{DateTime, Duration, Utc};
use planwright_domain::ids::{SessionId, TokenId, UserId};
use planwright_plan::Edit;
use planwright_store::{Read, Tx, row, sql};
use planwright_web::actor::{Credential, Shown};
use planwright_web::limits::Limit;
use planwright_web::{Actor, ApiResult, App, Json, Routes, says, token};
use schemars::JsonSchema;
use serde::Serialize;

/// The lifetime of a ticket in seconds.
const LIFETIME_SECONDS: i64 = 30;

/// A ticket for one connection.
#[derive(Serialize, JsonSchema)]
pub struct WebSocketTicketResponse {
    /// The ticket that opens the socket, as `?ticket=`.
    ticket: String,
    /// How long the ticket is valid, in seconds.
    expires_in: i64,
}

row! {
    /// The credential of a ticket.
    struct TicketRow {
        user_id: UserId,
        session_id: Option<SessionId>,
        token_id: Option<TokenId>,
        credential_ends_at: Option<DateTime<Utc>>,
    }
}

impl TicketRow {
    /// Read-only tokens get no ticket, so a token is one that acts as its owner.
    fn shown(self) -> Option<Shown> {
        let session = self.session_id.map(Credential::Session);
        let credential = session.or(self.token_id.map(Credential::PersonalToken))?;
        Some(Shown { user: self.user_id, credential, ends_at: self.credential_ends_at })
    }
}

/// The routes of this file.
pub fn table() -> Routes {
    let rules = says("Get a ticket that opens one WebSocket.").limit(Limit::WsTicket).returns_secret();
    Routes::new().post("/api/v1/ws/ticket/", mint, rules)
}

async fn mint(State(app): State<App>, actor: Actor) -> ApiResult<Json<WebSocketTicketResponse>> {
    let ticket = token::random();
    let mut edit = Edit::begin(&app, &actor).await?;
    insert(&mut edit, &ticket, &Shown::by(&actor)).await?;
    edit.commit().await?;
    Ok(Json(WebSocketTicketResponse { ticket, expires_in: LIFETIME_SECONDS }))
}

/// Uses a ticket and returns its credential. If several clients use the same ticket, only the first one succeeds.
pub async fn redeem(app: &App, ticket: &str) -> ApiResult<Option<Shown>> {
    let hash = token::hash(ticket);
    // Guessing must not lock the one writer.
    if !is_good(&app.db, &hash, app.clock.now()).await? {
        return Ok(None);
    }
    let mut tx = app.db.begin().await?;
    let taken = take(&mut tx, &hash).await?;
    tx.commit().await?;
    Ok(taken.and_then(TicketRow::shown))
}

async fn insert(tx: &mut Tx, ticket: &str, shown: &Shown) -> ApiResult<()> {
    let statement = sql!(
        "INSERT INTO socket_tickets (token_hash, user_id, session_id, token_id, credential_ends_at, expires_at)
         VALUES (:hash, :user, :session, :token, :ends, :until)",
        hash = token::hash(ticket),
        user = shown.user,
        session = shown.credential.session(),
        token = shown.credential.token(),
        ends = shown.ends_at,
        until = tx.now() + Duration::seconds(LIFETIME_SECONDS)
    );
    Ok(tx.run(statement).await.map(drop)?)
}

async fn is_good(db: &dyn Read, hash: &str, now: DateTime<Utc>) -> ApiResult<bool> {
    let select = "SELECT COUNT(*) FROM socket_tickets WHERE token_hash = :hash AND expires_at > :now";
    Ok(db.count(sql!(select, hash = hash, now = now)).await? > 0)
}

async fn take(tx: &mut Tx, hash: &str) -> ApiResult<Option<TicketRow>> {
    let now = tx.now();
    let delete = "DELETE FROM socket_tickets WHERE token_hash = :hash AND expires_at > :now
                  RETURNING user_id, session_id, token_id, credential_ends_at";
    Ok(tx.maybe(sql!(delete, hash = hash, now = now)).await?)
}

/// Deletes expired tickets.
pub async fn forget(tx: &mut Tx) -> planwright_store::Result<u64> {
    let now = tx.now();
    tx.run(sql!("DELETE FROM socket_tickets WHERE expires_at <= :now", now = now)).await
}
