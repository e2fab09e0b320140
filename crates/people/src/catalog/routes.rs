//! The routes of the catalogue.
//! Dates of plans do not depend on it, so nothing is recalculated; boards whose roster shows a resource are told.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::ResourceId;
use planwright_plan::calendars::LibraryScope;
use planwright_plan::edit::{self, Edit};
use planwright_store::Read;
use planwright_store::outbox::{Event, Message};
use planwright_store::page::Key;
use planwright_web::limits::Limit;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    ApiError, ApiResult, App, Body, Created, Item, NoContent, Page, Paging, Path, Query, Routes, WrittenBody,
    says,
};
use serde_json::json;

use super::model::*;
use super::{queries, rules};
use crate::skills::queries::requirements_of;
use planwright_plan::tasks::of_task::{OfTask, named};

const ALL: &str = "/api/v1/resources/";
const ONE: &str = "/api/v1/resources/{id}/";
const ASSIGNMENTS: &str = "/api/v1/resources/{id}/assignments/";
const RESTORE: &str = "/api/v1/resources/{id}/restore/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The resources of the catalogue.").limit(Limit::ResourcesList))
        .post(ALL, create, says("Add a resource to the catalogue."))
        .get(ONE, show, says("One resource."))
        .write(ONE, update, says("Write all fields of a resource."), says("Write some fields of a resource."))
        .delete(ONE, delete, says("Remove a resource from the catalogue. It can be restored."))
        .post(RESTORE, restore, says("Restore a resource in the catalogue."))
        .get(ASSIGNMENTS, assignments, says("The tasks that a resource is allocated to, in all projects."))
}

type Editor = LibraryScope<may::EditResources>;

async fn list(
    State(app): State<App>,
    reader: Reader,
    paging: Paging,
    Query(filter): Query<ResourceFilter>,
) -> ApiResult<Page<Resource>> {
    let orderings = &[("name", "r.name"), ("job_role", "r.job_role"), ("max_units", "r.max_units")];
    let keys = paging.keys(orderings, &[Key::ascending("r.name")], "r.id")?;
    let from = queries::listed(&app.db, &reader, &filter, paging.search.as_deref());
    let page = paging.fetch::<SeenRow, _>(&app.db, &queries::seen(), from, "r.id", &keys, |row| row).await?;
    let ids: Vec<ResourceId> = page.results.iter().map(|row| row.resource.id).collect();
    let mut skills = crate::skills::queries::skills_of(&app.db, &ids).await?;
    let page = page.map(|row| {
        let own = skills.remove(&row.resource.id).unwrap_or_default();
        Resource::seen(row, own, &reader)
    });
    fitted(&app.db, &reader, &filter, page).await
}

/// Says of each resource how well its skills fit the task that was asked for, if one was.
async fn fitted(
    db: &dyn Read,
    reader: &Reader,
    filter: &ResourceFilter,
    page: Page<Resource>,
) -> ApiResult<Page<Resource>> {
    let Some(task) = filter.task.as_given().copied() else { return Ok(page) };
    named::<_, may::ReadProject>(db, &reader.actor, "task", OfTask(task)).await?;
    let wanted = requirements_of(db, task).await?;
    Ok(page.map(|resource| {
        let (fit, missing) = rules::fit(&resource.skills, &wanted);
        Resource { skill_fit: Some(fit), missing_skills: Some(missing), ..resource }
    }))
}

async fn create(
    State(app): State<App>,
    scope: Editor,
    reader: Reader,
    Body(request): Body<ResourceRequest>,
) -> ApiResult<Created<Resource>> {
    let mut edit = Edit::begin(&app, &scope).await?;
    let request = PatchedResourceRequest::from(request);
    let named = named_rows(&edit, &request).await?;
    let row = rules::changed(ResourceRow::fresh(edit.mint(), edit.now()), request, named)?;
    edit.create(&row).await?;
    let resource = one(&edit, &reader, row.id).await?;
    edit.commit().await?;
    Ok(Created(resource))
}

