//! The export of the whole workspace, at `/api/v1/workspace/export/`: every program and project as their own exports have
//! them, and beside them people, groups and settings. Only the Owner asks for it; one is written at a time.

use axum::extract::State;
use http::HeaderMap;
use planwright_domain::access::may;
use planwright_domain::words::AuditKind;
use planwright_jobs::{NewJob, queue};
use planwright_plan::edit::Edit;
use planwright_store::audit::Audited;
use planwright_store::{Read as _, sql};
use planwright_web::reply::FileAnswer;
use planwright_web::{
    Accepted, Actor, ApiError, ApiResult, App, IgnoredBody, Json, Page, Paging, Path, Routes, WorkspaceScope,
    says,
};
use serde_json::json;
use uuid::Uuid;

use super::archive::Archive;
use super::jobs::{EXPORT, ExportBundle};
use super::model::WorkspaceExportJob;
use super::queries::{self, Whole};
use super::routes::{archive, cancelled, listed};
use crate::programs::export;
use crate::under_way::Work;

type Owner = WorkspaceScope<may::OwnWorkspace>;

const ALL: &str = "/api/v1/workspace/export/";

/// The routes of this file.
pub(super) fn table() -> Routes {
    let of = |what| says(what).session_only();
    Routes::new()
        .get(
            ALL,
            list,
            of("List the exports of the workspace, newest first.").orderings(super::routes::ORDERINGS),
        )
        .post(ALL, start, of("Have the whole workspace written into an archive.").on_many())
        .get("/api/v1/workspace/export/{job_id}/", show, of("Get the state of an export of the workspace."))
        .post(
            "/api/v1/workspace/export/{job_id}/cancel/",
            cancel,
            of("Cancel the writing of an archive of the workspace."),
        )
        .get(
            "/api/v1/workspace/export/{job_id}/download/",
            download,
            of("Download an archive of the workspace.").also_answers(&[409, 410]),
        )
}

async fn list(State(app): State<App>, _: Owner, paging: Paging) -> ApiResult<Page<WorkspaceExportJob>> {
    let (count, rows) = listed(&app, &paging, Whole::Workspace).await?;
    Ok(paging.envelope(count, rows.into_iter().map(WorkspaceExportJob::from).collect()))
}

async fn start(
    State(app): State<App>,
    owner: Owner,
    _: IgnoredBody,
) -> ApiResult<Accepted<WorkspaceExportJob>> {
    let mut edit = Edit::begin(&app, &owner).await?;
    edit.rows(sql!(format!("SELECT id FROM workspace WHERE id = 1 {}", edit.engine().row_lock()))).await?;
    if let Some(running) = queries::unfinished(&edit, Whole::Workspace).await? {
        return Ok(Accepted(running.into()));
    }
    let export = queries::insert(&mut edit, Whole::Workspace, owner.actor.id, "workspace.tar.gz").await?;
    let job = NewJob::new(EXPORT, &ExportBundle { export })?;
    queue::enqueue(&mut edit, job.once(format!("{EXPORT}:{export}"))).await?;
    note(&mut edit, AuditKind::WorkspaceExportTriggered, export).await?;
    let row = queries::find(&edit, Whole::Workspace, export).await?.ok_or_else(ApiError::not_found)?;
    edit.commit().await?;
    Ok(Accepted(row.into()))
}

async fn show(State(app): State<App>, _: Owner, Path(id): Path<Uuid>) -> ApiResult<Json<WorkspaceExportJob>> {
    let row = queries::find(&app.db, Whole::Workspace, id).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(row.into()))
}

async fn cancel(
    State(app): State<App>,
    owner: Owner,
    Path(id): Path<Uuid>,
    _: IgnoredBody,
) -> ApiResult<Json<WorkspaceExportJob>> {
    let edit = Edit::begin(&app, &owner).await?;
    cancelled(&app, edit, Whole::Workspace, id).await.map(|row| Json(row.into()))
}

async fn download(
    State(app): State<App>,
    owner: Owner,
    Path(id): Path<Uuid>,
    headers: HeaderMap,
) -> ApiResult<FileAnswer> {
    let file = archive(&app, Whole::Workspace, id, &headers).await?;
    let mut edit = Edit::begin(&app, &owner).await?;
    note(&mut edit, AuditKind::ExportDownloaded, id).await?;
    edit.commit().await?;
    Ok(file)
}

async fn note(edit: &mut Edit, kind: AuditKind, export: Uuid) -> ApiResult<()> {
    let actor = Some(edit.grant.actor.id);
    let (target, label, metadata) = (Some(export), String::new(), json!({}));
    Ok(edit.audit(Audited { kind, actor, target_type: "workspace_export", target, label, metadata }).await?)
}

/// Everything in the workspace, for its Owner.
pub(super) async fn gathered(app: &App, id: Uuid, actor: &Actor) -> ApiResult<Archive> {
    let db = &app.db;
    WorkspaceScope::<may::OwnWorkspace>::of(actor)?;
    let mut whole = Archive::default();
    let (programs, alone) = (queries::live_programs(db).await?, queries::projects_alone(db).await?);
    let total = programs.len() + alone.len();
    for (done, program) in programs.into_iter().enumerate() {
        Work::Export.tell(db, id, "reading", (done, total)).await?;
        let Some(exported) = export::program(db, program, None, None).await? else { continue };
        let mut archive = Archive::of(exported);
        for project in queries::projects(db, program, None).await? {
            archive.add_project(app, project, actor.id).await?;
        }
        whole.add_below(&format!("programs/{program}"), archive);
    }
    let begun = total - alone.len();
    for (done, project) in alone.into_iter().enumerate() {
        Work::Export.tell(db, id, "reading", (begun + done, total)).await?;
        let Some(exported) = export::project(db, project, None, Some(actor.id)).await? else { continue };
        let mut archive = Archive::of(exported);
        archive.add_project(app, project, actor.id).await?;
        whole.add_below(&format!("projects/{project}"), archive);
    }
    whole.add_json("people.json", &queries::people(db).await?)?;
    whole.add_json("groups.json", &queries::groups(db).await?)?;
    whole.add_json("group-members.json", &queries::group_members(db).await?)?;
    whole.add_json("group-projects.json", &queries::group_projects(db).await?)?;
    Ok(whole)
}
