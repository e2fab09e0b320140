//! The routes of a retrospective: read it, write it, say who reads it, and that of the sprint before.

use axum::extract::State;
use planwright_domain::Role;
use planwright_domain::access::may;
use planwright_plan::edit;
use planwright_plan::sprints::SprintRow;
use planwright_store::Read;
use planwright_web::version::Precondition;
use planwright_web::{ApiError, ApiResult, App, Item, Json, OpenBody, Routes, says};

use super::model::*;
use super::{commands, queries, rules};

const ONE: &str = "/api/v1/sprints/{id}/retro/";
const PRIOR: &str = "/api/v1/sprints/{id}/retrospective/prior/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            ONE,
            show,
            says("The retrospective of a sprint; what is for the team alone is counted for others."),
        )
        .post(ONE, write, says("Write the retrospective of a sprint."))
        .patch(ONE, open_up, says("Say who reads the retrospective of a sprint."))
        .get(PRIOR, prior, says("The retrospective of the sprint before."))
}

async fn show(State(app): State<App>, item: Item<SprintRow, may::ReadProject>) -> ApiResult<Json<Retro>> {
    let found = queries::of_sprint(&app.db, item.row.id).await?;
    shown(&app.db, found, item.scope.role).await
}

async fn prior(State(app): State<App>, item: Item<SprintRow, may::ReadProject>) -> ApiResult<Json<Retro>> {
    let found = queries::prior(&app.db, item.row.project_id, item.row.start_date).await?;
    shown(&app.db, found, item.scope.role).await
}

async fn write(
    State(app): State<App>,
    item: Item<SprintRow, may::TakePart>,
    OpenBody(request): OpenBody<RetroRequest>,
) -> ApiResult<Json<Retro>> {
    let (mut edit, sprint) = edit::open(&app, item, Precondition::default()).await?;
    let written = commands::write(&mut edit, &sprint, request).await?;
    let answer = shown(&edit, Some(written), edit.grant.role).await?;
    edit.commit().await?;
    Ok(answer)
}

async fn open_up(
    State(app): State<App>,
    item: Item<SprintRow, may::TakePart>,
    OpenBody(request): OpenBody<PatchedRetroRequest>,
) -> ApiResult<Json<Retro>> {
    let (mut edit, sprint) = edit::open(&app, item, Precondition::default()).await?;
    let before = queries::of_sprint(&edit, sprint.id).await?.ok_or_else(ApiError::not_found)?;
    rules::may_open(&before, edit.grant.actor.id, edit.grant.role)?;
    let mut after = before.clone();
    after.team_visibility = request.team_visibility;
    after.updated_at = edit.now();
    let written = edit.update(&before, after).await?;
    let answer = shown(&edit, Some(written.row), edit.grant.role).await?;
    edit.commit().await?;
    Ok(answer)
}

async fn shown(db: &dyn Read, found: Option<RetroRow>, role: Role) -> ApiResult<Json<Retro>> {
    let row = found.ok_or_else(ApiError::not_found)?;
    let actions = queries::actions(db, row.id).await?;
    Ok(Json(rules::shown(row, actions.into_iter().map(RetroActionItem::from).collect(), role)))
}
