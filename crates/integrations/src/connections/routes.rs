//! The routes of connections. No token manages connections.

use axum::extract::State;
use planwright_web::limits::Limit;
use planwright_web::reply::Accepted;
use planwright_web::{Actor, ApiResult, App, Body, Json, NoContent, Path, Routes, says};

use super::model::{ExternalConnectionSummary, ExternalConnectionUpsertRequest, ExternalSyncQueued};
use super::{commands, queries, rules};

const ONE: &str = "/api/v1/me/connections/{source}/";
const SYNC: &str = "/api/v1/me/connections/{source}/sync/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ONE, show, says("What is known of the connection to your tracker.").session_only())
        .put(
            ONE,
            connect,
            says("Connect your tracker, in place of the one before. The secret is tried out first, and never shown again.")
                .session_only()
                .returns_secret()
                .limit(Limit::CredentialRotate),
        )
        .delete(ONE, remove, says("Take the connection away with everything that was read.").session_only())
        .post(SYNC, sync, says("Have your tracker read again.").session_only().limit(Limit::ExternalSync))
}

async fn show(
    State(app): State<App>,
    actor: Actor,
    Path(source): Path<String>,
) -> ApiResult<Json<ExternalConnectionSummary>> {
    let row = queries::of_person(&app.db, actor.id, rules::source(&source)?).await?;
    Ok(Json(ExternalConnectionSummary::of(row.as_ref())))
}

async fn connect(
    State(app): State<App>,
    actor: Actor,
    Path(source): Path<String>,
    Body(request): Body<ExternalConnectionUpsertRequest>,
) -> ApiResult<Json<ExternalConnectionSummary>> {
    rules::source(&source)?;
    let row = commands::connect(&app, &actor, request).await?;
    Ok(Json(ExternalConnectionSummary::of(Some(&row))))
}

async fn remove(State(app): State<App>, actor: Actor, Path(source): Path<String>) -> ApiResult<NoContent> {
    commands::remove(&app, &actor, rules::source(&source)?).await?;
    Ok(NoContent)
}

async fn sync(
    State(app): State<App>,
    actor: Actor,
    Path(source): Path<String>,
) -> ApiResult<Accepted<ExternalSyncQueued>> {
    commands::ask(&app, &actor, rules::source(&source)?).await?;
    Ok(Accepted(ExternalSyncQueued { queued: true }))
}
