//! The routes of allocations.
//! Dates do not depend on them, so nothing is recalculated; each write holds the plan, since it looks at the outline.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::AssignmentId;
use planwright_plan::edit::Edit;
use planwright_plan::schedule::network::date;
use planwright_store::Read;
use planwright_store::page::Key;
use planwright_store::record::find_live;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, Item, NoContent, Page, Paging, Query, Routes,
    WrittenBody, says,
};

use super::model::*;
use super::{commands, queries, rules};
use crate::capacity::overloaded_days;
use crate::catalog::model::ResourceRow;
use crate::catalog::rules::fit;
use crate::skills::queries::{requirements_of, skills_of};
use planwright_plan::tasks::of_task::{OfTask, named, no_such, stays};

const ALL: &str = "/api/v1/task-resources/";
const ONE: &str = "/api/v1/task-resources/{id}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The allocations of tasks of your projects.").agent_surface())
        .post(
            ALL,
            create,
            says("Allocate a resource to a task. The resource is added to the roster of the project."),
        )
        .get(ONE, show, says("One allocation.").agent_surface())
        .write(
            ONE,
            update,
            says("Write all fields of an allocation."),
            says("Write the units of an allocation."),
        )
        .delete(ONE, delete, says("Remove a resource from a task."))
}

type Kept = Item<AllocationRow, may::ManageLinks>;

async fn list(
    State(app): State<App>,
    actor: Actor,
    paging: Paging,
    Query(filter): Query<AllocationFilter>,
) -> ApiResult<Page<TaskResource>> {
    let orderings = &[("resource_name", "r.name"), ("units", "a.units")];
    let keys = paging.keys(orderings, &[Key::ascending("r.name")], "a.id")?;
    let from = queries::listed(&actor, &filter);
    let (columns, show) = (queries::columns(), TaskResource::read);
    paging.fetch::<NamedAllocationRow, _>(&app.db, &columns, from, "a.id", &keys, show).await
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<TaskResourceRequest>,
) -> ApiResult<Created<TaskResource>> {
    let scope = named::<_, may::ManageLinks>(&app.db, &actor, "task", OfTask(request.task)).await?;
    let mut edit = Edit::of_plan(&app, &scope).await?;
    check(&mut edit, &request).await?;
    let row = AllocationRow {
        id: edit.mint(),
        task_id: request.task,
        resource_id: request.resource,
        units: request.units.given().map_or(100, i64::from),
        created_at: edit.now(),
        server_version: 1,
    };
    commands::enrol(&mut edit, scope.project, row.resource_id).await?;
    edit.create(&row).await?;
    commands::note(&mut edit, row.task_id, row.resource_id, [None, Some(row.units)]).await?;
    let shown = written(&edit, &row).await?;
    edit.commit().await?;
    Ok(Created(shown))
}

/// Refuses an allocation of what is not there, to a row with rows below it, or of what is allocated already.
async fn check(edit: &mut Edit, request: &TaskResourceRequest) -> ApiResult<()> {
    let (task, resource) = (request.task, request.resource);
    edit.lock_rows("resources", [resource.0]).await?;
    find_live::<ResourceRow>(edit, resource.0).await?.ok_or_else(|| no_such("resource"))?;
    if queries::count_children(edit, task).await? > 0 {
        let message = "Only rows without rows below them can have allocations.";
        return Err(ApiError::invalid_field("task", message));
    }
    match queries::of(edit, task, resource).await? {
        None => Ok(()),
        Some(_) => {
            let message = "The resource is already allocated to the task.";
            Err(ApiError::invalid_field("non_field_errors", message))
        }
    }
}

async fn show(
    State(app): State<App>,
    item: Item<AllocationRow, may::ReadProject>,
) -> ApiResult<Versioned<TaskResource>> {
    Ok(Versioned::new(item.row.server_version, one(&app.db, item.row.id).await?))
}

async fn update(
    State(app): State<App>,
    item: Kept,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedTaskResourceRequest>,
) -> ApiResult<Versioned<TaskResource>> {
    let (mut edit, before) = opened(&app, item, expected).await?;
    stays("task", &before.task_id, request.task.as_given())?;
    stays("resource", &before.resource_id, request.resource.as_given())?;
    let mut after = before.clone();
    request.units.write_to(&mut after.units);
    let done = edit.update(&before, after).await?;
    if done.is_changed {
        let units = [Some(before.units), Some(done.row.units)];
        commands::note(&mut edit, before.task_id, before.resource_id, units).await?;
    }
    let shown = written(&edit, &done.row).await?;
    edit.commit().await?;
    Ok(done.shown(|_| shown))
}

async fn delete(State(app): State<App>, item: Kept, expected: Precondition) -> ApiResult<NoContent> {
    let (mut edit, row) = opened(&app, item, expected).await?;
    commands::remove_all(&mut edit, &[row]).await?;
    edit.commit().await?;
    Ok(NoContent)
}

/// Begins the change of an allocation under the lock of the plan.
async fn opened(app: &App, item: Kept, expected: Precondition) -> ApiResult<(Edit, AllocationRow)> {
    let mut edit = Edit::of_plan(app, &item.scope).await?;
    let row: AllocationRow = find_live(&edit, item.row.id.0).await?.ok_or_else(ApiError::not_found)?;
    edit.expect(&row, expected)?;
    Ok((edit, row))
}

async fn one(db: &dyn Read, id: AssignmentId) -> ApiResult<TaskResource> {
    queries::one(db, id).await?.map(TaskResource::read).ok_or_else(ApiError::not_found)
}

/// An allocation after its write, with what to think about.
async fn written(edit: &Edit, row: &AllocationRow) -> ApiResult<TaskResource> {
    let shown = one(edit, row.id).await?;
    let project = edit.project()?;
    let days = overloaded_days(edit, project, row.task_id, row.resource_id).await?;
    let wanted = requirements_of(edit, row.task_id).await?;
    let skills = skills_of(edit, &[row.resource_id]).await?.remove(&row.resource_id).unwrap_or_default();
    let (_, missing) = fit(&skills, &wanted);
    let warnings = rules::warnings(days.first().and_then(|day| date(day.0)), days.len(), missing);
    Ok(TaskResource { warnings: Some(warnings), ..shown })
}
