//! `/api/v1/tasks/`: list with its filters, one task, search.
//! Each shows only tasks of projects that the caller is a member of.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_store::page::Key;
use planwright_store::words::Words;
use planwright_store::{Read, Slice};
use planwright_web::version::Versioned;
use planwright_web::{
    Actor, ApiResult, App, Json, Page, Paging, Path, ProjectScope, Query, Routes, Sparse, SparseFields, says,
};

use super::model::{BoardCardSearchResult, Task, TaskFilter, TaskRow, TaskSearchQuery};
use super::queries::{DURATION, Hit, PERCENT, STATUS};
use super::{TaskCounts, decorate, field_filter, queries};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get("/api/v1/tasks/", list, says("Tasks of your projects.").agent_surface().orderings(ORDERINGS))
        .get("/api/v1/tasks/search/", search, says("Tasks of a project that contain a text.").agent_surface())
        .get("/api/v1/tasks/{id}/", show, says("One task.").agent_surface())
}

const ORDERINGS: planwright_web::paging::Orderings = &[
    ("wbs_path", "s.outline_order"),
    ("name", "t.name"),
    ("early_start", "s.early_start"),
    ("early_finish", "s.early_finish"),
    ("scheduled_start", "s.scheduled_start"),
    ("scheduled_finish", "s.early_finish"),
    ("total_float", "s.total_float"),
    ("percent_complete", PERCENT),
    ("duration", DURATION),
    ("status", STATUS),
    ("custom_field", field_filter::BY_NUMBER),
];

async fn list(
    State(app): State<App>,
    actor: Actor,
    paging: Paging,
    fields: SparseFields<Task>,
    Query(filter): Query<TaskFilter>,
) -> ApiResult<Page<Sparse<Task>>> {
    let page = page_of(&app, &actor, &paging, &filter).await?;
    let (now, baseline) = (app.clock.now(), filter.baseline.given());
    let results = decorate::tasks(&app.db, actor.id, now, page.rows, baseline).await?;
    Ok(paging.envelope(page.count, results).map(|task| fields.of(task)))
}

/// The rows of a page, counted or remembered how many there are in all.
async fn page_of(
    app: &App,
    actor: &Actor,
    paging: &Paging,
    filter: &TaskFilter,
) -> ApiResult<Slice<TaskRow>> {
    // Within a project this is the order of an index over its live rows; by their ids alone, the engine may walk all ids
    // there are until it has met enough of the project.
    let within = [Key::ascending("t.deletion_id")];
    let unasked = if filter.project.is_given() { &within[..] } else { &[] };
    let by_field = filter.custom_field.as_given().copied();
    let keys = field_filter::with_texts(paging.keys(ORDERINGS, unasked, "t.id")?, by_field)?;
    let (search, ordering) = (paging.search.as_deref(), paging.ordering.as_deref());
    let alone = filter.project_alone().filter(|_| search.is_none()).zip(app.db.context::<TaskCounts>());
    let remembered = alone.map(|(project, counts)| counts.remembered(project));
    let from = queries::listed(&app.db, actor, filter, search, ordering, remembered)?;
    let page = paging.slice_of(&app.db, queries::columns(), from, "t.id", &keys).await?;
    if let (Some((project, counts)), Some(change)) = (alone, page.state) {
        counts.keep(project, change, page.count);
    }
    Ok(page)
}

async fn show(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<TaskId>,
    fields: SparseFields<Task>,
) -> ApiResult<Versioned<Sparse<Task>>> {
    let task = decorate::whole(&app.db, &actor, app.clock.now(), id).await?;
    Ok(Versioned::computed(task.server_version, fields.of(task)))
}

async fn search(
    State(app): State<App>,
    actor: Actor,
    Query(query): Query<TaskSearchQuery>,
) -> ApiResult<Json<Vec<BoardCardSearchResult>>> {
    let scope = ProjectScope::<may::ReadProject>::of(&app.db, &actor, query.project).await?;
    let hits = found(&app.db, scope.project, query.q.trim()).await?;
    let results = hits.into_iter().map(|hit| BoardCardSearchResult {
        id: hit.id,
        name: hit.name,
        status: hit.status,
        short_id: hit.short_id,
    });
    Ok(Json(results.collect()))
}

/// Tasks with the words of a text, or else with a wrong letter in them, or else with the text anywhere.
async fn found(db: &dyn Read, project: ProjectId, text: &str) -> ApiResult<Vec<Hit>> {
    let mut hits = Vec::new();
    if let Some(words) = Words::of(text) {
        hits = queries::search(db, project, &words).await?;
        if hits.is_empty()
            && let Some(misspelt) = words.misspelt(db).await?
        {
            hits = queries::search(db, project, &misspelt).await?;
        }
    }
    match hits.is_empty() && !text.is_empty() {
        true => Ok(queries::containing(db, project, text).await?),
        false => Ok(hits),
    }
}
