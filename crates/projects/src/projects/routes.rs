//! `/api/v1/projects/`: list, create, show, replace, change, delete.
//! Archiving and handing over are in `lifecycle.rs`, the trash in `trash.rs`, members in `members.rs`.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_plan::containers::{ProjectRow, create_project};
use planwright_plan::edit::Edit;
use planwright_plan::{deletion, edit};
use planwright_store::Record;
use planwright_store::page::Key;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, Item, NoContent, Page, Paging, ProjectScope, Query,
    Routes, WrittenBody, says,
};

use super::model::{Project, ProjectDetail};
use super::requests::{DeleteQuery, PatchedProjectRequest, ProjectFilter, ProjectRequest};
use super::{change, present, queries};

const ALL: &str = "/api/v1/projects/";
const ONE: &str = "/api/v1/projects/{id}/";

/// What the list may be ordered by.
const ORDERINGS: planwright_web::paging::Orderings = &[("start_date", "p.start_date"), ("name", "p.name")];

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The projects you belong to.").orderings(ORDERINGS).agent_surface())
        .post(ALL, create, says("Create a project. You become its Owner.").members_only())
        .get(ONE, show, says("One project.").agent_surface())
        .write(ONE, update, says("Write all fields of a project."), says("Write some fields of a project."))
        .delete(ONE, delete, says("Move a project to the trash."))
}

async fn list(
    State(app): State<App>,
    actor: Actor,
    Query(filter): Query<ProjectFilter>,
    paging: Paging,
) -> ApiResult<Page<Project>> {
    let default = [Key::ascending("p.start_date"), Key::ascending("p.name")];
    let keys = paging.keys(ORDERINGS, &default, "p.id")?;
    let ungrouped = filter.program__isnull.given();
    let from = queries::visible(&app.db, &actor, paging.search.as_deref(), ungrouped);
    let columns = format!("SELECT {}", ProjectRow::select_list("p"));
    let page = paging.fetch::<ProjectRow, _>(&app.db, &columns, from, "p.id", &keys, |row| row).await?;
    let Page { count, next, previous, results } = page;
    let results = present::shown(&app.db, &app.clock, &actor, results).await?;
    Ok(Page { count, next, previous, results })
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<ProjectRequest>,
) -> ApiResult<Created<Project>> {
    let mut edit = Edit::begin(&app, &actor).await?;
    let fields = change::validated_new(&edit, &actor, request).await?;
    let project = create_project(&mut edit, actor.id, fields).await?;
    let shown = present::one(&edit, &app.clock, &actor, project).await?;
    edit.commit().await?;
    Ok(Created(shown))
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Versioned<ProjectDetail>> {
    let shown = present::detail(&app.db, &app.clock, &scope.actor, scope.project).await?;
    Ok(Versioned::computed(shown.project.server_version, shown))
}

async fn update(
    State(app): State<App>,
    item: Item<ProjectRow, may::EditProject>,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedProjectRequest>,
) -> ApiResult<Versioned<Project>> {
    let expected = expected.or_base(request.base_version.as_given().copied());
    let (mut edit, before) = edit::open_with_linked(&app, item, expected).await?;
    let written = change::change(&mut edit, &before, request).await?;
    let project = present::one(&edit, &app.clock, &edit.grant.actor, before.id).await?;
    edit.commit().await?;
    Ok(Versioned::computed(project.server_version, project).merged(written.merged))
}

async fn delete(
    State(app): State<App>,
    item: Item<ProjectRow, may::OwnProject>,
    expected: Precondition,
    Query(how): Query<DeleteQuery>,
) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open_with_linked(&app, item, expected).await?;
    let actor = edit.grant.actor.id;
    match how.force.given().unwrap_or(false) {
        false => deletion::delete_projects(&mut edit, actor, &[row.id]).await?,
        true if row.archived_at.is_some() => {
            deletion::delete_project_for_good(&mut edit, actor, row.id).await?
        }
        true => return Err(ApiError::bad_request("Only an archived project can be deleted permanently.")),
    };
    edit.commit().await?;
    Ok(NoContent)
}
