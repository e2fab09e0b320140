//! The routes of analyses of drivers.

use std::collections::HashMap;

use axum::extract::State;
use planwright_domain::Entropy;
use planwright_domain::access::may;
use planwright_jobs::queue::{self, NewJob};
use planwright_plan::Edit;
use planwright_store::Read;
use planwright_web::limits::Limit;
use planwright_web::{
    Accepted, Actor, ApiError, ApiResult, App, Body, Json, Path, ProjectScope, Routes, says,
};
use uuid::Uuid;

use super::jobs::{ANALYSE_DRIVERS, AnalyseDrivers};
use super::model::{AnalysisRow, DriverAnalysis, DriverAnalysisRequest};
use super::queries::{self, Asked};
use crate::simulation::model::LARGEST_SEED;

const ALL: &str = "/api/v1/projects/{id}/monte-carlo/drivers/";
const LATEST: &str = "/api/v1/projects/{id}/monte-carlo/drivers/latest/";
const ONE: &str = "/api/v1/projects/{id}/monte-carlo/drivers/{analysis_id}/";

const USUAL_PERCENTILE: i64 = 80;
const USUAL_RUNS: i64 = 1_000;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post(
            ALL,
            begin,
            says("Look for what moves the finish: what each risk and each estimate costs.")
                .also_answers(&[402])
                .limit(Limit::MonteCarlo),
        )
        .get(LATEST, latest, says("The newest analysis of what moves the finish.").agent_surface())
        .get(ONE, show, says("One analysis of what moves the finish."))
}

async fn begin(
    State(app): State<App>,
    scope: ProjectScope<may::Simulate>,
    Body(request): Body<DriverAnalysisRequest>,
) -> ApiResult<Accepted<DriverAnalysis>> {
    let asked = Asked {
        percentile: request.percentile.given().map_or(USUAL_PERCENTILE, i64::from),
        runs: request.n_simulations.given().map_or(USUAL_RUNS, i64::from),
        seed: request
            .seed
            .given()
            .map_or_else(|| i64::from_be_bytes(Entropy.bytes()) & LARGEST_SEED, i64::from),
    };
    let mut edit = Edit::begin(&app, &scope).await?;
    let id: Uuid = edit.mint();
    queries::insert(&mut edit, id, scope.project, scope.actor.id, &asked).await?;
    queue::enqueue(&mut edit, NewJob::new(ANALYSE_DRIVERS, &AnalyseDrivers { analysis: id })?).await?;
    let row = queries::find(&edit, scope.project, id).await?.ok_or_else(ApiError::not_found)?;
    let shown = shown(&edit, &edit.grant.actor, row).await?;
    edit.commit().await?;
    Ok(Accepted(shown))
}

async fn latest(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Json<DriverAnalysis>> {
    let row = queries::latest(&app.db, scope.project).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(shown(&app.db, &scope.actor, row).await?))
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<DriverAnalysis>> {
    let row = queries::find(&app.db, scope.project, id).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(shown(&app.db, &scope.actor, row).await?))
}

/// An analysis as somebody may see it: what belongs to projects that they cannot open has no name.
async fn shown(db: &dyn Read, actor: &Actor, row: AnalysisRow) -> ApiResult<DriverAnalysis> {
    let names = match row.found() {
        Some(found) => queries::names(db, actor, &found.drivers).await?,
        None => HashMap::new(),
    };
    Ok(DriverAnalysis::of(row, &names))
}
