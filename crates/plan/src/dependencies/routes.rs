//! `/api/v1/dependencies/`: list, create, show, replace, update, delete, accept, reject.
//! Each write locks the plans of both projects, so its answer already knows whether the link drives.

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use planwright_domain::ids::{DependencyId, UserId};
use planwright_domain::words::RunReason;
use planwright_store::{Read, Tx};
use planwright_web::document::{Describe, Describer};
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, IgnoredBody, Json, NoContent, Page, Paging, Path, Query,
    Routes, says,
};

use super::commands::{self, LinkWithEnds};
use super::model::*;
use super::{queries, rules};
use crate::cards::Cards;
use crate::schedule::PlanLock;
use crate::span::Reach;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get("/api/v1/dependencies/", list, says("Links between tasks of your projects."))
        .post(
            "/api/v1/dependencies/",
            create,
            says("Link two tasks; into a project where you manage no links it waits to be accepted."),
        )
        .get("/api/v1/dependencies/{id}/", show, says("One link."))
        .put("/api/v1/dependencies/{id}/", replace, says("Write all of a link."))
        .patch("/api/v1/dependencies/{id}/", update, says("Write some fields of a link."))
        .delete("/api/v1/dependencies/{id}/", delete, says("Delete a link."))
        .post("/api/v1/dependencies/{id}/accept/", accept, says("Let a link from another project hold."))
        .post("/api/v1/dependencies/{id}/reject/", reject, says("Turn down a link from another project."))
}

/// A link that its caller may change: the check comes before the body is read, and again once the projects are held.
struct Editable {
    id: DependencyId,
    actor: Actor,
}

impl FromRequestParts<App> for Editable {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let actor = Actor::from_request_parts(parts, app).await?;
        let Path(id) = Path::from_request_parts(parts, app).await?;
        let row = queries::find(&app.db, actor.id, id).await?.ok_or_else(ApiError::not_found)?;
        let link = commands::with_ends(&app.db, actor.id, row).await?;
        rules::may_write(&link.predecessor, &link.successor)?;
        Ok(Self { id, actor })
    }
}

impl Describe for Editable {
    fn describe(_: &mut Describer) {}
}

async fn list(
    State(app): State<App>,
    actor: Actor,
    paging: Paging,
    Query(filter): Query<DependencyFilter>,
) -> ApiResult<Page<Dependency>> {
    let keys = paging.keys(&[("dep_type", "d.dep_type")], &[], "d.id")?;
    let own = queries::own_projects(&app.db, actor.id).await?;
    let from = queries::visible(&own, &filter);
    let page = paging
        .fetch::<DependencyRow, DependencyId, _>(&app.db, queries::COLUMNS, from, "d.id", &keys, |row| row)
        .await?;
    let cards = cards_of(&app.db, &page.results).await?;
    Ok(page.map(|row| row.shown(&cards)))
}

async fn show(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<DependencyId>,
) -> ApiResult<Versioned<Dependency>> {
    let row = queries::find(&app.db, actor.id, id).await?.ok_or_else(ApiError::not_found)?;
    let version = row.server_version;
    Ok(Versioned::new(version, shown(&app.db, row).await?))
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<DependencyRequest>,
) -> ApiResult<Created<Dependency>> {
    let mut tx = app.db.begin().await?;
    let mut lock = PlanLock::default().because(RunReason::DependencyChange);
    let reach = Reach::of_task(&tx, request.successor).await?;
    let row = commands::create(&mut tx, &mut lock, actor.id, request.into()).await?;
    lock.end(&mut tx).await?;
    reach.keep(&tx, "lag").await?;
    let link = as_written(&tx, row.id).await?;
    tx.commit().await?;
    Ok(Created(link.row))
}

async fn replace(
    state: State<App>,
    editable: Editable,
    expected: Precondition,
    Body(request): Body<DependencyRequest>,
) -> ApiResult<Versioned<Dependency>> {
    update(state, editable, expected, Body(request.into())).await
}

