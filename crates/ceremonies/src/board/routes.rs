//! The routes of retrospective boards. Every step on a board is told to those who look at it.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::words::RetroKind;
use planwright_plan::edit::{self, Edit};
use planwright_plan::sprints::SprintRow;
use planwright_web::version::Precondition;
use planwright_web::{
    ApiError, ApiResult, App, Body, Created, Either, IgnoredBody, Item, Json, NoContent, OpenBody,
    ProjectScope, Routes, says,
};
use serde_json::{Value, json};

use super::model::*;
use super::{queries, rules};
use crate::retro::model::RetroActionItem;
use crate::retro::rules::reads_all;
use crate::retro::{commands, queries as retros};

const BOARD: &str = "/api/v1/sprints/{id}/retro-board/";
const ONE: &str = "/api/v1/retro-items/{id}/";
const CONVERT: &str = "/api/v1/retro-items/{id}/convert-to-action/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(BOARD, show, says("The board of the retrospective of a sprint."))
        .post(BOARD, add, says("Put a note on the board of a retrospective."))
        .patch(ONE, update, says("Rewrite a note of a retrospective, or move it."))
        .delete(ONE, delete, says("Delete a note of a retrospective."))
        .post(CONVERT, convert, says("Make an action item of a note of a retrospective."))
}

type Leading = ProjectScope<may::LeadCeremonies>;
type Note = Item<ItemRow, may::TakePart>;

async fn show(
    State(app): State<App>,
    item: Item<SprintRow, may::ReadProject>,
) -> ApiResult<Json<RetroBoard>> {
    let Some(retro) = retros::of_sprint(&app.db, item.row.id).await? else {
        let columns = rules::columns();
        let (kind, items) = (RetroKind::Full, Vec::new());
        return Ok(Json(RetroBoard { retro: None, kind, columns, items, items_count: 0 }));
    };
    let rows = queries::items(&app.db, retro.id).await?;
    let is_full = reads_all(item.scope.role, retro.team_visibility);
    Ok(Json(RetroBoard {
        retro: Some(retro.id),
        kind: if is_full { RetroKind::Full } else { RetroKind::Summary },
        columns: rules::columns(),
        items_count: rows.len(),
        items: rows.into_iter().filter(|_| is_full).map(RetroBoardItem::from).collect(),
    }))
}

async fn add(
    State(app): State<App>,
    item: Item<SprintRow, may::TakePart>,
    OpenBody(request): OpenBody<RetroBoardItemRequest>,
) -> ApiResult<Created<RetroBoardItem>> {
    let (mut edit, sprint) = edit::open(&app, item, Precondition::default()).await?;
    rules::is_writable(sprint.state)?;
    let retro = commands::begun(&mut edit, &sprint).await?;
    let by = (edit.grant.actor.id, edit.now());
    let mut row = rules::fresh(edit.mint(), &retro, request, None, by);
    row.position = queries::last(&edit, retro.id, row.board_column).await?.map_or(0.0, |last| last + 1.0);
    edit.create(&row).await?;
    let told = json!({
        "id": row.id, "retro_id": row.retro_id, "sprint_id": row.sprint_id, "column": row.board_column,
        "author_id": row.author_id,
    });
    finished(edit, &row, SocketEvent::RetroItemCreated, told).await.map(Created)
}

async fn update(
    State(app): State<App>,
    item: Note,
    Body(request): Body<PatchedRetroBoardItemRequest>,
) -> ApiResult<Json<RetroBoardItem>> {
    let (mut edit, before) = opened(&app, item).await?;
    if request.text.as_given().is_some_and(|text| text.as_str() != before.text) {
        own(&edit, &before).await?;
    }
    let after = rules::changed(before.clone(), request, edit.now());
    let row = edit.update(&before, after).await?.row;
    let (event, told) = match rules::is_moved(&before, &row) {
        true => {
            let told = json!({ "id": row.id, "retro_id": row.retro_id, "column": row.board_column });
            (SocketEvent::RetroItemMoved, told)
        }
        false => (SocketEvent::RetroItemUpdated, short(&row)),
    };
    finished(edit, &row, event, told).await.map(Json)
}

async fn delete(State(app): State<App>, item: Note) -> ApiResult<NoContent> {
    let (mut edit, row) = opened(&app, item).await?;
    own(&edit, &row).await?;
    edit.delete(&row).await?;
    edit.announce(SocketEvent::RetroItemDeleted, short(&row)).await?;
    edit.commit().await?;
    Ok(NoContent)
}

async fn convert(
    State(app): State<App>,
    item: Note,
    _: IgnoredBody,
) -> ApiResult<Either<Created<RetroActionItem>, Json<RetroActionItem>>> {
    let (mut edit, row) = opened(&app, item).await?;
    if let Some(action) = queries::item(&edit, row.id).await?.live_action_id {
        return Ok(Either::That(Json(retros::action(&edit, action).await?.into())));
    }
    let retro = retros::of_sprint(&edit, row.sprint_id).await?.ok_or_else(ApiError::not_found)?;
    let action = commands::add(&mut edit, &retro, &row.text).await?;
    let made = retros::action(&edit, action).await?;
    let row = edit.update(&row, ItemRow { converted_action_id: Some(action), ..row.clone() }).await?.row;
    let told = short(&row);
    finished(edit, &row, SocketEvent::RetroItemUpdated, told).await?;
    Ok(Either::This(Created(made.into())))
}

/// Begins the change of a note: its sprint is locked, as it is for a new one.
async fn opened(app: &App, item: Note) -> ApiResult<(Edit, ItemRow)> {
    let edit = Edit::begin(app, &item.scope).await?;
    let sprint: SprintRow = edit.lock(item.row.sprint_id).await?;
    rules::is_writable(sprint.state)?;
    let row = edit.lock(item.row.id).await?;
    Ok((edit, row))
}

/// Whose note it is may rewrite and delete it, and so may those who lead.
async fn own(edit: &Edit, row: &ItemRow) -> ApiResult<()> {
    match row.author_id == Some(edit.grant.actor.id) {
        true => Ok(()),
        false => Leading::of(edit, &edit.grant.actor, edit.project()?).await.map(drop),
    }
}

fn short(row: &ItemRow) -> Value {
    json!({ "id": row.id, "retro_id": row.retro_id })
}

/// Tells what happened to a note and ends the edit; the note as it is shown.
async fn finished(
    mut edit: Edit,
    row: &ItemRow,
    event: SocketEvent,
    told: Value,
) -> ApiResult<RetroBoardItem> {
    edit.announce(event, told).await?;
    let shown = queries::item(&edit, row.id).await?;
    edit.commit().await?;
    Ok(shown.into())
}
