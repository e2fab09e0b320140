//! The routes by which files come in, are followed and taken back.

use std::collections::HashMap;

use axum::body::Bytes;
use axum::extract::State;
use chrono::NaiveDate;
use planwright_domain::access::may;
use planwright_domain::ids::ProgramId;
use planwright_domain::words::{FileImportKind, FileImportStatus};
use planwright_plan::Edit;
use planwright_plan::import::append::{TakenBack, take_back};
use planwright_plan_files::seed::Ceiling;
use planwright_plan_files::table::{self, DateOrder, TableOptions, TableRead};
use planwright_plan_files::{PlanFile, Unreadable, jira, mspdi, name_cut_links, xer};
use planwright_store::page::Key;
use planwright_web::limits::Limit;
use planwright_web::paging::Orderings;
use planwright_web::{
    Accepted as Queued, Actor, ApiError, ApiResult, App, File, FileOrBody, FileWith, IgnoredBody, Json, Page,
    Paging, Path, ProgramScope, ProjectScope, Routes, off_thread, says,
};
use uuid::Uuid;

use super::accept::{Accepted, into_new_project, into_project, unreadable};
use super::model::*;
use super::preview::preview_plan;
use super::queries::{self, FileImportRow};
use crate::ExchangeSettings;
use crate::settings::request_bytes;
use crate::stops::Stops;
use crate::under_way::{JobProgress, Work};

type Importer = ProjectScope<may::ImportPlan>;

/// The routes of this file.
pub(super) fn table(settings: &ExchangeSettings) -> Routes {
    let upload = |summary, most: usize| says(summary).body_up_to(most).limit(Limit::SeedImport);
    let tables = request_bytes(settings.table).max(request_bytes(settings.workbook));
    let preview = || says("Say what a table would bring. Nothing is kept.").body_up_to(tables);
    let (project_file, activities, issues) = (
        request_bytes(settings.project_file),
        request_bytes(settings.activities),
        request_bytes(settings.issues),
    );
    Routes::new()
        .post(
            "/api/v1/projects/{project_pk}/import/csv/",
            import_table,
            upload("Import the rows of a CSV or XLSX table.", tables),
        )
        .post(
            "/api/v1/projects/{project_pk}/import/csv/preview/",
            preview_table,
            preview().limit(Limit::SeedValidate),
        )
        .post(
            "/api/v1/projects/import/csv/preview/",
            preview_new,
            preview().members_only().on_many().limit(Limit::SeedValidate),
        )
        .get(
            "/api/v1/projects/{project_pk}/import/csv/{id}/",
            follow,
            says("Get the state of the import of a table."),
        )
        .post(
            "/api/v1/projects/{project_pk}/import/csv/{id}/undo/",
            undo_table,
            says("Delete the tasks that a table brought. Tasks that were changed since then stay."),
        )
        .post(
            "/api/v1/projects/{project_pk}/import/msproject/",
            import_plan,
            upload("Import the tasks of a Microsoft Project XML file.", project_file).on_many(),
        )
        .post(
            "/api/v1/projects/import/msproject/",
            create_project,
            upload("Create a project from a Microsoft Project XML file.", project_file).members_only(),
        )
        .post(
            "/api/v1/projects/{project_pk}/import/primavera/",
            import_activities,
            upload("Import the activities of a Primavera XER file.", activities).on_many(),
        )
        .post(
            "/api/v1/projects/import/primavera/",
            create_project_of_activities,
            upload("Create a project from a Primavera XER file.", activities).members_only(),
        )
        .post(
            "/api/v1/projects/{project_pk}/import/jira/",
            import_issues,
            upload("Import the issues of a Jira XML export.", issues),
        )
        .post(
            "/api/v1/projects/import/preview/",
            preview_plan,
            says("Say what a file of Microsoft Project, Primavera or Jira would bring. Nothing is kept.")
                .body_up_to(project_file.max(activities).max(issues))
                .members_only()
                .limit(Limit::SeedValidate),
        )
        .and(kept())
}

