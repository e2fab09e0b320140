//! The routes of pulses: your own answer, and the trend of the team.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::words::Signal;
use planwright_plan::edit;
use planwright_plan::sprints::SprintRow;
use planwright_plan::sprints::velocity_gate::readable;
use planwright_web::version::Precondition;
use planwright_web::{ApiError, ApiResult, App, IfAny, Item, Json, OpenBody, Routes, says};

use super::model::*;
use super::{queries, rules};
use crate::retro::commands;

const OWN: &str = "/api/v1/sprints/{id}/pulse/";
const TREND: &str = "/api/v1/sprints/{id}/pulse-trend/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(OWN, own, says("How you felt in a sprint, if you said so."))
        .put(OWN, answer, says("Say how you felt in a sprint."))
        .get(
            TREND,
            trend,
            says("How a team felt over its last sprints, where at least four people answered."),
        )
}

async fn own(State(app): State<App>, item: Item<SprintRow, may::ReadProject>) -> ApiResult<IfAny<Pulse>> {
    Ok(IfAny(queries::own(&app.db, item.row.id, item.scope.actor.id).await?))
}

async fn answer(
    State(app): State<App>,
    item: Item<SprintRow, may::TakePart>,
    OpenBody(request): OpenBody<PulseRequest>,
) -> ApiResult<Json<Pulse>> {
    let (mut edit, sprint) = edit::open(&app, item, Precondition::default()).await?;
    let retro = commands::begun(&mut edit, &sprint).await?;
    let (me, id, now) = (edit.grant.actor.id, edit.mint(), edit.now());
    let confidence = request.confidence.given().flatten().map(i64::from);
    let felt = (request.mood.0, request.energy.0, confidence);
    queries::write(&mut edit, id, (retro.id, sprint.id, me), felt, now).await?;
    let own = queries::own(&edit, sprint.id, me).await?.ok_or_else(ApiError::not_found)?;
    edit.commit().await?;
    Ok(Json(own))
}

async fn trend(
    State(app): State<App>,
    item: Item<SprintRow, may::ReadProject>,
) -> ApiResult<Json<PulseTrend>> {
    let (db, me, project) = (&app.db, item.scope.actor.id, item.row.project_id);
    let is_readable = readable(db, Signal::Pulse, me, [project]).await?.contains(&project);
    let sums = queries::sums(db, &item.row).await?;
    let own = queries::own(db, item.row.id, me).await?;
    Ok(Json(rules::trend(is_readable, sums, own)))
}
