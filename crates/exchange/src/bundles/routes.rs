//! The routes of exports that a job writes.

use axum::body::Body;
use axum::extract::State;
use http::HeaderMap;
use planwright_domain::access::may;
use planwright_domain::words::RunStatus;
use planwright_file_storage::FileStorage;
use planwright_plan::Edit;
use planwright_store::page::Key;
use planwright_web::paging::Orderings;
use planwright_web::reply::FileAnswer;
use planwright_web::{
    Accepted, Actor, ApiError, ApiResult, App, IgnoredBody, Json, Page, Paging, Path, ProgramScope,
    ProjectScope, Routes, says,
};
use uuid::Uuid;

use super::commands::queued;
use super::model::{ProgramExportJob, ProjectExportJob};
use super::queries::{self, ExportRow, Whole};
use crate::under_way::Work;

type OfProject = ProjectScope<may::ExportProject>;
type OfProgram = ProgramScope<may::ExportProgram>;

/// The routes of this folder.
pub(super) fn table() -> Routes {
    let listed = |what| says(what).orderings(ORDERINGS);
    Routes::new()
        .post(
            "/api/v1/projects/{id}/export/",
            export_project,
            says("Have a project written into an archive."),
        )
        .get(
            "/api/v1/projects/{id}/export/jobs/",
            of_project,
            listed("List the archives of a project, newest first."),
        )
        .get(
            "/api/v1/projects/{id}/export/jobs/{job_id}/",
            one_of_project,
            says("Get the state of an archive of a project."),
        )
        .get(
            "/api/v1/projects/{id}/export/jobs/{job_id}/download/",
            download_of_project,
            says("Download an archive of a project.").also_answers(&[409, 410]),
        )
        .post(
            "/api/v1/projects/{id}/export/jobs/{job_id}/cancel/",
            cancel_of_project,
            says("Cancel the writing of an archive of a project."),
        )
        .post(
            "/api/v1/programs/{id}/export/jobs/{job_id}/cancel/",
            cancel_of_program,
            says("Cancel the writing of an archive of a program."),
        )
        .post(
            "/api/v1/programs/{id}/export/",
            export_program,
            says("Have a program written into an archive."),
        )
        .get(
            "/api/v1/programs/{id}/export/jobs/",
            of_program,
            listed("List the archives of a program, newest first."),
        )
        .get(
            "/api/v1/programs/{id}/export/jobs/{job_id}/",
            one_of_program,
            says("Get the state of an archive of a program."),
        )
        .get(
            "/api/v1/programs/{id}/export/jobs/{job_id}/download/",
            download_of_program,
            says("Download an archive of a program.").also_answers(&[409, 410]),
        )
}

pub(super) const ORDERINGS: Orderings = &[("created_at", "e.created_at"), ("status", "e.status")];

pub(super) async fn listed(app: &App, paging: &Paging, whole: Whole) -> ApiResult<(i64, Vec<ExportRow>)> {
    let newest_first = [Key::descending("e.created_at"), Key::descending("e.id")];
    let keys = paging.keys(ORDERINGS, &newest_first, "e.id")?;
    let list = queries::exports_of(whole).into();
    let slice = paging.slice_of(&app.db, queries::COLUMNS, list, "e.id", &keys).await?;
    Ok((slice.count, slice.rows))
}

/// The archive of an export, or the part of it that a header asks for.
///
/// # Errors
/// 409 while it is not there, 410 after it has expired.
pub(super) async fn archive(app: &App, whole: Whole, id: Uuid, headers: &HeaderMap) -> ApiResult<FileAnswer> {
    let row = queries::find(&app.db, whole, id).await?.ok_or_else(ApiError::not_found)?;
    match row.status {
        RunStatus::Success => {}
        RunStatus::Failed => return Err(ApiError::conflict("The export failed. There is no archive.")),
        RunStatus::Pending | RunStatus::Running => {
            return Err(ApiError::conflict("The export is not ready yet."));
        }
    }
    let expired = || ApiError::gone("The archive has expired. Export again.");
    if row.storage_key.is_empty() || row.expires_at.is_none_or(|until| until <= app.clock.now()) {
        return Err(expired());
    }
    // An archive can be made again, so one whose file is gone has expired.
    let file = app.get::<FileStorage>().open(&row.storage_key).await?.ok_or_else(expired)?;
    let answer = FileAnswer::of(&row.filename, "application/gzip", file.size, &row.storage_key);
    let answer = answer.asked(headers)?;
    if answer.is_known() {
        return Ok(answer);
    }
    let (first, length) = answer.extent();
    Ok(answer.with(Body::from_stream(file.pieces(first, length).await?)))
}

