//! The routes of sprints: list, create, show, change, delete.
//! What moves a sprint from one state to another is in folders of its own.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::SprintId;
use planwright_plan::edit::{self, Edit};
use planwright_plan::sprints::SprintRow;
use planwright_store::page::Key;
use planwright_web::paging::Orderings;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, IgnoredBody, Item, NoContent, Page, Paging, Path,
    ProjectScope, Query, Routes, WrittenBody, says,
};

use super::model::*;
use super::{commands, queries, rules, show};

const ALL: &str = "/api/v1/projects/{project_pk}/sprints/";
const ONE: &str = "/api/v1/sprints/{id}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The sprints of a project.").agent_surface().orderings(ORDERINGS))
        .post(ALL, create, says("Plan a sprint."))
        .get(ONE, show, says("One sprint.").agent_surface())
        .write(ONE, update, says("Write all of a sprint."), says("Write some fields of a sprint."))
        .delete(ONE, delete, says("Delete a planned or cancelled sprint; its tasks stay, without a sprint."))
        .post(
            "/api/v1/sprints/{id}/restore/",
            restore,
            says("Bring a deleted sprint back, with the tasks that stood in it and are in no other."),
        )
}

const ORDERINGS: Orderings = &[
    ("start_date", "s.start_date"),
    ("finish_date", "s.finish_date"),
    ("name", "s.name"),
    ("state", "s.state"),
];

async fn list(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    paging: Paging,
    Query(filter): Query<SprintFilter>,
) -> ApiResult<Page<Sprint>> {
    let by_start = [Key::ascending("s.start_date"), Key::ascending("s.name")];
    let keys = paging.keys(ORDERINGS, &by_start, "s.id")?;
    let from = queries::of_project(scope.project, filter.deleted.given() == Some(true), filter.state.given());
    let columns = queries::columns();
    let page = paging.fetch::<ShownRow, _>(&app.db, &columns, from, "s.id", &keys, |row| row).await?;
    let Page { count, next, previous, results } = page;
    let results = show::sprints(&app.db, scope.actor.id, results).await?;
    Ok(Page { count, next, previous, results })
}

async fn create(
    State(app): State<App>,
    scope: ProjectScope<may::RunSprints>,
    Body(request): Body<SprintRequest>,
) -> ApiResult<Created<Sprint>> {
    let mut edit = Edit::locked(&app, &scope).await?;
    let id = commands::create(&mut edit, request).await?;
    let sprint = show::one(&edit, scope.actor.id, id).await?;
    edit.commit().await?;
    Ok(Created(sprint))
}

async fn show(
    State(app): State<App>,
    item: Item<SprintRow, may::ReadProject>,
) -> ApiResult<Versioned<Sprint>> {
    let sprint = show::one(&app.db, item.scope.actor.id, item.row.id).await?;
    Ok(Versioned::computed(sprint.server_version, sprint))
}

async fn update(
    State(app): State<App>,
    item: Item<SprintRow, may::RunSprints>,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedSprintRequest>,
) -> ApiResult<Versioned<Sprint>> {
    let (mut edit, before) = edit::open_plan(&app, item, expected).await?;
    let after = rules::changed(&before, request, edit.grant.role)?;
    let written = commands::change(&mut edit, &before, after).await?;
    edit.recalculate_within_reach("start_date").await?;
    let sprint = show::one(&edit, edit.grant.actor.id, before.id).await?;
    edit.commit().await?;
    Ok(Versioned::computed(sprint.server_version, sprint).merged(written.merged))
}

async fn delete(
    State(app): State<App>,
    item: Item<SprintRow, may::ManagePlan>,
    expected: Precondition,
) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open_plan(&app, item, expected).await?;
    rules::deletable(&row)?;
    commands::delete(&mut edit, &row).await?;
    edit.commit().await?;
    Ok(NoContent)
}

async fn restore(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<SprintId>,
    _: IgnoredBody,
) -> ApiResult<Versioned<Sprint>> {
    let seen = queries::ever(&app.db, id).await?.ok_or_else(ApiError::not_found)?;
    let scope = ProjectScope::<may::ManagePlan>::of(&app.db, &actor, seen.sprint.project_id).await?;
    let mut edit = Edit::of_plan(&app, &scope).await?;
    let gone = queries::ever(&edit, id).await?.ok_or_else(ApiError::not_found)?;
    let deletion = gone.deletion_id.ok_or_else(|| ApiError::bad_request("The sprint is not deleted."))?;
    commands::restore(&mut edit, &gone.sprint, deletion).await?;
    let sprint = show::one(&edit, actor.id, id).await?;
    edit.commit().await?;
    Ok(Versioned::computed(sprint.server_version, sprint))
}