async fn update(
    State(app): State<App>,
    Editable { id, actor }: Editable,
    expected: Precondition,
    Body(request): Body<PatchedDependencyRequest>,
) -> ApiResult<Versioned<Dependency>> {
    let mut tx = app.db.begin().await?;
    let mut lock = PlanLock::default().because(RunReason::DependencyChange);
    let link = held(&mut tx, &mut lock, actor.id, id, &expected).await?;
    let reach = Reach::of(&tx, link.successor.project_id).await?;
    commands::update(&mut tx, &mut lock, actor.id, &link, request).await?;
    lock.end(&mut tx).await?;
    reach.keep(&tx, "lag").await?;
    let link = as_written(&tx, id).await?;
    tx.commit().await?;
    Ok(link)
}

async fn delete(
    State(app): State<App>,
    Editable { id, actor }: Editable,
    expected: Precondition,
) -> ApiResult<NoContent> {
    let mut tx = app.db.begin().await?;
    let mut lock = PlanLock::default().because(RunReason::DependencyChange);
    let link = held(&mut tx, &mut lock, actor.id, id, &expected).await?;
    commands::delete(&mut tx, &mut lock, actor.id, &link).await?;
    lock.end(&mut tx).await?;
    tx.commit().await?;
    Ok(NoContent)
}

async fn accept(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<DependencyId>,
    expected: Precondition,
    _: IgnoredBody,
) -> ApiResult<Versioned<Dependency>> {
    let mut tx = app.db.begin().await?;
    let mut lock = PlanLock::default().because(RunReason::CrossProjectDependency);
    let link = held(&mut tx, &mut lock, actor.id, id, &expected).await?;
    commands::accept(&mut tx, &mut lock, actor.id, &link).await?;
    lock.end(&mut tx).await?;
    let link = as_written(&tx, id).await?;
    tx.commit().await?;
    Ok(link)
}

async fn reject(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<DependencyId>,
    expected: Precondition,
    _: IgnoredBody,
) -> ApiResult<Json<Dependency>> {
    let mut tx = app.db.begin().await?;
    let mut lock = PlanLock::default();
    let link = held(&mut tx, &mut lock, actor.id, id, &expected).await?;
    commands::reject(&mut tx, &mut lock, actor.id, &link).await?;
    let rejected = shown(&tx, link.row).await?;
    lock.end(&mut tx).await?;
    tx.commit().await?;
    Ok(Json(rejected))
}

/// A link as it is once its projects are held; who may not write it is refused before anything waits for them.
async fn held(
    tx: &mut Tx,
    lock: &mut PlanLock,
    me: UserId,
    id: DependencyId,
    expected: &Precondition,
) -> ApiResult<LinkWithEnds> {
    let row = queries::find(tx, me, id).await?.ok_or_else(ApiError::not_found)?;
    let link = commands::with_ends(tx, me, row).await?;
    rules::may_write(&link.predecessor, &link.successor)?;
    commands::hold(tx, lock, [link.predecessor.project_id, link.successor.project_id]).await?;
    let row = queries::find(tx, me, id).await?.ok_or_else(ApiError::not_found)?;
    expected.check(row.server_version)?;
    commands::with_ends(tx, me, row).await
}

/// A link after its write, which may have taken it out of its writer's sight.
async fn as_written(tx: &Tx, id: DependencyId) -> ApiResult<Versioned<Dependency>> {
    let row = queries::written(tx, id).await?;
    let version = row.server_version;
    Ok(Versioned::new(version, shown(tx, row).await?))
}

async fn shown(db: &impl Read, row: DependencyRow) -> ApiResult<Dependency> {
    let cards = cards_of(db, std::slice::from_ref(&row)).await?;
    Ok(row.shown(&cards))
}

async fn cards_of(db: &impl Read, rows: &[DependencyRow]) -> ApiResult<Cards> {
    let crossing = rows.iter().filter(|row| row.crosses());
    Ok(Cards::of(db, crossing.flat_map(|row| [row.predecessor_id, row.successor_id])).await?)
}
