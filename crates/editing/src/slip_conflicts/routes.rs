//! `/api/v1/slip-conflicts/`: list, show, acknowledge.
//! Opening and resolving them is for recalculations alone.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::words::ChangeKind;
use planwright_plan::cards::Cards;
use planwright_plan::containers::hold::hold_project;
use planwright_store::history::Change;
use planwright_store::outbox::Event;
use planwright_store::page::Key;
use planwright_store::{Read, Tx};
use planwright_web::{
    Actor, ApiError, ApiResult, App, IgnoredBody, Json, Page, Paging, Path, ProjectScope, Query, Routes, says,
};
use serde_json::{Map, json};
use uuid::Uuid;

use super::model::{ConflictFilter, ConflictRow, CrossProjectSlipConflict};
use super::{queries, rules};

/// The largest page of this list.
const LARGEST_SIZE: i64 = 200;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/slip-conflicts/",
            list,
            says("Tasks that other projects push past their sprint, newest first."),
        )
        .get("/api/v1/slip-conflicts/{id}/", show, says("One slip conflict."))
        .post(
            "/api/v1/slip-conflicts/{id}/acknowledge/",
            acknowledge,
            says("Note that a slip conflict has been seen; no date moves."),
        )
}

async fn list(
    State(app): State<App>,
    actor: Actor,
    mut paging: Paging,
    Query(filter): Query<ConflictFilter>,
) -> ApiResult<Page<CrossProjectSlipConflict>> {
    paging.size = paging.size.min(LARGEST_SIZE);
    let newest_first = [Key::descending("c.detected_at")];
    let keys = paging.keys(&[("detected_at", "c.detected_at")], &newest_first, "c.id")?;
    let from = queries::visible(actor.id, &filter);
    let page = paging
        .fetch::<ConflictRow, Uuid, _>(&app.db, queries::COLUMNS, from, "c.id", &keys, |row| row)
        .await?;
    let cards = Cards::of(&app.db, page.results.iter().filter_map(|row| row.upstream_task_id)).await?;
    Ok(page.map(|row| row.shown(&cards)))
}

async fn show(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<CrossProjectSlipConflict>> {
    load(&app.db, &actor, id).await.map(Json)
}

async fn acknowledge(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<Uuid>,
    _: IgnoredBody,
) -> ApiResult<Json<CrossProjectSlipConflict>> {
    let mut tx = app.db.begin().await?;
    let row = queries::find(&tx, actor.id, id).await?.ok_or_else(ApiError::not_found)?;
    let scope = ProjectScope::<may::TakePart>::of(&tx, &actor, row.project_id).await?;
    let scope = hold_project(&mut tx, &scope).await?;
    rules::may_acknowledge(scope.role, queries::has_facet(&tx, row.project_id, actor.id).await?)?;
    let row = queries::find(&tx, actor.id, id).await?.ok_or_else(ApiError::not_found)?;
    if rules::is_unacknowledged(&row)? {
        write_down(&mut tx, &actor, &row).await?;
    }
    let conflict = load(&tx, &actor, id).await?;
    tx.commit().await?;
    Ok(Json(conflict))
}

async fn write_down(tx: &mut Tx, actor: &Actor, row: &ConflictRow) -> ApiResult<()> {
    queries::acknowledge(tx, row.id, actor.id).await?;
    let (project, program) = (Some(row.project_id), row.program_id);
    let fields = Map::from_iter([("acknowledged_by".to_owned(), json!([null, actor.id]))]);
    let change = Change::of("slip_conflict", row.id, ChangeKind::Updated, actor.id);
    tx.record(Change { project, program, fields, ..change }).await?;
    let event = Event::Socket(SocketEvent::SlipConflictAcknowledged);
    Ok(tx.emit(event, project, program, json!({ "id": row.id })).await?)
}

async fn load(db: &impl Read, actor: &Actor, id: Uuid) -> ApiResult<CrossProjectSlipConflict> {
    let row = queries::find(db, actor.id, id).await?.ok_or_else(ApiError::not_found)?;
    let cards = Cards::of(db, row.upstream_task_id).await?;
    Ok(row.shown(&cards))
}