/// The archive for whoever asked for it. It holds what this person may read and others may not: their own time, the reasons of
/// their blocked tasks, and the projects of a program that they know of.
///
/// # Errors
/// 404 for everybody else, 410 for an archive with a project that this person may not know of any more, and those of
/// [`archive`].
async fn own_archive(
    app: &App,
    whole: Whole,
    id: Uuid,
    actor: &Actor,
    headers: &HeaderMap,
) -> ApiResult<FileAnswer> {
    if !queries::is_asked_by(&app.db, id, actor.id).await? {
        return Err(ApiError::not_found());
    }
    if queries::holds_what_is_lost(&app.db, id, actor).await? {
        return Err(ApiError::gone(
            "The archive holds a project that you may not read any more. Export again.",
        ));
    }
    archive(app, whole, id, headers).await
}

async fn export_project(State(app): State<App>, scope: OfProject) -> ApiResult<Accepted<ProjectExportJob>> {
    let row = queued(&app, Whole::Project(scope.project), scope.actor.id).await?;
    Ok(Accepted(row.of_project(scope.project, scope.actor.id)))
}

async fn of_project(
    State(app): State<App>,
    scope: OfProject,
    paging: Paging,
) -> ApiResult<Page<ProjectExportJob>> {
    let (count, rows) = listed(&app, &paging, Whole::Project(scope.project)).await?;
    Ok(paging
        .envelope(count, rows.into_iter().map(|row| row.of_project(scope.project, scope.actor.id)).collect()))
}

async fn one_of_project(
    State(app): State<App>,
    scope: OfProject,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<ProjectExportJob>> {
    let row = queries::find(&app.db, Whole::Project(scope.project), id).await?;
    Ok(Json(row.ok_or_else(ApiError::not_found)?.of_project(scope.project, scope.actor.id)))
}

async fn cancel_of_project(
    State(app): State<App>,
    scope: OfProject,
    Path(id): Path<Uuid>,
    _: IgnoredBody,
) -> ApiResult<Json<ProjectExportJob>> {
    let edit = Edit::begin(&app, &scope).await?;
    cancelled(&app, edit, Whole::Project(scope.project), id)
        .await
        .map(|row| Json(row.of_project(scope.project, scope.actor.id)))
}

async fn cancel_of_program(
    State(app): State<App>,
    scope: OfProgram,
    Path(id): Path<Uuid>,
    _: IgnoredBody,
) -> ApiResult<Json<ProgramExportJob>> {
    let edit = Edit::begin(&app, &scope).await?;
    cancelled(&app, edit, Whole::Program(scope.program), id)
        .await
        .map(|row| Json(row.of_program(scope.program, scope.actor.id)))
}

/// Cancels an export; what it is then.
pub(super) async fn cancelled(app: &App, mut edit: Edit, whole: Whole, id: Uuid) -> ApiResult<ExportRow> {
    queries::find(&edit, whole, id).await?.ok_or_else(ApiError::not_found)?;
    Work::Export.cancel(&mut edit, id).await?;
    edit.commit().await?;
    queries::find(&app.db, whole, id).await?.ok_or_else(ApiError::not_found)
}

async fn download_of_project(
    State(app): State<App>,
    scope: OfProject,
    Path(id): Path<Uuid>,
    headers: HeaderMap,
) -> ApiResult<FileAnswer> {
    own_archive(&app, Whole::Project(scope.project), id, &scope.actor, &headers).await
}

async fn export_program(State(app): State<App>, scope: OfProgram) -> ApiResult<Accepted<ProgramExportJob>> {
    let row = queued(&app, Whole::Program(scope.program), scope.actor.id).await?;
    Ok(Accepted(row.of_program(scope.program, scope.actor.id)))
}

async fn of_program(
    State(app): State<App>,
    scope: OfProgram,
    paging: Paging,
) -> ApiResult<Page<ProgramExportJob>> {
    let (count, rows) = listed(&app, &paging, Whole::Program(scope.program)).await?;
    Ok(paging
        .envelope(count, rows.into_iter().map(|row| row.of_program(scope.program, scope.actor.id)).collect()))
}

async fn one_of_program(
    State(app): State<App>,
    scope: OfProgram,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<ProgramExportJob>> {
    let row = queries::find(&app.db, Whole::Program(scope.program), id).await?;
    Ok(Json(row.ok_or_else(ApiError::not_found)?.of_program(scope.program, scope.actor.id)))
}

async fn download_of_program(
    State(app): State<App>,
    scope: OfProgram,
    Path(id): Path<Uuid>,
    headers: HeaderMap,
) -> ApiResult<FileAnswer> {
    own_archive(&app, Whole::Program(scope.program), id, &scope.actor, &headers).await
}
