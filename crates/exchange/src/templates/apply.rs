//! Applying a template to a project, following that, and taking it back.

use anyhow::anyhow;
use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::words::{SourceKind, TemplateApplicationStatus};
use planwright_jobs::{NewJob, Registry, queue};
use planwright_plan::Edit;
use planwright_plan::containers::inheritance::in_force;
use planwright_plan::import::append::{Source, TakenBack, append, take_back};
use planwright_store::page::Key;
use planwright_web::limits::Limit;
use planwright_web::paging::Orderings;
use planwright_web::{
    Accepted, Actor, ApiError, ApiResult, App, Body, IgnoredBody, Json, Page, Paging, Path, ProjectScope,
    Query, Routes, says,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use super::model::*;
use super::queries::{self, ApplicationRow};
use super::structure::Structure;
use crate::programs::intake::{self, Importer, Places};
use crate::stops::Stops;
use crate::under_way::{JobProgress, Work};

type Applier = ProjectScope<may::UseTemplates>;

/// The kind of job that writes the rows of a template.
const APPLY: &str = "apply_template";

/// What the job needs to know.
#[derive(Serialize, Deserialize)]
struct ApplyTemplate {
    application: Uuid,
}

/// The routes of this file.
pub(super) fn table() -> Routes {
    Routes::new()
        .post(
            "/api/v1/project-templates/{id}/apply/",
            apply,
            says("Bring the rows of a template into a project.").limit(Limit::SeedImport),
        )
        .get(
            "/api/v1/template-applications/",
            list,
            says("List the applications of templates, newest first.").orderings(ORDERINGS),
        )
        .get("/api/v1/template-applications/{id}/", one, says("Get an application of a template."))
        .post(
            "/api/v1/template-applications/{id}/cancel/",
            cancel,
            says("Cancel an application of a template. Nothing of it stays."),
        )
        .post(
            "/api/v1/template-applications/{id}/undo/",
            undo,
            says("Delete the tasks that a template brought. Tasks that were changed since then stay."),
        )
}

/// The jobs of this file.
pub(super) fn jobs() -> Registry<App> {
    Registry::default().on(APPLY, async |app: App, job: ApplyTemplate| {
        Work::Application.carry_out(&app, job.application, || write(&app, job.application)).await
    })
}

impl From<ApplicationRow> for TemplateApplication {
    fn from(row: ApplicationRow) -> Self {
        Self {
            id: row.id,
            template: Some(row.template_id),
            template_name: row.template_name,
            template_version: row.template_version,
            project: row.project_id,
            applied_by: row.applied_by,
            status: row.status,
            result_summary: row.result_summary,
            error_detail: row.error_detail,
            created_at: row.created_at,
            started_at: row.started_at,
            completed_at: row.completed_at,
            undone_at: row.undone_at,
            cancelled_at: row.cancelled_at,
            progress: JobProgress::of(row.phase, row.rows_done, row.rows_total),
        }
    }
}

async fn apply(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<Uuid>,
    Body(request): Body<ApplyTemplateRequest>,
) -> ApiResult<Accepted<TemplateQueued>> {
    let template = queries::find(&app.db, actor.id, id).await?.ok_or_else(ApiError::not_found)?;
    let scope = Applier::of(&app.db, &actor, request.project).await?;
    let mut edit = Edit::locked(&app, &scope).await?;
    let application = queries::insert_application(&mut edit, template.id, scope.project, actor.id).await?;
    let job = NewJob::new(APPLY, &ApplyTemplate { application })?;
    queue::enqueue(&mut edit, job.once(format!("{APPLY}:{application}"))).await?;
    edit.commit().await?;
    Ok(Accepted(TemplateQueued { queued: true, application }))
}

const ORDERINGS: Orderings = &[("created_at", "a.created_at"), ("status", "a.status")];

async fn list(
    State(app): State<App>,
    actor: Actor,
    paging: Paging,
    Query(filter): Query<ApplicationFilter>,
) -> ApiResult<Page<TemplateApplication>> {
    let newest_first = [Key::descending("a.created_at"), Key::descending("a.id")];
    let keys = paging.keys(ORDERINGS, &newest_first, "a.id")?;
    let from = queries::applications(&actor, filter.project.given());
    let columns = queries::application_columns();
    paging.fetch::<ApplicationRow, _>(&app.db, &columns, from, "a.id", &keys, TemplateApplication::from).await
}

async fn one(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<TemplateApplication>> {
    let row = queries::find_application(&app.db, &actor, id).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(row.into()))
}

async fn undo(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<TemplateApplicationUndone>> {
    let seen = queries::find_application(&app.db, &actor, id).await?.ok_or_else(ApiError::not_found)?;
    let scope = Applier::of(&app.db, &actor, seen.project_id).await?;
    let mut edit = Edit::of_plan(&app, &scope).await?;
    let row = queries::find_application(&edit, &actor, id).await?.ok_or_else(ApiError::not_found)?;
    match row.status {
        TemplateApplicationStatus::Success => {}
        TemplateApplicationStatus::Undone => {
            return Err(ApiError::bad_request("It was already undone.").with_code("already_undone"));
        }
        _ => return Err(ApiError::bad_request("Only an application that succeeded can be undone.")),
    }
    let versions = queries::created_versions(&edit, id).await?;
    let TakenBack { deleted, kept } = take_back(&mut edit, &versions).await?;
    queries::note_undone(&mut edit, id).await?;
    let row = queries::find_application(&edit, &actor, id).await?.ok_or_else(ApiError::not_found)?;
    edit.commit().await?;
    Ok(Json(TemplateApplicationUndone { application: row.into(), undo: TemplateUndo { deleted, kept } }))
}

async fn cancel(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<Uuid>,
    _: IgnoredBody,
) -> ApiResult<Json<TemplateApplication>> {
    let seen = queries::find_application(&app.db, &actor, id).await?.ok_or_else(ApiError::not_found)?;
    let scope = Applier::of(&app.db, &actor, seen.project_id).await?;
    let mut edit = app.get::<Stops>().make_way(id, Edit::begin(&app, &scope)).await?;
    Work::Application.cancel(&mut edit, id).await?;
    edit.commit().await?;
    let row = queries::find_application(&app.db, &actor, id).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(row.into()))
}

async fn write(app: &App, id: Uuid) -> ApiResult<()> {
    let Some(work) = queries::find_work(&app.db, id).await? else { return Ok(()) };
    let actor = Actor::in_background(&app.db, work.applied_by).await?;
    let scope = Applier::of(&app.db, &actor, work.project_id).await?;
    Work::Application.tell(&app.db, id, "tasks", (0, 0)).await?;
    let mut edit = Edit::of_plan(app, &scope).await?;
    // The row is not locked, so that somebody can cancel the application on another node.
    if queries::find_work(&edit, id).await?.is_none() {
        return Ok(());
    }
    let structure: Structure = serde_json::from_value(work.structure).map_err(|error| anyhow!(error))?;
    let methodology = in_force(&edit, work.project_id).await?.methodology;
    let document = structure.document(methodology, edit.now().date_naive());
    let importer = Importer { id: actor.id, username: actor.username.clone() };
    let plan = intake::subtree(&Places::of(&document, &importer));
    let version = work.version.to_string();
    let source = Source { kind: SourceKind::Template, id: work.template_id, version };
    let appended = append(&mut edit, &source, &plan).await?;
    edit.recalculate_within_reach("project").await?;
    let summary = json!({
        "tasks_created": appended.tasks.len(),
        "milestones_created": structure.counts().milestone_count,
        "dependencies_created": appended.links_made(),
    });
    let versions = appended.tasks.iter().map(|task| (*task, 1)).collect();
    match queries::finish(&mut edit, id, summary, &versions).await? {
        true => Ok(edit.commit().await?),
        false => Ok(()),
    }
}
