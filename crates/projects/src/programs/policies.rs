//! `/api/v1/programs/{id}/rollup-config/` and `risk-policy/`: how figures of projects become one, and what a slip does.
//! Any member reads them, of a closed program too; who manages the program writes them, and the history keeps it.

use std::collections::BTreeMap;

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::kpis;
use planwright_domain::words::{AggregationPolicy, SlipPropagation};
use planwright_plan::containers::{ProgramFields, ProgramRow};
use planwright_plan::edit;
use planwright_web::input::{Int, Name, Patch};
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{ApiResult, App, Item, OpenBody, Problem, Problems, Routes, input, says};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use super::{change, queries};

const ROLLUP: &str = "/api/v1/programs/{id}/rollup-config/";
const RISK: &str = "/api/v1/programs/{id}/risk-policy/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ROLLUP, show_rollup, says("Get the key figures of a program, and how they are combined."))
        .patch(ROLLUP, update_rollup, says("Choose the key figures that a program shows."))
        .get(
            RISK,
            show_risk,
            says(
                "Get what happens if a task slips because of another project, and when risks are escalated.",
            ),
        )
        .patch(RISK, update_risk, says("Change what happens if a task slips because of another project."))
}

/// The key figures of a program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProgramRollupConfig {
    /// The key figures that are shown. The default depends on the methodology.
    pub enabled_kpis: Vec<String>,
    /// How the key figures of the projects are combined.
    pub aggregation_policy: AggregationPolicy,
    /// The key figures that are not available, and why.
    pub unavailable_kpis: BTreeMap<String, String>,
}

/// What happens if a task slips because of another project.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ProgramRiskPolicy {
    /// Whether it is ignored, gives a warning, or is refused.
    pub slip_propagation: SlipPropagation,
    /// The number of days after which an open risk is escalated.
    pub escalation_days: i64,
}

input! {
    /// The key figures to show.
    pub struct PatchedProgramRollupConfigRequest {
        /// The key figures. Null means the default of the methodology.
        pub enabled_kpis: Patch<Option<Vec<Name<1, 64>>>>,
        /// How the key figures of the projects are combined.
        pub aggregation_policy: Patch<AggregationPolicy>,
    }
}

input! {
    /// What happens if a task slips because of another project.
    pub struct PatchedProgramRiskPolicyRequest {
        /// Whether it is ignored, gives a warning, or is refused.
        pub slip_propagation: Patch<SlipPropagation>,
        /// The number of days after which an open risk is escalated.
        pub escalation_days: Patch<Int<1, 30>>,
    }
}

async fn show_rollup(
    State(app): State<App>,
    item: Item<ProgramRow, may::ReadProgram>,
) -> ApiResult<Versioned<ProgramRollupConfig>> {
    let has_costs = queries::has_costs(&app.db, &item.scope.actor, item.row.id).await?;
    Ok(Versioned::computed(item.row.server_version, rollup_of(&item.row.written, has_costs)))
}

async fn update_rollup(
    State(app): State<App>,
    item: Item<ProgramRow, may::EditProgram>,
    expected: Precondition,
    OpenBody(request): OpenBody<PatchedProgramRollupConfigRequest>,
) -> ApiResult<Versioned<ProgramRollupConfig>> {
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    let written = change::write(&mut edit, &before, chosen(before.written.clone(), request)?).await?;
    let has_costs = queries::has_costs(&edit, &edit.grant.actor, before.id).await?;
    edit.commit().await?;
    Ok(written.shown(|row| rollup_of(&row.written, has_costs)))
}

async fn show_risk(item: Item<ProgramRow, may::ReadProgram>) -> ApiResult<Versioned<ProgramRiskPolicy>> {
    Ok(Versioned::new(item.row.server_version, risk_of(&item.row.written)))
}

async fn update_risk(
    State(app): State<App>,
    item: Item<ProgramRow, may::EditProgram>,
    expected: Precondition,
    OpenBody(request): OpenBody<PatchedProgramRiskPolicyRequest>,
) -> ApiResult<Versioned<ProgramRiskPolicy>> {
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    let mut fields = before.written.clone();
    request.slip_propagation.write_to(&mut fields.risk_slip_propagation);
    request.escalation_days.write_to(&mut fields.risk_escalation_days);
    let written = change::write(&mut edit, &before, fields).await?;
    edit.commit().await?;
    Ok(written.shown(|row| risk_of(&row.written)))
}

fn rollup_of(written: &ProgramFields, has_costs: bool) -> ProgramRollupConfig {
    let enabled_kpis = kpis::enabled(written.rollup_enabled_kpis.as_ref(), written.methodology);
    ProgramRollupConfig {
        unavailable_kpis: kpis::unavailable(&enabled_kpis, has_costs),
        enabled_kpis,
        aggregation_policy: written.rollup_aggregation_policy,
    }
}

fn risk_of(written: &ProgramFields) -> ProgramRiskPolicy {
    ProgramRiskPolicy {
        slip_propagation: written.risk_slip_propagation,
        escalation_days: written.risk_escalation_days,
    }
}

/// The fields with the figures that somebody chose.
fn chosen(mut fields: ProgramFields, request: PatchedProgramRollupConfigRequest) -> ApiResult<ProgramFields> {
    request.aggregation_policy.write_to(&mut fields.rollup_aggregation_policy);
    if let Patch::Set(names) = request.enabled_kpis {
        fields.rollup_enabled_kpis = names.map(checked).transpose()?.map(Json::from);
    }
    Ok(fields)
}

/// The chosen figures, each once and in the order they were named; unknown ones are told by their place.
fn checked(names: Vec<Name<1, 64>>) -> ApiResult<Vec<String>> {
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
