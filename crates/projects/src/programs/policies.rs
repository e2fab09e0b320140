//! `/api/v1/programs/{id}/rollup-config/` and `risk-policy/`: how figures of projects become one, and what a slip does.
//! Any member reads them, of a closed program too; who manages the program writes them, and the history keeps it.

use std::collections::BTreeMap;

use axum::extract::State;
use planwright_domain::access::{May, may};
use planwright_domain::words::{AggregationPolicy, SlipPropagation};
use planwright_web::input::{Int, Name, Patch, Problem};
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{ApiResult, App, OpenBody, Problems, ProgramScope, Routes, input, says};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use super::change;
use super::kpis;
use super::model::ProgramRow;

const ROLLUP: &str = "/api/v1/programs/{id}/rollup-config/";
const RISK: &str = "/api/v1/programs/{id}/risk-policy/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ROLLUP, show_rollup, says("Which figures a program shows, and how they are made."))
        .patch(ROLLUP, update_rollup, says("Choose the figures of a program."))
        .get(RISK, show_risk, says("What a slip across projects does, and when risks are escalated."))
        .patch(RISK, update_risk, says("Change what a slip across projects does."))
}

/// Which figures a program shows.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProgramRollupConfig {
    /// The figures shown; those of the methodology until somebody chooses.
    pub enabled_kpis: Vec<String>,
    /// How figures of the projects become one.
    pub aggregation_policy: AggregationPolicy,
    /// Those of the figures that cannot be had, and why.
    pub unavailable_kpis: BTreeMap<String, String>,
}

/// What a slip across projects does.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ProgramRiskPolicy {
    /// Whether it is passed over, warned of or refused.
    pub slip_propagation: SlipPropagation,
    /// After how many days an open risk is escalated.
    pub escalation_days: i64,
}

input! {
    /// Which figures to show.
    pub struct PatchedProgramRollupConfigRequest {
        /// The figures; null goes back to those of the methodology.
        pub enabled_kpis: Patch<Option<Vec<Name<1, 64>>>>,
        /// How figures of the projects become one.
        pub aggregation_policy: Patch<AggregationPolicy>,
    }
}

input! {
    /// What a slip across projects is to do.
    pub struct PatchedProgramRiskPolicyRequest {
        /// Whether it is passed over, warned of or refused.
        pub slip_propagation: Patch<SlipPropagation>,
        /// After how many days an open risk is escalated.
        pub escalation_days: Patch<Int<1, 30>>,
    }
}

async fn show_rollup(
    State(app): State<App>,
    scope: ProgramScope<may::ReadProgram>,
) -> ApiResult<Versioned<ProgramRollupConfig>> {
    let row = found(&app, &scope).await?;
    Ok(Versioned::new(row.server_version, rollup_of(&row)))
}

async fn update_rollup(
    State(app): State<App>,
    scope: ProgramScope<may::EditProgram>,
    expected: Precondition,
    OpenBody(request): OpenBody<PatchedProgramRollupConfigRequest>,
) -> ApiResult<Versioned<ProgramRollupConfig>> {
    let row = write(app, scope, expected, |row| choose(row, request)).await?;
    Ok(Versioned::new(row.server_version, rollup_of(&row)))
}

async fn show_risk(
    State(app): State<App>,
    scope: ProgramScope<may::ReadProgram>,
) -> ApiResult<Versioned<ProgramRiskPolicy>> {
    let row = found(&app, &scope).await?;
    Ok(Versioned::new(row.server_version, risk_of(&row)))
}

async fn update_risk(
    State(app): State<App>,
    scope: ProgramScope<may::EditProgram>,
    expected: Precondition,
    OpenBody(request): OpenBody<PatchedProgramRiskPolicyRequest>,
) -> ApiResult<Versioned<ProgramRiskPolicy>> {
    let changed = |row: &mut ProgramRow| {
        request.slip_propagation.write_to(&mut row.written.risk_slip_propagation);
        request.escalation_days.write_to(&mut row.written.risk_escalation_days);
        Ok(())
    };
    let row = write(app, scope, expected, changed).await?;
    Ok(Versioned::new(row.server_version, risk_of(&row)))
}

fn rollup_of(row: &ProgramRow) -> ProgramRollupConfig {
    let written = &row.written;
    let enabled_kpis = kpis::enabled(written.rollup_enabled_kpis.as_ref(), written.methodology);
    ProgramRollupConfig {
        unavailable_kpis: kpis::unavailable(&enabled_kpis),
        enabled_kpis,
        aggregation_policy: written.rollup_aggregation_policy,
    }
}

fn risk_of(row: &ProgramRow) -> ProgramRiskPolicy {
    ProgramRiskPolicy {
        slip_propagation: row.written.risk_slip_propagation,
        escalation_days: row.written.risk_escalation_days,
    }
}

fn choose(row: &mut ProgramRow, request: PatchedProgramRollupConfigRequest) -> ApiResult<()> {
    request.aggregation_policy.write_to(&mut row.written.rollup_aggregation_policy);
    let Patch::Set(chosen) = request.enabled_kpis else { return Ok(()) };
    row.written.rollup_enabled_kpis = match chosen {
        None => None,
        Some(names) => Some(Json::from(planned(names)?)),
    };
    Ok(())
}

/// The chosen figures, each once and in the order they were named; unknown ones are told by their place.
fn planned(names: Vec<Name<1, 64>>) -> ApiResult<Vec<String>> {
    let mut unknown = Problems::default();
    let mut chosen: Vec<String> = Vec::new();
    for (index, name) in names.into_iter().map(String::from).enumerate() {
        if !kpis::ALL.contains(&name.as_str()) {
            unknown.say(&index.to_string(), format!("\"{name}\" is not a valid choice."));
        } else if !chosen.contains(&name) {
            chosen.push(name);
        }
    }
    let mut problems = Problems::default();
    if !unknown.is_empty() {
        problems.add("enabled_kpis", Problem::Fields(unknown));
    }
    problems.check()?;
    Ok(chosen)
}

async fn found<A: May>(app: &App, scope: &ProgramScope<A>) -> ApiResult<ProgramRow> {
    super::queries::find(&app.db, scope.program).await?.ok_or_else(planwright_web::ApiError::not_found)
}

async fn write(
    app: App,
    scope: ProgramScope<may::EditProgram>,
    expected: Precondition,
    change_row: impl FnOnce(&mut ProgramRow) -> ApiResult<()> + Send,
) -> ApiResult<ProgramRow> {
    let mut tx = app.db.begin().await?;
    let before = change::found(&mut tx, &scope).await?;
    expected.check(before.server_version)?;
    let mut after = before.clone();
    change_row(&mut after)?;
    if change::write(&mut tx, scope.actor.id, &before, &after).await? {
        after.server_version += 1;
    }
    tx.commit().await?;
    Ok(after)
}
