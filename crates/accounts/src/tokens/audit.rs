//! What happened to personal tokens, at `/api/v1/me/api-token-audit/`: minted and revoked, by whom and from where.
//! Lines are written in the transaction of what they tell and never change.

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::ids::{TokenId, UserId};
use planwright_domain::words::{AuditKind, TokenEvent};
use planwright_store::audit::Audited;
use planwright_store::{Read, Result, ToValue, Tx, record, row, sql};
use planwright_web::actor::ClientAddress;
use planwright_web::{Actor, ApiResult, App, Page, Routes, Window, says};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::model::TokenRow;

/// The routes of this file.
pub fn table() -> Routes {
    let summary = says("List the events of your tokens, newest first.").session_only();
    Routes::new().get("/api/v1/me/api-token-audit/", list, summary)
}

async fn list(
    State(app): State<App>,
    actor: Actor,
    window: Window<50, 500>,
) -> ApiResult<Page<ApiTokenAuditEntry>> {
    let count = count(&app.db, actor.id).await?;
    let entries = newest(&app.db, actor.id, window.limit, window.offset).await?;
    Ok(window.envelope(count, entries))
}

row! {
    /// Something that happened to a token.
    #[derive(Serialize, JsonSchema)]
    pub struct ApiTokenAuditEntry {
        /// The id of the entry.
        pub id: Uuid,
        /// The token.
        pub token: Option<TokenId>,
        /// The first eight characters of the token.
        pub token_prefix: String,
        /// The person who did it. Null for the system.
        pub actor: Option<UserId>,
        /// The address of who did it.
        pub actor_email: Option<String>,
        /// What happened.
        pub action: TokenEvent,
        /// The network address of the caller.
        pub source_ip: Option<String>,
        /// More information, such as a reason.
        pub detail: Json,
        /// The time.
        pub created_at: DateTime<Utc>,
    }
}

record! {
    /// A line to be written.
    pub struct Entry in api_token_audit {
        /// The token.
        pub token_id: TokenId,
        /// The first eight characters of the token.
        pub token_prefix: String,
        /// Whose it is.
        pub owner_id: UserId,
        /// Who did it; none for the machine.
        pub actor_id: Option<UserId>,
        /// What happened.
        pub action: TokenEvent,
        /// The network address of the caller.
        pub source_ip: Option<String>,
        /// What else is worth telling.
        pub detail: Json,
    }
}

impl Entry {
    /// Something that owners did to their own token.
    pub fn of(row: &TokenRow, action: TokenEvent, owner: &Actor, from: ClientAddress, detail: Json) -> Self {
        Self {
            token_id: row.id,
            token_prefix: row.token_prefix.clone(),
            owner_id: owner.id,
            actor_id: Some(owner.id),
            action,
            source_ip: from.0.map(|address| address.to_string()),
            detail,
        }
    }
}

async fn count(db: &dyn Read, owner: UserId) -> Result<i64> {
    let select = "SELECT COUNT(*) FROM api_token_audit WHERE owner_id = :owner";
    db.count(sql!(select, owner = owner)).await
}

async fn newest(db: &dyn Read, owner: UserId, most: i64, skipped: i64) -> Result<Vec<ApiTokenAuditEntry>> {
    let select =
        "SELECT a.id, a.token_id AS token, a.token_prefix, a.actor_id AS actor, u.email AS actor_email,
            a.action, a.source_ip, a.detail, a.created_at
         FROM api_token_audit a LEFT JOIN users u ON u.id = a.actor_id
         WHERE a.owner_id = :owner ORDER BY a.created_at DESC, a.id DESC LIMIT :most OFFSET :skipped";
    db.all(sql!(select, owner = owner, most = most, skipped = skipped)).await
}

/// Writes lines into the trail.
pub async fn insert(tx: &mut Tx, entries: &[Entry]) -> Result<()> {
    for entry in entries {
        let kind = match entry.action {
            TokenEvent::Revoked => AuditKind::TokenRevoked,
            TokenEvent::Minted | TokenEvent::Used => AuditKind::TokenMinted,
        };
        let metadata =
            json!({ "owner": entry.owner_id, "source_ip": entry.source_ip, "detail": entry.detail });
        let (target, label) = (Some(entry.token_id.0), entry.token_prefix.clone());
        tx.audit(Audited { kind, actor: entry.actor_id, target_type: "api_token", target, label, metadata })
            .await?;
        let more = vec![("id", tx.mint::<Uuid>().to_value()), ("created_at", tx.now().to_value())];
        tx.insert(entry, more).await?;
    }
    Ok(())
}
