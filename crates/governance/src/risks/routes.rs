//! The routes of risks themselves.

use std::collections::HashMap;

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::{RiskId, TaskId};
use planwright_plan::edit::{self, Edit};
use planwright_store::page::Key;
use planwright_web::paging::Orderings;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    ApiResult, App, Body, Created, Item, NoContent, Page, Paging, ProjectScope, Query, Routes, WrittenBody,
    says,
};

use super::model::*;
use super::{commands, queries};

const ALL: &str = "/api/v1/projects/{project_pk}/risks/";
const ONE: &str = "/api/v1/projects/{project_pk}/risks/{id}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The risks of a project, the worst first.").agent_surface().orderings(ORDERINGS))
        .post(ALL, create, says("Note a risk."))
        .get(ONE, show, says("One risk.").agent_surface())
        .write(ONE, update, says("Write all of a risk."), says("Write some fields of a risk."))
        .delete(ONE, delete, says("Delete a risk."))
}

const ORDERINGS: Orderings = &[
    ("severity", "r.probability * r.impact"),
    ("probability", "r.probability"),
    ("impact", "r.impact"),
    ("status", "r.status"),
    ("created_at", "r.created_at"),
];

async fn list(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    paging: Paging,
    Query(filter): Query<RiskFilter>,
) -> ApiResult<Page<Risk>> {
    let usual = [Key::descending("r.impact"), Key::descending("r.probability"), Key::ascending("r.title")];
    let keys = paging.keys(ORDERINGS, &usual, "r.id")?;
    let from = queries::of_project(&app.db, scope.project, filter, paging.search.as_deref());
    let columns = queries::columns();
    let page = paging.fetch::<ShownRiskRow, _>(&app.db, &columns, from, "r.id", &keys, |row| row).await?;
    let Page { count, next, previous, results } = page;
    let mut tasks: HashMap<RiskId, Vec<TaskId>> = HashMap::new();
    for (risk, task) in queries::threatened(&app.db, results.iter().map(|row| row.risk.id)).await? {
        tasks.entry(risk).or_default().push(task);
    }
    let shown = |row: ShownRiskRow| {
        let threatened = tasks.remove(&row.risk.id).unwrap_or_default();
        Risk::of(row, threatened)
    };
    Ok(Page { count, next, previous, results: results.into_iter().map(shown).collect() })
}

async fn create(
    State(app): State<App>,
    scope: ProjectScope<may::TakePart>,
    Body(request): Body<RiskRequest>,
) -> ApiResult<Created<Risk>> {
    let mut edit = Edit::locked(&app, &scope).await?;
    let id = commands::create(&mut edit, request.into()).await?;
    let risk = commands::shown(&edit, id).await?;
    edit.commit().await?;
    Ok(Created(risk))
}

async fn show(State(app): State<App>, item: Item<RiskRow, may::ReadProject>) -> ApiResult<Versioned<Risk>> {
    let risk = commands::shown(&app.db, item.row.id).await?;
    Ok(Versioned::new(risk.server_version, risk))
}

async fn update(
    State(app): State<App>,
    item: Item<RiskRow, may::TakePart>,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedRiskRequest>,
) -> ApiResult<Versioned<Risk>> {
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    let written = commands::change(&mut edit, &before, request).await?;
    let risk = commands::shown(&edit, before.id).await?;
    edit.commit().await?;
    Ok(written.shown(|_| risk))
}

async fn delete(
    State(app): State<App>,
    item: Item<RiskRow, may::DeleteRisks>,
    expected: Precondition,
) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open(&app, item, expected).await?;
    edit.delete(&row).await?;
    edit.commit().await?;
    Ok(NoContent)
}
