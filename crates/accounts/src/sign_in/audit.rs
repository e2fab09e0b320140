//! What happened to sign-ins: who signed in, was refused, signed out or was signed out, from where and in which request.
//! Lines are written in the transaction of what they tell, never change, and are forgotten after a while.

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::access::may;
use planwright_domain::ids::{SessionId, UserId};
use planwright_domain::words::{AuditKind, SignInEvent};
use planwright_store::audit::Audited;
use planwright_store::{Result, Sql, Tx, row, sql};
use planwright_web::{Actor, ApiResult, App, Page, Routes, Window, WorkspaceScope, request_id, says};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use super::model::Device;

/// How long lines are kept, in days.
pub const KEPT_DAYS: i64 = 180;

/// The routes of this file.
pub fn table() -> Routes {
    let own = says("List the events of your sign-ins, newest first.").session_only();
    let all = says("List the events of all sign-ins, newest first.").session_only();
    Routes::new().get("/api/v1/me/sign-in-audit/", list_own, own).get(
        "/api/v1/workspace/sign-in-audit/",
        list_all,
        all,
    )
}

row! {
    /// Something that happened to a sign-in.
    #[derive(Serialize, JsonSchema)]
    pub struct SignInAuditEntry {
        /// The id of the entry.
        pub id: Uuid,
        /// Whose sign-in.
        pub user: UserId,
        /// The sign-in. Null if it was refused, or if all sign-ins ended at once.
        pub session: Option<SessionId>,
        /// The person who did it. Null if the person is not known.
        pub actor: Option<UserId>,
        /// What happened.
        pub action: SignInEvent,
        /// The network address of the caller.
        pub source_ip: Option<String>,
        /// The user agent of the client.
        pub user_agent: String,
        /// The id of the request in the log.
        pub request_id: String,
        /// The time.
        pub created_at: DateTime<Utc>,
    }
}

async fn list_own(
    State(app): State<App>,
    actor: Actor,
    window: Window<50, 500>,
) -> ApiResult<Page<SignInAuditEntry>> {
    page(&app, Some(actor.id), window).await
}

async fn list_all(
    State(app): State<App>,
    _: WorkspaceScope<may::AdministerWorkspace>,
    window: Window<50, 500>,
) -> ApiResult<Page<SignInAuditEntry>> {
    page(&app, None, window).await
}

async fn page(app: &App, of: Option<UserId>, window: Window<50, 500>) -> ApiResult<Page<SignInAuditEntry>> {
    let count = app.db.count(only(sql!("SELECT COUNT(*) FROM sign_in_audit a"), of)).await?;
    let select = "SELECT a.id, a.user_id AS \"user\", a.session_id AS session, a.actor_id AS actor, a.action,
            a.source_ip, a.user_agent, a.request_id, a.created_at FROM sign_in_audit a";
    let newest = only(sql!(select), of)
        .push(" ORDER BY a.created_at DESC, a.id DESC LIMIT :most OFFSET :skipped")
        .bind("most", window.limit)
        .bind("skipped", window.offset);
    Ok(window.envelope(count, app.db.all(newest).await?))
}

fn only(statement: Sql, of: Option<UserId>) -> Sql {
    statement.when("WHERE a.user_id = :user", "user", of)
}

/// Writes a line, and one into the log.
pub async fn note(
    tx: &mut Tx,
    action: SignInEvent,
    user: UserId,
    session: Option<SessionId>,
    actor: Option<UserId>,
    device: &Device,
) -> Result<()> {
    note_how(tx, action, user, session, actor, How { device, provider: None, second_factor: None }).await
}

/// How somebody signs in.
#[derive(Clone, Copy, Debug)]
pub struct How<'a> {
    /// From where.
    pub device: &'a Device,
    /// With which provider of identities.
    pub provider: Option<&'a str>,
    /// With which second factor.
    pub second_factor: Option<&'a str>,
}

/// The same for a sign-in with more than a password.
pub async fn note_how(
    tx: &mut Tx,
    action: SignInEvent,
    user: UserId,
    session: Option<SessionId>,
    actor: Option<UserId>,
    how: How<'_>,
) -> Result<()> {
    let How { device, provider, second_factor } = how;
    let told = match action {
        SignInEvent::SignedIn => AuditKind::SignedIn,
        SignInEvent::Refused => AuditKind::SignInRefused,
        SignInEvent::SignedOut => AuditKind::SignedOut,
        SignInEvent::Ended => AuditKind::SessionEnded,
        SignInEvent::Reused => AuditKind::SessionReused,
    };
    let mut metadata = json!({ "source_ip": device.address, "session": session });
    if let Some(provider) = provider {
        metadata["provider"] = json!(provider);
    }
    if let Some(factor) = second_factor {
        metadata["second_factor"] = json!(factor);
    }
    let target = Some(user.0);
    let label = String::new();
    tx.audit(Audited { kind: told, actor, target_type: "user", target, label, metadata }).await?;
    let request = request_id::current();
    let address = device.address.as_deref().unwrap_or("unknown");
    tracing::info!(request_id = %request, %user, address, ?action, "a sign-in");
    let statement = sql!(
        "INSERT INTO sign_in_audit (id, user_id, session_id, actor_id, action, source_ip, user_agent, request_id,
            created_at)
         VALUES (:id, :user, :session, :actor, :action, :address, :agent, :request, :now)",
        id = tx.mint::<Uuid>(),
        user = user,
        session = session,
        actor = actor,
        action = action,
        address = device.address.clone(),
        agent = device.user_agent.clone(),
        request = request,
        now = tx.now()
    );
    tx.run(statement).await.map(drop)
}

/// Forgets lines from before then; returns how many.
pub async fn forget(tx: &mut Tx, before: DateTime<Utc>) -> Result<u64> {
    tx.run(sql!("DELETE FROM sign_in_audit WHERE created_at < :before", before = before)).await
}
