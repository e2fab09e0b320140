//! The one route of explanations. A task of a linked project is named only to those who may open that project.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_domain::words::ExplainedQuantity;
use planwright_engine as engine;
use planwright_plan::tasks;
use planwright_web::{ApiError, ApiResult, App, Json, ProjectScope, Query, Routes, says};

use super::model::{Derivation, DerivationQuery, ForecastDriver, PercentileDerivation, ScheduleDerivation};
use super::{queries, rules};
use crate::{computed, simulation};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/projects/{id}/schedule/derivation/",
        show,
        says("Explain the dates of a task.").agent_surface(),
    )
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    Query(query): Query<DerivationQuery>,
) -> ApiResult<Json<Derivation>> {
    let name = queries::name(&app.db, scope.project, query.task_id).await?;
    let name = name.ok_or_else(ApiError::not_found)?;
    let derivation = match query.quantity {
        ExplainedQuantity::P50 | ExplainedQuantity::P80 | ExplainedQuantity::P95 => {
            Derivation::Percentile(Box::new(percentile(&app, scope.project, query, name).await?))
        }
        _ => Derivation::Schedule(Box::new(explained(&app, &scope, query, name).await?)),
    };
    Ok(Json(derivation))
}

async fn explained(
    app: &App,
    scope: &ProjectScope<may::ReadProject>,
    query: DerivationQuery,
    task_name: String,
) -> ApiResult<ScheduleDerivation> {
    let plan = computed::plan(app, scope.project).await?;
    let work = move || {
        let schedule = engine::schedule(&plan.network);
        rules::explain(&plan, &schedule, query.task_id, query.quantity)
    };
    let explained = planwright_web::off_thread(work).await?;
    let mut contributions = explained.contributions;
    let sources: Vec<TaskId> = contributions.iter().filter_map(|bound| bound.source_task_id).collect();
    let names = queries::readable_names(&app.db, &scope.actor, &sources).await?;
    for bound in &mut contributions {
        bound.source_task_name = bound.source_task_id.and_then(|id| names.get(&id).cloned());
        // To an agent, what has not consented is not there at all.
        if scope.actor.is_agent() && bound.source_task_name.is_none() {
            bound.source_task_id = None;
        }
    }
    Ok(ScheduleDerivation {
        task_id: query.task_id,
        task_name,
        quantity: query.quantity,
        value: explained.value,
        pass: explained.pass.to_owned(),
        is_critical: explained.is_critical,
        binding: contributions.iter().find(|bound| bound.is_binding).cloned(),
        contributions,
    })
}

async fn percentile(
    app: &App,
    project: ProjectId,
    query: DerivationQuery,
    task_name: String,
) -> ApiResult<PercentileDerivation> {
    let latest = simulation::latest_run(&app.db, project, app.clock.now()).await?;
    let run = latest.ok_or_else(ApiError::not_found)?;
    let (value, delta_vs_cpm_days) = match query.quantity {
        ExplainedQuantity::P50 => (run.p50, run.delta_vs_cpm.p50),
        ExplainedQuantity::P80 => (run.p80, run.delta_vs_cpm.p80),
        _ => (run.p95, run.delta_vs_cpm.p95),
    };
    let ids: Vec<TaskId> = run.sensitivity.iter().map(|driver| driver.task_id).collect();
    let hits = tasks::queries::hits(&app.db, &ids).await?;
    let driver = |of: simulation::TaskIndex| ForecastDriver {
        task_name: hits.get(&of.task_id).map(|hit| hit.name.clone()),
        task_id: of.task_id,
        index: of.index,
    };
    Ok(PercentileDerivation {
        task_id: query.task_id,
        task_name,
        quantity: query.quantity,
        value,
        pass: "monte_carlo".to_owned(),
        cpm_finish: run.cpm_finish,
        delta_vs_cpm_days,
        drivers: run.sensitivity.into_iter().map(driver).collect(),
        runs: run.runs,
        last_run_at: run.last_run_at,
    })
}
