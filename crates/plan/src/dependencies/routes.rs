//! `/api/v1/dependencies/`: the links that the caller sees, and one of them.
//! Creating and accepting links belongs to the commands of the plan.

use std::collections::HashMap;

use axum::extract::State;
use planwright_domain::ids::{DependencyId, TaskId};
use planwright_store::{Read, Result};
use planwright_web::version::Versioned;
use planwright_web::{Actor, ApiError, ApiResult, App, Page, Paging, Path, Query, Routes, says};

use super::model::{CardRow, Dependency, DependencyFilter, DependencyRow, ExternalTaskCard};
use super::queries;
use crate::schedule::network::date;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get("/api/v1/dependencies/", list, says("Links between tasks of your projects.")).get(
        "/api/v1/dependencies/{id}/",
        show,
        says("One link."),
    )
}

async fn list(
    State(app): State<App>,
    actor: Actor,
    paging: Paging,
    Query(filter): Query<DependencyFilter>,
) -> ApiResult<Page<Dependency>> {
    let keys = paging.keys(&[("dep_type", "d.dep_type")], &[], "d.id")?;
    let from = queries::visible(actor.id, &filter);
    let page = paging
        .fetch::<DependencyRow, DependencyId, _>(&app.db, queries::COLUMNS, from, "d.id", &keys, |row| row)
        .await?;
    let cards = crossing_cards(&app.db, &page.results).await?;
    Ok(page.map(|row| wire(row, &cards)))
}

async fn show(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<DependencyId>,
) -> ApiResult<Versioned<Dependency>> {
    let row = queries::find(&app.db, actor.id, id).await?.ok_or_else(ApiError::not_found)?;
    let rows = [row];
    let cards = crossing_cards(&app.db, &rows).await?;
    let [row] = rows;
    Ok(Versioned::new(row.server_version, wire(row, &cards)))
}

async fn crossing_cards(db: &impl Read, rows: &[DependencyRow]) -> Result<HashMap<TaskId, CardRow>> {
    let crossing = rows.iter().filter(|row| row.predecessor_project_id != row.successor_project_id);
    let ends: Vec<TaskId> = crossing.flat_map(|row| [row.predecessor_id, row.successor_id]).collect();
    match ends.is_empty() {
        true => Ok(HashMap::new()),
        false => queries::cards(db, &ends).await,
    }
}

fn wire(row: DependencyRow, cards: &HashMap<TaskId, CardRow>) -> Dependency {
    let card = |task: TaskId| cards.get(&task).map(show_card);
    Dependency {
        id: row.id,
        predecessor: row.predecessor_id,
        successor: row.successor_id,
        dep_type: row.dep_type,
        lag: row.lag,
        pending_acceptance: row.pending_acceptance,
        accepted_by: row.accepted_by,
        accepted_at: row.accepted_at,
        is_driving: row.is_driving,
        predecessor_card: card(row.predecessor_id),
        successor_card: card(row.successor_id),
        server_version: row.server_version,
    }
}

fn show_card(row: &CardRow) -> ExternalTaskCard {
    ExternalTaskCard {
        id: row.id,
        title: row.name.clone(),
        hex_id: row.short_id.clone(),
        project_id: row.project_id,
        project_name: row.project_name.clone(),
        is_milestone: row.is_milestone,
        early_start: row.early_start.and_then(date),
        early_finish: row.early_finish.and_then(date),
        is_critical: row.is_critical,
    }
}
