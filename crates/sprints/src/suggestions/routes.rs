//! The routes of suggested durations: list, show, accept, dismiss.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, UserId, VelocitySuggestionId};
use planwright_domain::words::Signal;
use planwright_plan::edit;
use planwright_plan::sprints::VelocityGate;
use planwright_plan::sprints::velocity_gate::readable;
use planwright_store::Read;
use planwright_store::page::Key;
use planwright_web::version::Precondition;
use planwright_web::{
    Actor, ApiError, ApiResult, App, IgnoredBody, Item, Json, Page, Paging, Query, Routes, says,
};

use super::model::*;
use super::{commands, queries, rules};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/velocity-suggestions/",
            list,
            says("The durations that the velocity of your teams suggests, newest first.")
                .orderings(ORDERINGS),
        )
        .get("/api/v1/velocity-suggestions/{id}/", show, says("One suggested duration."))
        .post(
            "/api/v1/velocity-suggestions/{id}/accept/",
            accept,
            says("Take a suggested duration over as the most likely one of its task."),
        )
        .post("/api/v1/velocity-suggestions/{id}/dismiss/", dismiss, says("Put a suggested duration aside."))
}

const ORDERINGS: planwright_web::paging::Orderings = &[("created_at", "v.created_at")];

type Managed = Item<SuggestionRow, may::ManagePlan>;

async fn list(
    State(app): State<App>,
    actor: Actor,
    paging: Paging,
    Query(filter): Query<SuggestionFilter>,
) -> ApiResult<Page<VelocitySuggestion>> {
    let keys = paging.keys(ORDERINGS, &[Key::descending("v.created_at")], "v.id")?;
    let from = queries::visible(&actor, &filter);
    let columns = queries::columns();
    let page = paging.fetch::<ListedRow, _>(&app.db, &columns, from, "v.id", &keys, |row| row).await?;
    let projects: Vec<ProjectId> = page.results.iter().map(|listed| listed.row.project_id).collect();
    let open = readable(&app.db, Signal::Velocity, actor.id, projects).await?;
    Ok(page.map(|listed| {
        let gate = VelocityGate { is_open: open.contains(&listed.row.project_id) };
        rules::shown(listed, gate)
    }))
}

async fn show(
    State(app): State<App>,
    item: Item<SuggestionRow, may::ReadProject>,
) -> ApiResult<Json<VelocitySuggestion>> {
    one(&app.db, item.scope.actor.id, item.row.id).await.map(Json)
}

async fn accept(
    State(app): State<App>,
    item: Managed,
    _: IgnoredBody,
) -> ApiResult<Json<VelocitySuggestion>> {
    let (mut edit, row) = edit::open_plan(&app, item, Precondition::default()).await?;
    commands::accept(&mut edit, &row).await?;
    let shown = one(&edit, edit.grant.actor.id, row.id).await?;
    edit.commit().await?;
    Ok(Json(shown))
}

async fn dismiss(
    State(app): State<App>,
    item: Managed,
    _: IgnoredBody,
) -> ApiResult<Json<VelocitySuggestion>> {
    let (mut edit, row) = edit::open(&app, item, Precondition::default()).await?;
    commands::dismiss(&mut edit, &row).await?;
    let shown = one(&edit, edit.grant.actor.id, row.id).await?;
    edit.commit().await?;
    Ok(Json(shown))
}

async fn one(db: &dyn Read, reader: UserId, id: VelocitySuggestionId) -> ApiResult<VelocitySuggestion> {
    let listed = queries::one(db, id).await?.ok_or_else(ApiError::not_found)?;
    let gate = VelocityGate::of(db, listed.row.project_id, reader).await?;
    Ok(rules::shown(listed, gate))
}