async fn show(
    State(app): State<App>,
    item: Item<ResourceRow, may::ReadResources>,
) -> ApiResult<Versioned<Resource>> {
    let resource = one(&app.db, &item.scope, item.row.id).await?;
    Ok(Versioned::new(item.row.server_version, resource))
}

async fn update(
    State(app): State<App>,
    item: Item<ResourceRow, may::EditResources>,
    reader: Reader,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedResourceRequest>,
) -> ApiResult<Versioned<Resource>> {
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    let named = named_rows(&edit, &request).await?;
    let written = edit.update(&before, rules::changed(before.clone(), request, named)?).await?;
    if written.is_changed {
        tell_boards(&mut edit, before.id).await?;
    }
    let resource = one(&edit, &reader, before.id).await?;
    edit.commit().await?;
    Ok(written.shown(|_| resource))
}

async fn delete(
    State(app): State<App>,
    item: Item<ResourceRow, may::EditResources>,
    expected: Precondition,
) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open(&app, item, expected).await?;
    edit.delete(&row).await?;
    tell_boards(&mut edit, row.id).await?;
    edit.commit().await?;
    Ok(NoContent)
}

async fn restore(
    State(app): State<App>,
    scope: Editor,
    reader: Reader,
    Path(id): Path<ResourceId>,
) -> ApiResult<Versioned<Resource>> {
    let mut edit = Edit::begin(&app, &scope).await?;
    let gone = queries::ever_locked(&mut edit, id).await?.ok_or_else(ApiError::not_found)?;
    let deletion = gone.deletion_id.ok_or_else(|| ApiError::bad_request("The resource is not deleted."))?;
    let back = edit.restore(&gone.resource, deletion).await?;
    tell_boards(&mut edit, id).await?;
    let resource = one(&edit, &reader, id).await?;
    edit.commit().await?;
    Ok(Versioned::new(back.server_version, resource))
}

async fn assignments(
    State(app): State<App>,
    scope: Editor,
    Path(id): Path<ResourceId>,
    paging: Paging,
) -> ApiResult<Page<ResourceAssignment>> {
    queries::ever(&app.db, id).await?.ok_or_else(ApiError::not_found)?;
    let by_place = [Key::ascending("p.name"), Key::ascending("t.name")];
    let orderings = &[("project_name", "p.name"), ("task_name", "t.name"), ("units", "a.units")];
    let keys = paging.keys(orderings, &by_place, "a.id")?;
    let from = queries::assignments(&app.db, &scope.actor, id, paging.search.as_deref());
    let columns = queries::ASSIGNMENT;
    paging.fetch::<AssignmentRow, _>(&app.db, columns, from, "a.id", &keys, ResourceAssignment::from).await
}

async fn one(db: &dyn Read, reader: &Reader, id: ResourceId) -> ApiResult<Resource> {
    queries::shown(db, reader, &[id]).await?.remove(&id).ok_or_else(ApiError::not_found)
}

/// Which of the rows that a request names are there; what it does not name counts as there.
async fn named_rows(db: &dyn Read, request: &PatchedResourceRequest) -> ApiResult<rules::Named> {
    let calendar = match request.calendar.as_given().copied().flatten() {
        Some(id) => queries::calendar_exists(db, id).await?,
        None => true,
    };
    let user = match request.user.as_given().copied().flatten() {
        Some(id) => queries::user_exists(db, id).await?,
        None => true,
    };
    Ok(rules::Named { calendar, user })
}

/// Tells the projects whose roster shows a resource.
async fn tell_boards(edit: &mut Edit, resource: ResourceId) -> ApiResult<()> {
    let projects = queries::projects_with(edit, resource).await?;
    let message = |(project, program)| Message {
        event: Event::Socket(SocketEvent::RosterChanged),
        project: Some(project),
        program,
        payload: json!({ "resource_id": resource }).into(),
    };
    Ok(edit.emit_each(projects.into_iter().map(message).collect()).await?)
}
