//! `/api/v1/projects/{id}/workshop/`: begin a workshop, read the running one, end it.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::words::ChangeKind;
use planwright_plan::Edit;
use planwright_store::history::Change;
use planwright_store::{Read, StoreError};
use planwright_web::{ApiError, ApiResult, App, Created, Json, Place, ProjectScope, Routes, says};
use serde_json::json;
use uuid::Uuid;

use super::model::{SessionRow, WorkshopSession};
use super::{queries, rules};

/// The routes of this folder.
pub fn table() -> Routes {
    Routes::new()
        .post("/api/v1/projects/{id}/workshop/start/", start, says("Begin a workshop."))
        .get("/api/v1/projects/{id}/workshop/current/", current, says("Get the running workshop."))
        .post("/api/v1/projects/{id}/workshop/end/", end, says("End a workshop that you began."))
        .post(
            "/api/v1/projects/{id}/workshop/force-end/",
            force_end,
            says("End a workshop, also one that another person began."),
        )
}

async fn start(
    State(app): State<App>,
    scope: ProjectScope<may::HoldWorkshop>,
) -> ApiResult<Created<WorkshopSession>> {
    let mut edit = Edit::begin(&app, &scope).await?;
    let id = queries::insert(&mut edit, &scope).await.map_err(|error| match error {
        StoreError::Duplicate(_) => ApiError::conflict("A workshop is already running in this project."),
        other => other.into(),
    })?;
    announce(&mut edit, id, SocketEvent::WorkshopStarted).await?;
    let session = load(&edit, id).await?;
    edit.commit().await?;
    Ok(Created(session))
}

async fn current(
    State(app): State<App>,
    scope: ProjectScope<may::FollowProject>,
) -> ApiResult<Json<WorkshopSession>> {
    let held = queries::held(&app.db, scope.project).await?.ok_or_else(ApiError::not_found)?;
    load(&app.db, held.id).await.map(Json)
}

async fn end(
    State(app): State<App>,
    scope: ProjectScope<may::FollowProject>,
) -> ApiResult<Json<WorkshopSession>> {
    let mut edit = Edit::begin(&app, &scope).await?;
    let held = queries::held(&edit, scope.project).await?.ok_or_else(ApiError::not_found)?;
    rules::may_end(edit.grant.role, scope.actor.id, held.started_by_id)?;
    let session = finish(&mut edit, &held).await?;
    edit.commit().await?;
    Ok(Json(session))
}

async fn force_end(
    State(app): State<App>,
    scope: ProjectScope<may::HoldWorkshop>,
) -> ApiResult<Json<WorkshopSession>> {
    let mut edit = Edit::begin(&app, &scope).await?;
    let held = queries::held(&edit, scope.project).await?.ok_or_else(ApiError::not_found)?;
    let session = finish(&mut edit, &held).await?;
    edit.commit().await?;
    Ok(Json(session))
}

async fn finish(edit: &mut Edit, held: &SessionRow) -> ApiResult<WorkshopSession> {
    if !queries::end(edit, held.id).await? {
        return Err(ApiError::not_found());
    }
    announce(edit, held.id, SocketEvent::WorkshopEnded).await?;
    load(edit, held.id).await
}

async fn announce(edit: &mut Edit, session: Uuid, event: SocketEvent) -> ApiResult<()> {
    let (kind, version) = match event {
        SocketEvent::WorkshopStarted => (ChangeKind::Created, 1),
        _ => (ChangeKind::Updated, 2),
    };
    let Place { project, program } = edit.grant.place;
    let change = Change::of("workshop", session, kind, edit.grant.actor.id);
    edit.record(Change { project, program, version, ..change }).await?;
    Ok(edit.announce(event, json!({ "session_id": session })).await?)
}

async fn load(db: &dyn Read, id: Uuid) -> ApiResult<WorkshopSession> {
    let row = queries::find(db, id).await?.ok_or_else(ApiError::not_found)?;
    Ok(WorkshopSession::shown(row, queries::participants(db, id).await?))
}
