//! `/api/v1/project-templates/`: the gallery, and one template. Structures are never shown.

use axum::extract::State;
use planwright_domain::words::TemplateKind;
use planwright_store::Read;
use planwright_store::dialect::{contains, pattern};
use planwright_store::page::Key;
use planwright_web::paging::Orderings;
use planwright_web::{Actor, ApiError, ApiResult, App, Json, Page, Paging, Path, Query, Routes, says};
use uuid::Uuid;

use super::model::{ProjectTemplate, TemplateFilter};
use super::queries::{self, TemplateRow};

/// The routes of this file.
pub(super) fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/project-templates/",
            list,
            says("The templates that you can apply.").orderings(ORDERINGS),
        )
        .get("/api/v1/project-templates/{id}/", one, says("Get a template."))
}

/// Those of everybody come after those of the workspace.
const COMMUNITY_LAST: &str = "CASE WHEN t.source_kind = 'community' THEN 1 ELSE 0 END";

const ORDERINGS: Orderings = &[
    ("name", "t.name"),
    ("version", "t.version"),
    ("published_at", "t.published_at"),
    ("task_count", "t.task_count"),
];

async fn list(
    State(app): State<App>,
    actor: Actor,
    paging: Paging,
    Query(filter): Query<TemplateFilter>,
) -> ApiResult<Page<ProjectTemplate>> {
    let by_name =
        [Key::ascending(COMMUNITY_LAST), Key::ascending("t.name_key"), Key::descending("t.version")];
    let keys = paging.keys(ORDERINGS, &by_name, "t.id")?;
    let from = queries::gallery(actor.id, filter.program.given());
    let within = |column| contains(app.db.engine(), column, "search");
    let from = match &paging.search {
        Some(text) => from
            .push(&format!(" AND ({} OR {})", within("t.name"), within("t.description")))
            .bind("search", pattern(text)),
        None => from,
    };
    let show = |row| shown(&actor, row);
    paging
        .fetch::<TemplateRow, ProjectTemplate>(&app.db, queries::TEMPLATE_COLUMNS, from, "t.id", &keys, show)
        .await
}

async fn one(State(app): State<App>, actor: Actor, Path(id): Path<Uuid>) -> ApiResult<Json<ProjectTemplate>> {
    let row = queries::find(&app.db, actor.id, id).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(shown(&actor, row)))
}

/// A template as somebody sees it.
pub(super) fn shown(actor: &Actor, row: TemplateRow) -> ProjectTemplate {
    ProjectTemplate {
        id: row.id,
        name: row.name,
        description: row.description,
        source_kind: row.source_kind,
        provenance: match row.source_kind {
            TemplateKind::Community => "community",
            _ if row.published_by == Some(actor.id) => "Yours",
            _ => "workspace",
        },
        carries: row.counts.carries.clone(),
        methodology: row.methodology,
        task_count: row.task_count,
        version: row.version,
        program: row.program_id,
        is_published: true,
        published_at: row.published_at,
        published_by: row.published_by,
        published_by_name: row.published_by_name,
        source_project: row.source_project_id,
        source_project_name: row.source_project_name,
        supersedes: row.supersedes_id,
        is_superseded: row.is_superseded,
        counts: row.counts,
        usage_count: row.usage_count,
    }
}
