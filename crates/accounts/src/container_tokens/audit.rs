//! What happened to the tokens of a project or program: minted, revoked and used, by whom and from where.
//! Lines are written in the transaction of what they tell and never change.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::{TokenId, UserId};
use planwright_domain::words::{AuditKind, TokenEvent};
use planwright_store::audit::Audited;
use planwright_store::{Read, Result, Tx, sql};
use planwright_web::actor::ClientAddress;
use planwright_web::{ApiResult, App, ContainerScope, Page, ProjectOrProgram, Routes, Window, says};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::model::ContainerTokenRow;
use crate::tokens::audit::ApiTokenAuditEntry;

/// The routes of this file.
pub(super) fn table() -> Routes {
    let of = |what| says(what).session_only();
    Routes::new()
        .get(
            "/api/v1/projects/{project_pk}/api-token-audit/",
            list,
            of("List the events of the tokens of a project, newest first."),
        )
        .get(
            "/api/v1/programs/{program_pk}/api-token-audit/",
            list,
            of("List the events of the tokens of a program, newest first."),
        )
}

async fn list(
    State(app): State<App>,
    scope: ContainerScope<may::RevokeTokens>,
    window: Window<50, 500>,
) -> ApiResult<Page<ApiTokenAuditEntry>> {
    let count = count(&app.db, scope.container).await?;
    let entries = newest(&app.db, scope.container, window.limit, window.offset).await?;
    Ok(window.envelope(count, entries))
}

/// A line to be written.
pub(super) struct Entry {
    token: TokenId,
    prefix: String,
    place: [Option<Uuid>; 2],
    actor: UserId,
    action: TokenEvent,
    source_ip: Option<String>,
    detail: Json,
}

impl Entry {
    /// Something that a person did to a token.
    pub(super) fn of(
        row: &ContainerTokenRow,
        action: TokenEvent,
        actor: UserId,
        from: ClientAddress,
        detail: Json,
    ) -> Self {
        Self {
            token: row.id,
            prefix: row.token_prefix.clone(),
            place: [row.project_id.map(|id| id.0), row.program_id.map(|id| id.0)],
            actor,
            action,
            source_ip: from.0.map(|address| address.to_string()),
            detail,
        }
    }
}

/// Writes a line into the trail.
pub(super) async fn insert(tx: &mut Tx, entry: &Entry) -> Result<()> {
    let [project, program] = entry.place;
    let metadata = json!({
        "project": project, "program": program, "source_ip": entry.source_ip, "detail": entry.detail,
    });
    let kind = match entry.action {
        TokenEvent::Revoked => AuditKind::TokenRevoked,
        TokenEvent::Minted | TokenEvent::Used => AuditKind::TokenMinted,
    };
    let (target, label) = (Some(entry.token.0), entry.prefix.clone());
    tx.audit(Audited { kind, actor: Some(entry.actor), target_type: "api_token", target, label, metadata })
        .await?;
    let statement = sql!(
        "INSERT INTO api_token_audit (id, token_id, project_id, program_id, token_prefix, actor_id, action, source_ip,
            detail, created_at)
         VALUES (:id, :token, :project, :program, :prefix, :actor, :action, :source, :detail, :now)",
        id = tx.mint::<Uuid>(),
        token = entry.token,
        project = entry.place[0],
        program = entry.place[1],
        prefix = &entry.prefix,
        actor = entry.actor,
        action = entry.action,
        source = entry.source_ip.clone(),
        detail = entry.detail.clone(),
        now = tx.now(),
    );
    tx.run(statement).await.map(drop)
}

async fn count(db: &dyn Read, place: ProjectOrProgram) -> Result<i64> {
    let select = format!("SELECT COUNT(*) FROM api_token_audit WHERE {} = :place", place.column());
    db.count(sql!(select, place = place.uuid())).await
}

async fn newest(
    db: &dyn Read,
    place: ProjectOrProgram,
    most: i64,
    skipped: i64,
) -> Result<Vec<ApiTokenAuditEntry>> {
    let select = format!(
        "SELECT a.id, a.token_id AS token, a.token_prefix, a.actor_id AS actor, u.email AS actor_email,
            a.action, a.source_ip, a.detail, a.created_at
         FROM api_token_audit a LEFT JOIN users u ON u.id = a.actor_id
         WHERE a.{} = :place ORDER BY a.created_at DESC, a.id DESC LIMIT :most OFFSET :skipped",
        place.column()
    );
    db.all(sql!(select, place = place.uuid(), most = most, skipped = skipped)).await
}
