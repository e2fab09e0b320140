//! Making a template of a project, and seeing beforehand what it would hold.

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, UserId};
use planwright_domain::words::TemplateKind;
use planwright_plan::Edit;
use planwright_store::Read;
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, Json, ProgramScope, ProjectScope, Query, Routes, says,
};
use serde_json::json;
use uuid::Uuid;

use super::gallery::shown;
use super::model::{PreviewQuery, ProjectTemplate, PublishTemplateRequest, TemplatePreview};
use super::queries::{self, LatestRow, NewTemplate};
use super::structure::Structure;
use crate::programs::export;

type Publisher = ProjectScope<may::UseTemplates>;

/// The routes of this file.
pub(super) fn table() -> Routes {
    Routes::new()
        .post("/api/v1/project-templates/publish/", publish, says("Make a template of a project."))
        .get(
            "/api/v1/project-templates/publish-preview/",
            preview,
            says("Say what a template of a project would hold."),
        )
}

async fn preview(
    State(app): State<App>,
    actor: Actor,
    Query(query): Query<PreviewQuery>,
) -> ApiResult<Json<TemplatePreview>> {
    let scope = Publisher::of(&app.db, &actor, query.project).await?;
    let (name, structure, excluded_recurring_count) =
        structure(&app.db, scope.project, actor.id, app.clock.now()).await?;
    Ok(Json(TemplatePreview {
        project: scope.project,
        name,
        counts: structure.counts(),
        excluded_recurring_count,
    }))
}

async fn publish(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<PublishTemplateRequest>,
) -> ApiResult<Created<ProjectTemplate>> {
    let scope = Publisher::of(&app.db, &actor, request.project).await?;
    let mut edit = Edit::locked(&app, &scope).await?;
    let kind = request.source_kind.given().unwrap_or(TemplateKind::Workspace);
    let program = request.program.given().flatten();
    if kind == TemplateKind::Community {
        return Err(ApiError::invalid_field("source_kind", "Community templates come with the product."));
    }
    if program.is_some() && program != edit.grant.place.program {
        return Err(ApiError::invalid_field("program", "The project is in another program."));
    }
    if let Some(program) = program {
        // Whoever may not see the program hears nothing of the names in it.
        ProgramScope::<may::ReadProgram>::of(&edit, &actor, program).await?;
    }
    let (_, structure, _) = structure(&edit, scope.project, actor.id, edit.now()).await?;
    let name = String::from(request.name);
    let name_key = name.to_lowercase();
    let scope_key = match (kind, program) {
        (TemplateKind::Personal, _) => actor.id.to_string(),
        (_, Some(program)) => format!("program {program}"),
        (_, None) => "workspace".to_owned(),
    };
    let latest = queries::latest(&edit, &scope_key, &name_key).await?;
    if let Some(latest) = latest.as_ref().filter(|_| request.new_version.given() != Some(true)) {
        return Err(name_taken(latest.id, latest.version));
    }
    if program.is_none() && latest.as_ref().is_some_and(|latest| !may_follow(&actor, latest)) {
        return Err(ApiError::forbidden("The next version comes from the publisher or from an Admin."));
    }
    let counts = structure.counts();
    let new = NewTemplate {
        id: edit.mint(),
        name,
        name_key,
        scope_key,
        description: request.description.given().map(String::from).unwrap_or_default(),
        kind,
        program,
        methodology: structure.methodology,
        version: latest.as_ref().map_or(1, |latest| latest.version + 1),
        task_count: i64::try_from(counts.task_count).unwrap_or(i64::MAX),
        structure: json!(structure),
        counts: json!(counts),
        publisher: Some(actor.id),
        project: Some(scope.project),
        supersedes: latest.as_ref().map(|latest| latest.id),
    };
    if !queries::insert(&mut edit, &new).await? {
        let (template, version) = latest.map_or((new.id, new.version), |latest| (latest.id, latest.version));
        return Err(name_taken(template, version));
    }
    let row = queries::find(&edit, actor.id, new.id).await?.ok_or_else(ApiError::not_found)?;
    edit.commit().await?;
    Ok(Created(shown(&actor, row)))
}

/// Whether somebody may publish the version after one that everybody sees.
fn may_follow(actor: &Actor, latest: &LatestRow) -> bool {
    latest.published_by == Some(actor.id) || actor.workspace_role >= Role::ProjectManager
}

fn name_taken(template: Uuid, version: i64) -> ApiError {
    ApiError::conflict("A template has this name. Publish a new version of it, or choose another name.")
        .with_code("name_taken")
        .with("template", json!(template))
        .with("version", version)
        .with("next_version", version + 1)
}

/// The name of a project, its structure, and how many rows of recurring work stay behind.
async fn structure(
    db: &dyn Read,
    project: ProjectId,
    reader: UserId,
    now: DateTime<Utc>,
) -> ApiResult<(String, Structure, usize)> {
    let document = export::document_of(db, project, Some(reader)).await?.ok_or_else(ApiError::not_found)?;
    let recurring = queries::recurring_paths(db, project).await?;
    let structure = Structure::of(&document, &recurring, now)
        .map_err(|unfit| ApiError::invalid_field("project", unfit.to_string()))?;
    Ok((document.program.name, structure, recurring.len()))
}