/// The routes of imports that were begun.
fn kept() -> Routes {
    Routes::new()
        .get(
            "/api/v1/projects/{project_pk}/imports/",
            list,
            says("List the imports of files into a project, newest first.").orderings(ORDERINGS),
        )
        .post(
            "/api/v1/projects/{project_pk}/imports/{id}/cancel/",
            cancel,
            says("Cancel the import of a file. Nothing of it stays."),
        )
        .post(
            "/api/v1/projects/{project_pk}/imports/{id}/undo/",
            undo,
            says("Delete the tasks that a file brought. Tasks that were changed since then stay."),
        )
}

impl From<FileImportRow> for FileImport {
    fn from(row: FileImportRow) -> Self {
        Self {
            id: row.id,
            project: row.project_id,
            kind: row.kind,
            status: row.status,
            filename: row.filename,
            summary: row.result_summary,
            error_detail: row.error_detail,
            created_by: row.created_by,
            created_at: row.created_at,
            started_at: row.started_at,
            completed_at: row.completed_at,
            undone_at: row.undone_at,
            cancelled_at: row.cancelled_at,
            progress: JobProgress::of(row.phase, row.rows_done, row.rows_total),
        }
    }
}

/// The options beside a table. A map of columns that is no object of texts is ignored.
///
/// # Errors
/// 400 on `date_order` for an unknown word.
fn options(request: TableImportRequest) -> ApiResult<TableOptions> {
    let map = request.column_map.given().and_then(|text| serde_json::from_str(&text).ok());
    let columns: HashMap<String, String> = map.unwrap_or_default();
    let date_order = match request.date_order.given().as_deref() {
        None | Some("" | "auto") => None,
        Some("mdy") => Some(DateOrder::Mdy),
        Some("dmy") => Some(DateOrder::Dmy),
        Some("iso") => Some(DateOrder::Iso),
        Some(_) => return Err(ApiError::invalid_field("date_order", "Choose from: auto, mdy, dmy, iso.")),
    };
    Ok(TableOptions { columns, date_order, ..TableOptions::default() })
}

/// Reads a file beside the requests of others: it may take a second.
async fn read<T: Send + 'static>(
    read: impl FnOnce() -> Result<T, Unreadable> + Send + 'static,
) -> ApiResult<T> {
    off_thread(read).await?.map_err(unreadable)
}

async fn read_table(app: &App, sent: FileWith<TableImportRequest>) -> ApiResult<(String, TableRead)> {
    let (mut options, today) = (options(sent.fields)?, app.clock.today());
    let File { name, content } = sent.file;
    let settings = app.get::<ExchangeSettings>();
    let ceiling = if table::is_workbook(&content) { settings.workbook } else { settings.table };
    refuse_large(&content, ceiling)?;
    options.most_rows = ceiling.rows;
    let whole = move || {
        let mut table = table::read(&content, &options, today)?;
        name_cut_links(&mut table.plan);
        Ok(table)
    };
    Ok((name, read(whole).await?))
}

/// # Errors
/// 413 for a file that is larger than its kind may be.
fn refuse_large(content: &[u8], ceiling: Ceiling) -> ApiResult<()> {
    match content.len() > ceiling.bytes {
        true => Err(ApiError::file_too_large("file", &ceiling.too_large())),
        false => Ok(()),
    }
}

/// # Errors
/// 400 for a file with more rows than its kind may have.
fn refuse_long(rows: usize, ceiling: Ceiling) -> ApiResult<()> {
    match rows > ceiling.rows {
        true => Err(ApiError::invalid_field("file", ceiling.too_long())),
        false => Ok(()),
    }
}

