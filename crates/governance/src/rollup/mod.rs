//! `/api/v1/programs/{id}/rollup/`: the key figures of a program over its projects, as far as the caller may know of them.
//! Which figures are shown and how they are combined is set in the area `projects`.

mod costs;
mod figures;
mod queries;

use std::collections::HashMap;

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::ProjectId;
use planwright_domain::kpis;
use planwright_domain::words::AggregationPolicy;
use planwright_plan::containers::ProgramRow;
use planwright_web::{ApiResult, App, Gathered, Gathering, Item, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::standing::standings;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/programs/{id}/rollup/",
        show,
        says("The key figures of a program over its projects; drafts are left out.").agent_surface(),
    )
}

/// The key figures of a program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProgramRollup {
    /// How the figures of the projects are combined.
    pub aggregation_policy: AggregationPolicy,
    /// Whether it can be done so. Without a project that has costs the average is used instead of the weighting by budget.
    pub policy_available: bool,
    /// How many projects are counted.
    pub project_count: usize,
    /// `on_track`, `at_risk`, `critical` or `unknown`.
    pub program_health: String,
    /// Each chosen figure by its name: whether it is available, its value and unit, or why there is none.
    pub kpis: Map<String, Value>,
}

async fn show(
    State(app): State<App>,
    item: Item<ProgramRow, may::ReadProgram>,
) -> ApiResult<Gathered<ProgramRollup>> {
    let (program, actor) = (item.row, item.scope.actor.clone());
    let written = &program.written;
    let (db, today) = (&app.db, app.clock.today());
    let mut gathering = Gathering::default();
    let projects = gathering.section("projects", queries::projects(db, program.id, &actor).await);
    let ids: Vec<ProjectId> = projects.iter().map(|row| row.id).collect();
    let counted = gathering.section("tasks", standings(db, &ids, today).await);
    let policy = written.rollup_aggregation_policy;
    let weighs_budgets = policy == AggregationPolicy::WeightedByBudget;
    let enabled = kpis::enabled(written.rollup_enabled_kpis.as_ref(), written.methodology);
    let asks = |name: &str| enabled.iter().any(|one| one == name);
    let around = figures::Around {
        risks: match asks("risk_score") {
            true => gathering.section("risks", queries::risk_scores(db, &ids).await),
            false => Vec::new(),
        },
        forecasts: match asks("p80_completion") {
            true => gathering.section("forecasts", queries::forecasts(db, &ids).await),
            false => Vec::new(),
        },
        costs: match weighs_budgets || kpis::need_costs(&enabled) {
            true => gathering.section("costs", costs::of_projects(db, &ids, today).await),
            false => HashMap::new(),
        },
    };
    let projects = figures::counted(projects, counted, &around.costs);
    Ok(gathering.answer(ProgramRollup {
        aggregation_policy: policy,
        policy_available: !weighs_budgets || !around.costs.is_empty(),
        project_count: projects.len(),
        program_health: figures::program_health(written.health, &projects, policy),
        kpis: figures::kpis(&enabled, &projects, &around, policy),
    }))
}
