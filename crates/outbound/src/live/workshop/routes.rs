//! `/api/v1/projects/{id}/workshop/`: begin one, look at the one that is held, end it.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProgramId, ProjectId};
use planwright_domain::words::ChangeKind;
use planwright_store::history::Change;
use planwright_store::outbox::Event;
use planwright_store::{Read, StoreError, Tx};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Created, IgnoredBody, Json, ProjectScope, Routes, says,
};
use serde_json::json;
use uuid::Uuid;

use super::model::{SessionRow, WorkshopSession};
use super::{queries, rules};

/// The routes of this folder.
pub fn table() -> Routes {
    Routes::new()
        .post("/api/v1/projects/{id}/workshop/start/", start, says("Begin a workshop."))
        .get("/api/v1/projects/{id}/workshop/current/", current, says("The workshop that is held."))
        .post("/api/v1/projects/{id}/workshop/end/", end, says("End the workshop that one began."))
        .post("/api/v1/projects/{id}/workshop/force-end/", force_end, says("End the workshop of anybody."))
}

async fn start(
    State(app): State<App>,
    scope: ProjectScope<may::HoldWorkshop>,
    _: IgnoredBody,
) -> ApiResult<Created<WorkshopSession>> {
    let mut tx = app.db.begin().await?;
    let id = queries::insert(&mut tx, &scope).await.map_err(|error| match error {
        StoreError::Duplicate(_) => ApiError::conflict("A workshop is being held in this project."),
        other => other.into(),
    })?;
    let place = (scope.project, scope.program);
    tell(&mut tx, &scope.actor, place, id, SocketEvent::WorkshopStarted).await?;
    let session = load(&tx, id).await?;
    tx.commit().await?;
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
    _: IgnoredBody,
) -> ApiResult<Json<WorkshopSession>> {
    let mut tx = app.db.begin().await?;
    let held = queries::held(&tx, scope.project).await?.ok_or_else(ApiError::not_found)?;
    rules::may_end(scope.role, scope.actor.id, held.started_by_id)?;
    let session = finish(&mut tx, &scope.actor, scope.program, &held).await?;
    tx.commit().await?;
    Ok(Json(session))
}

async fn force_end(
    State(app): State<App>,
    scope: ProjectScope<may::HoldWorkshop>,
    _: IgnoredBody,
) -> ApiResult<Json<WorkshopSession>> {
    let mut tx = app.db.begin().await?;
    let held = queries::held(&tx, scope.project).await?.ok_or_else(ApiError::not_found)?;
    let session = finish(&mut tx, &scope.actor, scope.program, &held).await?;
    tx.commit().await?;
    Ok(Json(session))
}

async fn finish(
    tx: &mut Tx,
    actor: &Actor,
    program: Option<ProgramId>,
    held: &SessionRow,
) -> ApiResult<WorkshopSession> {
    if !queries::end(tx, held.id).await? {
        return Err(ApiError::not_found());
    }
    tell(tx, actor, (held.project_id, program), held.id, SocketEvent::WorkshopEnded).await?;
    load(tx, held.id).await
}

async fn tell(
    tx: &mut Tx,
    actor: &Actor,
    (project, program): (ProjectId, Option<ProgramId>),
    session: Uuid,
    event: SocketEvent,
) -> ApiResult<()> {
    let (kind, version) = match event {
        SocketEvent::WorkshopStarted => (ChangeKind::Created, 1),
        _ => (ChangeKind::Updated, 2),
    };
    let change = Change::of("workshop", session, kind, actor.id);
    tx.record(Change { project: Some(project), program, version, ..change }).await?;
    let told = json!({ "session_id": session });
    Ok(tx.emit(Event::Socket(event), Some(project), program, told).await?)
}

async fn load(db: &impl Read, id: Uuid) -> ApiResult<WorkshopSession> {
    let row = queries::find(db, id).await?.ok_or_else(ApiError::not_found)?;
    Ok(WorkshopSession::shown(row, queries::participants(db, id).await?))
}
