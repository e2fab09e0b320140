//! `/api/v1/projects/`: list, create, show, replace, change, delete.
//! Archiving and handing over are in `lifecycle.rs`, the trash in `trash.rs`, members in `members.rs`.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::ProjectId;
use planwright_plan::containers::{create_project, deletion};
use planwright_store::page::Key;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, NoContent, Page, Paging, ProjectScope, Query, Routes,
    says,
};

use super::model::{Project, ProjectDetail, ProjectRow};
use super::requests::{DeleteQuery, PatchedProjectRequest, ProjectFilter, ProjectRequest};
use super::{change, present, queries};

const ALL: &str = "/api/v1/projects/";
const ONE: &str = "/api/v1/projects/{id}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The projects you belong to.").agent_surface())
        .post(ALL, create, says("Create a project, which you will own."))
        .get(ONE, show, says("One project.").agent_surface())
        .put(ONE, replace, says("Write all of a project."))
        .patch(ONE, update, says("Write some fields of a project."))
        .delete(ONE, delete, says("Put a project into the trash."))
}

async fn list(
    State(app): State<App>,
    actor: Actor,
    Query(filter): Query<ProjectFilter>,
    paging: Paging,
) -> ApiResult<Page<Project>> {
    let default = [Key::ascending("p.start_date"), Key::ascending("p.name")];
    let keys = paging.keys(&[("start_date", "p.start_date"), ("name", "p.name")], &default, "p.id")?;
    let ungrouped = filter.program__isnull.given();
    let from = queries::of_person(&app.db, actor.id, paging.search.as_deref(), ungrouped)
        .push(actor.sees_projects());
    let columns = queries::columns();
    let page =
        paging.fetch::<ProjectRow, ProjectId, _>(&app.db, &columns, from, "p.id", &keys, |row| row).await?;
    let Page { count, next, previous, results } = page;
    let results = present::shown(&app.db, &app.clock, &actor, results).await?;
    Ok(Page { count, next, previous, results })
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<ProjectRequest>,
) -> ApiResult<Created<Project>> {
    let mut tx = app.db.begin().await?;
    let fields = change::validated_new(&tx, &actor, request).await?;
    let project = create_project(&mut tx, actor.id, fields).await?;
    let shown = present::one(&tx, &app.clock, &actor, project).await?;
    tx.commit().await?;
    Ok(Created(shown))
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Versioned<ProjectDetail>> {
    let shown = present::detail(&app.db, &app.clock, &scope.actor, scope.project).await?;
    Ok(Versioned::new(shown.project.server_version, shown))
}

async fn replace(
    state: State<App>,
    scope: ProjectScope<may::EditProject>,
    expected: Precondition,
    Body(request): Body<ProjectRequest>,
) -> ApiResult<Versioned<Project>> {
    update(state, scope, expected, Body(request.into())).await
}

async fn update(
    State(app): State<App>,
    scope: ProjectScope<may::EditProject>,
    expected: Precondition,
    Body(request): Body<PatchedProjectRequest>,
) -> ApiResult<Versioned<Project>> {
    let mut tx = app.db.begin().await?;
    let merged = change::change(&mut tx, &scope, expected, request).await?;
    let row = present::one(&tx, &app.clock, &scope.actor, scope.project).await?;
    tx.commit().await?;
    Ok(Versioned { version: row.server_version, row, merged })
}

async fn delete(
    State(app): State<App>,
    scope: ProjectScope<may::OwnProject>,
    expected: Precondition,
    Query(how): Query<DeleteQuery>,
) -> ApiResult<NoContent> {
    let mut tx = app.db.begin().await?;
    let row = queries::find_to_change(&mut tx, scope.project).await?.ok_or_else(ApiError::not_found)?;
    expected.check(row.server_version)?;
    match how.force.given().unwrap_or(false) {
        false => deletion::delete_projects(&mut tx, scope.actor.id, &[row.id]).await?,
        true if row.archived_at.is_some() => {
            deletion::delete_project_for_good(&mut tx, scope.actor.id, row.id).await?
        }
        true => return Err(ApiError::bad_request("Only an archived project can be deleted for good.")),
    };
    tx.commit().await?;
    Ok(NoContent)
}
