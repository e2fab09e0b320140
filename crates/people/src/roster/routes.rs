//! The routes of rosters.
//! A resource leaves under the lock of the plan, so that nobody allocates it at the same time.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::ResourceId;
use planwright_plan::edit::{self, Edit};
use planwright_store::Read;
use planwright_store::page::Key;
use planwright_store::record::find_live;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, Item, NoContent, Page, Paging, Query, Routes,
    WrittenBody, says,
};

use super::model::*;
use super::{queries, rules};
use crate::allocations::commands;
use crate::catalog::model::{Reader, ResourceRow};
use crate::catalog::queries as catalog;
use planwright_plan::tasks::of_task::{named, no_such};

const ALL: &str = "/api/v1/project-resources/";
const ONE: &str = "/api/v1/project-resources/{id}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The rosters of your projects, by name.").agent_surface())
        .post(ALL, create, says("Add a resource to the roster of a project."))
        .get(ONE, show, says("Get one roster entry.").agent_surface())
        .write(
            ONE,
            update,
            says("Write all fields of a roster entry."),
            says("Write some fields of a roster entry."),
        )
        .delete(
            ONE,
            delete,
            says("Remove a resource from the roster. With `force` its allocations are removed too."),
        )
}

type Kept = Item<RosterRow, may::ManageLinks>;

async fn list(
    State(app): State<App>,
    actor: Actor,
    reader: Reader,
    paging: Paging,
    Query(filter): Query<RosterFilter>,
) -> ApiResult<Page<ProjectResource>> {
    let keys = paging.keys(&[("resource", "r.name")], &[Key::ascending("r.name")], "x.id")?;
    let from = queries::listed(&actor, filter.project.given());
    let columns = queries::columns();
    let page = paging.fetch::<RosterRow, _>(&app.db, &columns, from, "x.id", &keys, |row| row).await?;
    let ids: Vec<ResourceId> = page.results.iter().map(|row| row.resource_id).collect();
    let resources = catalog::shown(&app.db, &reader, &ids).await?;
    let missing = || ApiError::not_found();
    let Page { count, next, previous, results } = page;
    let shown = results.into_iter().map(|row| {
        let resource = resources.get(&row.resource_id).cloned().ok_or_else(missing)?;
        Ok(rules::shown(row, resource))
    });
    Ok(Page { count, next, previous, results: shown.collect::<ApiResult<_>>()? })
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    reader: Reader,
    Body(request): Body<ProjectResourceRequest>,
) -> ApiResult<Created<ProjectResource>> {
    let scope = named::<_, may::ManageLinks>(&app.db, &actor, "project", request.project).await?;
    let mut edit = Edit::locked(&app, &scope).await?;
    let (project, resource) = (request.project, request.resource);
    edit.lock_rows("resources", [resource.0]).await?;
    find_live::<ResourceRow>(&edit, resource.0).await?.ok_or_else(|| no_such("resource"))?;
    if queries::on_roster(&edit, project, &[resource]).await?.contains(&resource) {
        return Err(ApiError::invalid_field("non_field_errors", "The resource is already on the roster."));
    }
    let fresh = RosterRow::fresh(edit.mint(), project, resource, edit.now());
    let row = rules::changed(fresh, request.into())?;
    edit.create(&row).await?;
    let shown = one(&edit, &reader, row).await?;
    edit.commit().await?;
    Ok(Created(shown))
}

async fn show(
    State(app): State<App>,
    item: Item<RosterRow, may::ReadProject>,
    reader: Reader,
) -> ApiResult<Versioned<ProjectResource>> {
    Ok(Versioned::new(item.row.server_version, one(&app.db, &reader, item.row).await?))
}

async fn update(
    State(app): State<App>,
    item: Kept,
    reader: Reader,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedProjectResourceRequest>,
) -> ApiResult<Versioned<ProjectResource>> {
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    let written = edit.update(&before, rules::changed(before.clone(), request)?).await?;
    let shown = one(&edit, &reader, written.row.clone()).await?;
    edit.commit().await?;
    Ok(written.shown(|_| shown))
}

async fn delete(
    State(app): State<App>,
    item: Kept,
    expected: Precondition,
    Query(query): Query<RosterRemovalQuery>,
) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open_plan(&app, item, expected).await?;
    let tasks = queries::keeping(&edit, row.project_id, row.resource_id).await?;
    if !tasks.is_empty() {
        if query.force.given() != Some(true) {
            return Err(rules::has_assignments(&tasks));
        }
        let allocations = queries::allocations(&edit, row.project_id, row.resource_id).await?;
        commands::remove_all(&mut edit, &allocations).await?;
        edit.plan().1.moves_dates(row.project_id);
    }
    edit.delete(&row).await?;
    edit.commit().await?;
    Ok(NoContent)
}

async fn one(db: &dyn Read, reader: &Reader, row: RosterRow) -> ApiResult<ProjectResource> {
    let resource = catalog::shown(db, reader, &[row.resource_id]).await?.remove(&row.resource_id);
    resource.map(|resource| rules::shown(row, resource)).ok_or_else(ApiError::not_found)
}
