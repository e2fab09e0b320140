//! `/api/v1/programs/import/`: a document comes in, is tried, and is followed on its way.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_plan::Edit;
use planwright_web::limits::Limit;
use planwright_web::{
    Accepted, Actor, ApiError, ApiResult, App, FileOrJson, IgnoredBody, Json, Path, ProgramScope, Routes,
    says,
};
use uuid::Uuid;

use super::imports::{self, Upload};
use super::model::{ProgramImportJob, SeedImportQueuedResponse, SeedValidateResponse};
use super::queries;
use crate::ExchangeSettings;
use crate::settings::request_bytes;
use crate::under_way::Work;

/// The routes of this file.
pub fn table(settings: &ExchangeSettings) -> Routes {
    let upload = |summary| says(summary).upload(request_bytes(settings.seed));
    Routes::new()
        .post(
            "/api/v1/programs/import/",
            import,
            upload("Import a seed document.").members_only().limit(Limit::SeedImport),
        )
        .post(
            "/api/v1/programs/import/validate/",
            validate,
            upload("Check a seed document: what would an import do?")
                .members_only()
                .limit(Limit::SeedValidate),
        )
        .get("/api/v1/programs/{id}/import/jobs/{job_id}/", follow, says("Get the state of an import."))
        .post(
            "/api/v1/programs/{id}/import/jobs/{job_id}/cancel/",
            cancel,
            says("Cancel an import. Its program stays empty."),
        )
}

async fn import(
    State(app): State<App>,
    actor: Actor,
    sent: FileOrJson,
) -> ApiResult<Accepted<SeedImportQueuedResponse>> {
    let upload = Upload::read(&app, sent).await?;
    imports::accept(&app, &actor, upload).await.map(Accepted)
}

async fn validate(
    State(app): State<App>,
    actor: Actor,
    sent: FileOrJson,
) -> ApiResult<Json<SeedValidateResponse>> {
    let upload = Upload::read(&app, sent).await?;
    imports::rehearse(&app, &actor, upload).await.map(Json)
}

async fn follow(
    State(app): State<App>,
    scope: ProgramScope<may::ExportProgram>,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<ProgramImportJob>> {
    let row = queries::find_import(&app.db, scope.program, id).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(row.into()))
}

async fn cancel(
    State(app): State<App>,
    scope: ProgramScope<may::ExportProgram>,
    Path(id): Path<Uuid>,
    _: IgnoredBody,
) -> ApiResult<Json<ProgramImportJob>> {
    let mut edit = Edit::begin(&app, &scope).await?;
    queries::find_import(&edit, scope.program, id).await?.ok_or_else(ApiError::not_found)?;
    Work::SeedImport.cancel(&mut edit, id).await?;
    edit.commit().await?;
    let row = queries::find_import(&app.db, scope.program, id).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(row.into()))
}
