//! `/api/v1/projects/health-summary/`: how all projects of the caller stand, in one list.

use std::collections::HashMap;

use axum::extract::State;
use planwright_domain::ids::ProjectId;
use planwright_domain::words::Health;
use planwright_store::dialect::{contains, pattern};
use planwright_store::{Read, Result, row, sql};
use planwright_web::input::{Name, Patch};
use planwright_web::{Actor, ApiResult, App, Json, Query, Routes, input, says};
use schemars::JsonSchema;
use serde::Serialize;

use crate::standing::bands::{health_band, word};
use crate::standing::{Standing, standings};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/projects/health-summary/",
        list,
        says("How your projects stand, by name. Archived projects and drafts are left out."),
    )
}

input! {
    /// Which projects to list.
    pub struct HealthSummaryQuery {
        /// Only projects whose name contains this.
        pub search: Patch<Name<0, 200>>,
        /// `name`, or `-name` for the reverse order. The default is `name`.
        pub ordering: Patch<Name<0, 200>>,
    }
}

/// How a project stands.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectHealthSummary {
    pub id: ProjectId,
    pub name: String,
    /// `on_track`, `at_risk`, `critical`, or `unknown` for a project without tasks.
    pub health_band: String,
    /// Open tasks with little float.
    pub at_risk_count: i64,
    /// Open tasks on the critical path.
    pub critical_count: i64,
}

row! {
    struct NamedRow {
        id: ProjectId,
        name: String,
        health: Health,
    }
}

async fn list(
    State(app): State<App>,
    actor: Actor,
    Query(query): Query<HealthSummaryQuery>,
) -> ApiResult<Json<Vec<ProjectHealthSummary>>> {
    let search = query.search.given().map(String::from).filter(|text| !text.is_empty());
    let ordering = query.ordering.given().map(String::from);
    let rows = projects(&app.db, &actor, search.as_deref(), ordering.as_deref() == Some("-name")).await?;
    let ids: Vec<ProjectId> = rows.iter().map(|row| row.id).collect();
    let standings = standings(&app.db, &ids, app.clock.today()).await?;
    Ok(Json(rows.into_iter().map(|row| summary(row, &standings)).collect()))
}

fn summary(row: NamedRow, standings: &HashMap<ProjectId, Standing>) -> ProjectHealthSummary {
    let standing = standings.get(&row.id).cloned().unwrap_or_default();
    ProjectHealthSummary {
        id: row.id,
        name: row.name,
        health_band: word(health_band(row.health, &standing)).to_owned(),
        at_risk_count: standing.at_risk_count,
        critical_count: standing.critical_count,
    }
}

/// The active projects of the caller.
async fn projects(
    db: &dyn Read,
    actor: &Actor,
    search: Option<&str>,
    is_reversed: bool,
) -> Result<Vec<NamedRow>> {
    let named = format!("AND {}", contains(db.engine(), "p.name", "search"));
    let from = sql!(
        "SELECT p.id, p.name, p.health FROM projects p
         WHERE p.deletion_id IS NULL AND p.archived_at IS NULL AND p.lifecycle = 'active'"
    );
    let visible = actor.in_visible_projects(from, "p.id").when(&named, "search", search.map(pattern));
    let order = if is_reversed { " ORDER BY p.name DESC, p.id DESC" } else { " ORDER BY p.name, p.id" };
    db.all(visible.push(order)).await
}