/// How much of a kind of file is taken in.
fn ceiling_of(app: &App, kind: FileImportKind) -> Ceiling {
    let settings = app.get::<ExchangeSettings>();
    match kind {
        FileImportKind::Csv => settings.table,
        FileImportKind::MsProject => settings.project_file,
        FileImportKind::Primavera => settings.activities,
        FileImportKind::Jira => settings.issues,
    }
}

type Reader = fn(&[u8], NaiveDate) -> Result<PlanFile, Unreadable>;

/// What reads the files of a kind.
fn reader_of(kind: FileImportKind) -> Reader {
    match kind {
        FileImportKind::MsProject => mspdi::read,
        FileImportKind::Primavera => xer::read,
        FileImportKind::Jira => jira::read,
        FileImportKind::Csv => {
            |content, today| table::read(content, &TableOptions::default(), today).map(|read| read.plan)
        }
    }
}

/// The content of a file of a plan, read by the reader of its kind and without the links of cycles.
pub(super) async fn read_plan(app: &App, kind: FileImportKind, content: Bytes) -> ApiResult<PlanFile> {
    let (today, ceiling) = (app.clock.today(), ceiling_of(app, kind));
    refuse_large(&content, ceiling)?;
    let whole = move || {
        let mut plan = reader_of(kind)(&content, today)?;
        name_cut_links(&mut plan);
        Ok(plan)
    };
    let plan = read(whole).await?;
    refuse_long(plan.task_count(), ceiling)?;
    Ok(plan)
}

async fn accepted(app: &App, kind: FileImportKind, file: File) -> ApiResult<Accepted> {
    let plan = read_plan(app, kind, file.content).await?;
    Ok(Accepted::plan(kind, &file.name, plan))
}

async fn preview_table(
    State(app): State<App>,
    _: Importer,
    sent: FileWith<TableImportRequest>,
) -> ApiResult<Json<TablePreview>> {
    Ok(Json(read_table(&app, sent).await?.1.into()))
}

/// For somebody who has no project yet.
async fn preview_new(
    State(app): State<App>,
    _: Actor,
    sent: FileWith<TableImportRequest>,
) -> ApiResult<Json<TablePreview>> {
    Ok(Json(read_table(&app, sent).await?.1.into()))
}

async fn import_table(
    State(app): State<App>,
    scope: Importer,
    sent: FileWith<TableImportRequest>,
) -> ApiResult<Queued<FileImportQueued>> {
    let (name, read) = read_table(&app, sent).await?;
    into_project(&app, scope.project, scope.actor.id, Accepted::table(&name, read)).await.map(Queued)
}

async fn import_plan(
    State(app): State<App>,
    scope: Importer,
    sent: FileOrBody<PlanImportRequest>,
) -> ApiResult<Queued<FileImportQueued>> {
    let file = accepted(&app, FileImportKind::MsProject, sent.file).await?;
    into_project(&app, scope.project, scope.actor.id, file).await.map(Queued)
}

async fn import_activities(
    State(app): State<App>,
    scope: Importer,
    sent: FileOrBody<PlanImportRequest>,
) -> ApiResult<Queued<FileImportQueued>> {
    let file = accepted(&app, FileImportKind::Primavera, sent.file).await?;
    into_project(&app, scope.project, scope.actor.id, file).await.map(Queued)
}

async fn import_issues(
    State(app): State<App>,
    scope: Importer,
    sent: FileOrBody<PlanImportRequest>,
) -> ApiResult<Queued<FileImportQueued>> {
    let file = accepted(&app, FileImportKind::Jira, sent.file).await?;
    into_project(&app, scope.project, scope.actor.id, file).await.map(Queued)
}

async fn create_project(
    State(app): State<App>,
    actor: Actor,
    sent: FileOrBody<ProjectImportRequest>,
) -> ApiResult<Queued<FileImportQueued>> {
    let program = program_of(&app, &actor, sent.fields).await?;
    let file = accepted(&app, FileImportKind::MsProject, sent.file).await?;
    into_new_project(&app, program, actor.id, file).await.map(Queued)
}

