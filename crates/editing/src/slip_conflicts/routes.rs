//! `/api/v1/slip-conflicts/`: list, show, acknowledge.
//! Opening and resolving them is for recalculations alone.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::words::ChangeKind;
use planwright_plan::Edit;
use planwright_plan::cards::Cards;
use planwright_store::Read;
use planwright_store::history::Change;
use planwright_store::page::Key;
use planwright_web::{
    Actor, ApiError, ApiResult, App, Json, Page, Paging, Path, ProjectScope, Query, Routes, says,
};
use serde_json::{Map, json};
use uuid::Uuid;

use super::model::{ConflictFilter, ConflictRow, CrossProjectSlipConflict};
use super::{queries, rules};

/// The largest page of this list.
const LARGEST_SIZE: i64 = 200;

/// What the list may be ordered by.
const ORDERINGS: planwright_web::paging::Orderings = &[("detected_at", "c.detected_at")];

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/slip-conflicts/",
            list,
            says("Tasks that other projects push past their sprint, newest first.").orderings(ORDERINGS),
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
    let keys = paging.keys(ORDERINGS, &newest_first, "c.id")?;
    let from = queries::visible(&actor, &filter);
    let page =
        paging.fetch::<ConflictRow, _>(&app.db, queries::COLUMNS, from, "c.id", &keys, |row| row).await?;
    let cards =
        Cards::of(&app.db, &actor, page.results.iter().filter_map(|row| row.upstream_task_id)).await?;
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
) -> ApiResult<Json<CrossProjectSlipConflict>> {
    let row = queries::find(&app.db, &actor, id).await?.ok_or_else(ApiError::not_found)?;
    let scope = ProjectScope::<may::AcknowledgeSlips>::of(&app.db, &actor, row.project_id).await?;
    let mut edit = Edit::locked(&app, &scope).await?;
    let row = queries::find(&edit, &actor, id).await?.ok_or_else(ApiError::not_found)?;
    if rules::is_unacknowledged(&row)? {
        acknowledge_row(&mut edit, &row).await?;
    }
    let conflict = load(&edit, &actor, id).await?;
    edit.commit().await?;
    Ok(Json(conflict))
}

async fn acknowledge_row(edit: &mut Edit, row: &ConflictRow) -> ApiResult<()> {
    let (actor, number) = (edit.grant.actor.id, edit.change_number().await?);
    queries::acknowledge(edit, row.id, actor, number).await?;
    let fields = Map::from_iter([("acknowledged_by".to_owned(), json!([null, actor]))]);
    let change = Change::of("slip_conflict", row.id, ChangeKind::Updated, actor);
    let place = edit.grant.place;
    edit.record(Change { project: place.project, program: place.program, fields, ..change }).await?;
    Ok(edit.announce(SocketEvent::SlipConflictAcknowledged, json!({ "id": row.id })).await?)
}

async fn load(db: &dyn Read, actor: &Actor, id: Uuid) -> ApiResult<CrossProjectSlipConflict> {
    let row = queries::find(db, actor, id).await?.ok_or_else(ApiError::not_found)?;
    let cards = Cards::of(db, actor, row.upstream_task_id).await?;
    Ok(row.shown(&cards))
}
