//! `/api/v1/dependencies/`: list, create, show, replace, update, delete, accept, reject.
//! Each write locks the plans of both projects, so its answer already knows whether the link drives.

use axum::extract::State;
use planwright_domain::access::{Action, may};
use planwright_domain::ids::DependencyId;
use planwright_domain::words::RunReason;
use planwright_store::{Read, Tx};
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, Item, Json, NoContent, Page, Paging, Query, Resource,
    Routes, WrittenBody, says,
};

use super::commands::{self, LinkWithEnds};
use super::model::*;
use super::queries;
use crate::cards::Cards;
use crate::edit::Edit;
use crate::span::Reach;

/// What the list may be ordered by.
const ORDERINGS: planwright_web::paging::Orderings = &[("dep_type", "d.dep_type")];

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/dependencies/",
            list,
            says("Links between tasks of your projects.").orderings(ORDERINGS),
        )
        .post(
            "/api/v1/dependencies/",
            create,
            says("Link two tasks. A link into a project where you do not manage links waits for acceptance.")
                .members_only(),
        )
        .get("/api/v1/dependencies/{id}/", show, says("One link."))
        .write(
            "/api/v1/dependencies/{id}/",
            update,
            says("Write all fields of a link."),
            says("Write some fields of a link."),
        )
        .delete("/api/v1/dependencies/{id}/", delete, says("Delete a link."))
        .post(
            "/api/v1/dependencies/{id}/accept/",
            accept,
            says("Accept a link from another project.").members_only(),
        )
        .post(
            "/api/v1/dependencies/{id}/reject/",
            reject,
            says("Refuse a link from another project.").members_only(),
        )
}

async fn list(
    State(app): State<App>,
    actor: Actor,
    paging: Paging,
    Query(filter): Query<DependencyFilter>,
) -> ApiResult<Page<Dependency>> {
    let keys = paging.keys(ORDERINGS, &[], "d.id")?;
    let own = queries::own_projects(&app.db, &actor).await?;
    let from = queries::visible(&own, &filter);
    let page = paging
        .fetch::<DependencyRow, _>(&app.db, &queries::columns(), from, "d.id", &keys, |row| row)
        .await?;
    let cards = cards_of(&app.db, &actor, &page.results).await?;
    Ok(page.map(|row| row.shown(&cards)))
}

async fn show(
    State(app): State<App>,
    item: Item<DependencyRow, may::ReadProject>,
) -> ApiResult<Versioned<Dependency>> {
    let version = item.row.server_version;
    Ok(Versioned::new(version, shown(&app.db, &item.scope.actor, item.row).await?))
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<DependencyRequest>,
) -> ApiResult<Created<Dependency>> {
    let mut edit = Edit::begin(&app, &actor).await?;
    let reach = Reach::of_task(&edit, request.successor).await?;
    let (tx, lock) = edit.plan();
    lock.because(RunReason::DependencyChange);
    let row = commands::create(tx, lock, actor.id, request.into()).await?;
    edit.recalculate().await?;
    reach.keep(&edit, "lag").await?;
    let link = as_written(&edit, &edit.grant.actor, row.id).await?;
    edit.commit().await?;
    Ok(Created(link.row))
}

async fn update(
    State(app): State<App>,
    item: Item<DependencyRow, may::ManageLinks>,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedDependencyRequest>,
) -> ApiResult<Versioned<Dependency>> {
    let (mut edit, link) = opened(&app, item, &expected, RunReason::DependencyChange).await?;
    let reach = Reach::of(&edit, link.successor.project_id).await?;
    let (tx, lock, actor) = edit.plan_and_actor();
    commands::update(tx, lock, actor, &link, request).await?;
    edit.recalculate().await?;
    reach.keep(&edit, "lag").await?;
    let link = as_written(&edit, &edit.grant.actor, link.row.id).await?;
    edit.commit().await?;
    Ok(link)
}

async fn delete(
    State(app): State<App>,
    item: Item<DependencyRow, may::ManageLinks>,
    expected: Precondition,
) -> ApiResult<NoContent> {
    let (mut edit, link) = opened(&app, item, &expected, RunReason::DependencyChange).await?;
    let (tx, lock, actor) = edit.plan_and_actor();
    commands::delete(tx, lock, actor, &link).await?;
    edit.commit().await?;
    Ok(NoContent)
}

async fn accept(
    State(app): State<App>,
    item: Item<DependencyRow, may::ManageLinks>,
    expected: Precondition,
) -> ApiResult<Versioned<Dependency>> {
    let (mut edit, link) = opened(&app, item, &expected, RunReason::CrossProjectDependency).await?;
    let (tx, lock, actor) = edit.plan_and_actor();
    commands::accept(tx, lock, actor, &link).await?;
    edit.recalculate().await?;
    let link = as_written(&edit, &edit.grant.actor, link.row.id).await?;
    edit.commit().await?;
    Ok(link)
}

async fn reject(
    State(app): State<App>,
    item: Item<DependencyRow, may::ManageLinks>,
    expected: Precondition,
) -> ApiResult<Json<Dependency>> {
    let (mut edit, link) = opened(&app, item, &expected, RunReason::DependencyChange).await?;
    let (tx, lock, actor) = edit.plan_and_actor();
    commands::reject(tx, lock, actor, &link).await?;
    let rejected = shown(&edit, &edit.grant.actor, link.row).await?;
    edit.commit().await?;
    Ok(Json(rejected))
}

/// Begins the change of a link: the plans of both ends are locked, and the link is read again as it stands then.
async fn opened(
    app: &App,
    item: Item<DependencyRow, may::ManageLinks>,
    expected: &Precondition,
    reason: RunReason,
) -> ApiResult<(Edit, LinkWithEnds)> {
    let mut edit = Edit::begin(app, &item.scope).await?;
    let (tx, lock) = edit.plan();
    lock.because(reason);
    commands::hold(tx, lock, item.row.projects()).await?;
    let row = DependencyRow::find(&edit, item.row.id.0).await?.ok_or_else(ApiError::not_found)?;
    let action = Action::ManageLinks;
    let (grant, predecessor, successor) = row.container().check(&edit, &edit.grant.actor, action).await?;
    edit.grant = grant;
    expected.check(row.server_version)?;
    Ok((edit, LinkWithEnds { row, predecessor, successor }))
}

/// A link after its write, which may have taken it out of its writer's sight.
async fn as_written(tx: &Tx, actor: &Actor, id: DependencyId) -> ApiResult<Versioned<Dependency>> {
    let row = queries::written(tx, id).await?;
    let version = row.server_version;
    Ok(Versioned::new(version, shown(tx, actor, row).await?))
}

async fn shown(db: &dyn Read, actor: &Actor, row: DependencyRow) -> ApiResult<Dependency> {
    let cards = cards_of(db, actor, std::slice::from_ref(&row)).await?;
    Ok(row.shown(&cards))
}

async fn cards_of(db: &dyn Read, actor: &Actor, rows: &[DependencyRow]) -> ApiResult<Cards> {
    let crossing = rows.iter().filter(|row| row.crosses());
    Ok(Cards::of(db, actor, crossing.flat_map(|row| [row.predecessor_id, row.successor_id])).await?)
}