async fn create_project_of_activities(
    State(app): State<App>,
    actor: Actor,
    sent: FileOrBody<ProjectImportRequest>,
) -> ApiResult<Queued<FileImportQueued>> {
    let program = program_of(&app, &actor, sent.fields).await?;
    let file = accepted(&app, FileImportKind::Primavera, sent.file).await?;
    into_new_project(&app, program, actor.id, file).await.map(Queued)
}

/// The program that a new project becomes part of, if its creator may change that program.
async fn program_of(app: &App, actor: &Actor, request: ProjectImportRequest) -> ApiResult<Option<ProgramId>> {
    let Some(program) = request.program.given().flatten() else { return Ok(None) };
    let unknown = |error: ApiError| match error.is_not_found() {
        true => ApiError::invalid_field("program", "There is no such program."),
        false => error,
    };
    ProgramScope::<may::EditProgram>::of(&app.db, actor, program).await.map_err(unknown)?;
    Ok(Some(program))
}

const ORDERINGS: Orderings = &[("created_at", "i.created_at"), ("status", "i.status"), ("kind", "i.kind")];

async fn list(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    paging: Paging,
) -> ApiResult<Page<FileImport>> {
    let newest_first = [Key::descending("i.created_at"), Key::descending("i.id")];
    let keys = paging.keys(ORDERINGS, &newest_first, "i.id")?;
    let from = queries::of_project(scope.project);
    paging
        .fetch::<FileImportRow, FileImport>(&app.db, queries::COLUMNS, from, "i.id", &keys, FileImport::from)
        .await
}

async fn follow(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<FileImport>> {
    let row = queries::find(&app.db, scope.project, id).await?;
    let row = row.filter(|row| row.kind == FileImportKind::Csv).ok_or_else(ApiError::not_found)?;
    Ok(Json(row.into()))
}

async fn undo_table(
    State(app): State<App>,
    scope: Importer,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<FileImportUndone>> {
    let row = queries::find(&app.db, scope.project, id).await?;
    row.filter(|row| row.kind == FileImportKind::Csv).ok_or_else(ApiError::not_found)?;
    undone(&app, &scope, id).await.map(Json)
}

async fn undo(
    State(app): State<App>,
    scope: Importer,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<FileImportUndone>> {
    undone(&app, &scope, id).await.map(Json)
}

async fn cancel(
    State(app): State<App>,
    scope: Importer,
    Path(id): Path<Uuid>,
    _: IgnoredBody,
) -> ApiResult<Json<FileImport>> {
    let mut edit = app.get::<Stops>().make_way(id, Edit::begin(&app, &scope)).await?;
    queries::find(&edit, scope.project, id).await?.ok_or_else(ApiError::not_found)?;
    Work::FileImport.cancel(&mut edit, id).await?;
    edit.commit().await?;
    let row = queries::find(&app.db, scope.project, id).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(row.into()))
}

async fn undone(app: &App, scope: &Importer, id: Uuid) -> ApiResult<FileImportUndone> {
    let mut edit = Edit::of_plan(app, scope).await?;
    let row = queries::find(&edit, scope.project, id).await?.ok_or_else(ApiError::not_found)?;
    match row.status {
        FileImportStatus::Done => {}
        FileImportStatus::Undone => {
            return Err(ApiError::bad_request("It was already undone.").with_code("already_undone"));
        }
        _ => return Err(ApiError::bad_request("Only an import that is done can be undone.")),
    }
    let versions = queries::created_versions(&edit, id).await?;
    let TakenBack { deleted, kept } = take_back(&mut edit, &versions).await?;
    queries::note_undone(&mut edit, id).await?;
    edit.commit().await?;
    Ok(FileImportUndone { id, status: FileImportStatus::Undone, undo: UndoCounts { deleted, kept } })
}
