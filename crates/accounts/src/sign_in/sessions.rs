//! The sign-ins that go on, at `/api/v1/me/sessions/`, and at `/api/v1/workspace/members/{user_id}/sessions/` for
//! administrators: where they came from, and ending one or all. Ending one's own all at once is `auth/logout/all/`.

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::access::may;
use planwright_domain::ids::{SessionId, UserId};
use planwright_domain::words::SignInEvent;
use planwright_plan::edit::Edit;
use planwright_store::{Read, Result, Tx, row, sql};
use planwright_web::path::ParentPath;
use planwright_web::{Actor, ApiError, ApiResult, App, Json, NoContent, Path, Routes, WorkspaceScope, says};
use schemars::JsonSchema;
use serde::Serialize;

use super::model::Device;
use super::{audit, queries};
use crate::people;

const OF_MEMBER: &str = "/api/v1/workspace/members/{user_id}/sessions/";

type Administrator = WorkspaceScope<may::AdministerWorkspace>;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get("/api/v1/me/sessions/", list, says("List your active sign-ins, newest first.").session_only())
        .delete("/api/v1/me/sessions/{id}/", end, says("End one of your sign-ins.").session_only())
        .get(OF_MEMBER, list_of, says("List the active sign-ins of a member, newest first.").session_only())
        .delete(OF_MEMBER, end_all_of, says("End all sign-ins of a member.").session_only().on_many())
        .delete(
            "/api/v1/workspace/members/{user_id}/sessions/{id}/",
            end_of,
            says("End a sign-in of a member.").session_only(),
        )
}

row! {
    /// An active sign-in.
    pub struct SessionRow {
        pub id: SessionId,
        pub source_ip: Option<String>,
        pub user_agent: String,
        pub created_at: DateTime<Utc>,
        pub last_used_at: DateTime<Utc>,
        pub ends_at: DateTime<Utc>,
    }
}

/// An active sign-in.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SignInSession {
    /// Its id.
    pub id: SessionId,
    /// The network address from which it began.
    pub source_ip: Option<String>,
    /// The user agent of the client that began it.
    pub user_agent: String,
    /// When it began.
    pub created_at: DateTime<Utc>,
    /// The time of its last renewal.
    pub last_used_at: DateTime<Utc>,
    /// The latest time at which it ends.
    pub ends_at: DateTime<Utc>,
    /// Whether this request belongs to it.
    pub is_current: bool,
}

async fn list(State(app): State<App>, actor: Actor) -> ApiResult<Json<Vec<SignInSession>>> {
    shown(&app, actor.id, &actor).await
}

async fn list_of(
    State(app): State<App>,
    scope: Administrator,
    Path(user): Path<UserId>,
) -> ApiResult<Json<Vec<SignInSession>>> {
    check_rank(&app.db, &scope, user).await?;
    shown(&app, user, &scope.actor).await
}

async fn shown(app: &App, user: UserId, caller: &Actor) -> ApiResult<Json<Vec<SignInSession>>> {
    let current = caller.credential.session();
    let rows = live(&app.db, user, app.clock.now()).await?;
    let show = |row: SessionRow| SignInSession {
        is_current: current == Some(row.id),
        id: row.id,
        source_ip: row.source_ip,
        user_agent: row.user_agent,
        created_at: row.created_at,
        last_used_at: row.last_used_at,
        ends_at: row.ends_at,
    };
    Ok(Json(rows.into_iter().map(show).collect()))
}

/// Ends one sign-in of a person and notes by whom; 404 when it is none of theirs or has ended.
async fn end_one(tx: &mut Tx, by: UserId, (user, id): (UserId, SessionId), device: &Device) -> ApiResult<()> {
    if !queries::revoke(tx, user, id).await? {
        return Err(ApiError::not_found());
    }
    Ok(audit::note(tx, SignInEvent::Ended, user, Some(id), Some(by), device).await?)
}

async fn end(
    State(app): State<App>,
    actor: Actor,
    device: Device,
    Path(id): Path<SessionId>,
) -> ApiResult<NoContent> {
    let mut edit = Edit::begin(&app, &actor).await?;
    end_one(&mut edit, actor.id, (actor.id, id), &device).await?;
    edit.commit().await?;
    Ok(NoContent)
}

async fn end_of(
    State(app): State<App>,
    scope: Administrator,
    device: Device,
    ParentPath(user): ParentPath<UserId>,
    Path(id): Path<SessionId>,
) -> ApiResult<NoContent> {
    let mut edit = Edit::begin(&app, &scope).await?;
    check_rank(&edit, &scope, user).await?;
    end_one(&mut edit, scope.actor.id, (user, id), &device).await?;
    edit.commit().await?;
    Ok(NoContent)
}

async fn end_all_of(
    State(app): State<App>,
    scope: Administrator,
    device: Device,
    Path(user): Path<UserId>,
) -> ApiResult<NoContent> {
    let mut edit = Edit::begin(&app, &scope).await?;
    check_rank(&edit, &scope, user).await?;
    queries::revoke_all(&mut edit, user).await?;
    audit::note(&mut edit, SignInEvent::Ended, user, None, Some(scope.actor.id), &device).await?;
    edit.commit().await?;
    Ok(NoContent)
}

/// Nobody signs out whom they could not change: an equal or somebody above them.
pub(crate) async fn check_rank(db: &dyn Read, scope: &Administrator, user: UserId) -> ApiResult<()> {
    let person = people::by_id(db, user).await?.ok_or_else(ApiError::not_found)?;
    match person.id == scope.actor.id || person.workspace_role < scope.actor.workspace_role {
        true => Ok(()),
        false => Err(ApiError::forbidden(
            "You cannot see or end sign-ins of a member whose rank is yours or higher.",
        )),
    }
}

/// The sign-ins of a person that go on, newest first.
pub async fn live(db: &dyn Read, user: UserId, now: DateTime<Utc>) -> Result<Vec<SessionRow>> {
    let select = "SELECT s.id, s.source_ip, s.user_agent, s.created_at, s.ends_at,
            COALESCE((SELECT MAX(r.issued_at) FROM refresh_tokens r WHERE r.session_id = s.id), s.created_at)
                AS last_used_at
         FROM sessions s
         WHERE s.user_id = :user AND s.revoked_at IS NULL AND s.ends_at > :now
            AND EXISTS (SELECT 1 FROM refresh_tokens r
                        WHERE r.session_id = s.id AND r.used_at IS NULL AND r.expires_at > :now)
         ORDER BY s.created_at DESC, s.id DESC";
    db.all(sql!(select, user = user, now = now)).await
}
