//! What a simulation needs before it runs: how many runs may be made, and the plan with everything that varies.
//! The runs themselves are the engine's.

use std::collections::HashSet;

use planwright_domain::Entropy;
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_engine::SimulationOptions;
use planwright_plan::schedule::{self, network};
use planwright_plan::settings::PlanSettings;
use planwright_web::input::{Int, Patch};
use planwright_web::{ApiError, ApiResult, App};
use serde_json::json;

use super::model::LARGEST_SEED;
use super::queries;

/// A plan that is ready to be simulated.
pub struct Simulated {
    /// The plan; its first project is the one that was asked for.
    pub plan: network::Plan,
    /// Tasks whose estimates were left out, since nobody has approved them.
    pub pending: i64,
}

/// How to simulate, within what this installation allows; without a seed a random one is taken.
pub fn options(
    app: &App,
    runs: Patch<i64>,
    seed: Patch<Int<0, LARGEST_SEED>>,
) -> ApiResult<SimulationOptions> {
    let settings = app.db.context::<PlanSettings>().copied().unwrap_or_default();
    let runs = wished_runs(runs.given(), &settings)?;
    let seed = match seed.given() {
        Some(seed) => seed.0,
        None => i64::from_be_bytes(Entropy.bytes()) & LARGEST_SEED,
    };
    Ok(SimulationOptions {
        runs: u32::try_from(runs).unwrap_or(u32::MAX),
        seed: seed.unsigned_abs(),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        ..SimulationOptions::default()
    })
}

/// The plan of a project with what varies in it.
pub async fn material(app: &App, project: ProjectId) -> ApiResult<Simulated> {
    let settings = app.db.context::<PlanSettings>().copied().unwrap_or_default();
    let mut plan = plan_to_simulate(app, project, &settings).await?;
    let withheld: HashSet<TaskId> = queries::pending_estimates(&app.db, project).await?.into_iter().collect();
    for (node, at) in plan.of_node.iter().enumerate() {
        if withheld.contains(&plan.tasks[*at].id) {
            plan.network.tasks[node].estimate = None;
        }
    }
    Ok(Simulated { plan, pending: withheld.len() as i64 })
}

fn capped(message: String) -> ApiError {
    let body = json!({ "error": "simulation_cap_exceeded", "tier": "community", "message": message });
    ApiError::payment_required(body.as_object().cloned().unwrap_or_default())
}

fn wished_runs(request: Option<i64>, settings: &PlanSettings) -> ApiResult<i64> {
    match request {
        None => Ok(settings.most_runs),
        Some(runs) if runs < 1 => Err(ApiError::bad_request("n_simulations must be at least 1.")),
        Some(runs) if runs > settings.most_runs => {
            Err(capped(format!("At most {} runs are made at a time.", settings.most_runs)))
        }
        Some(runs) => Ok(runs),
    }
}

async fn plan_to_simulate(
    app: &App,
    project: ProjectId,
    settings: &PlanSettings,
) -> ApiResult<network::Plan> {
    let mut together = schedule::queries::recalculated_together(&app.db, project).await?;
    let ids: Vec<ProjectId> = together.iter().map(|input| input.id).collect();
    let tasks = schedule::queries::count_tasks(&app.db, ids.iter().copied()).await?;
    if tasks > settings.most_simulated_tasks {
        return Err(capped(format!("At most {} tasks are simulated.", settings.most_simulated_tasks)));
    }
    // The answer is about the first project of the plan.
    together.sort_by_key(|input| input.id != project);
    let mut plan = network::load(&app.db, together, settings, app.clock.today()).await?;
    let mut past_sprints = queries::past_sprints(&app.db, &ids).await?;
    for (frame, input) in plan.projects.iter().enumerate() {
        let sprints = past_sprints.remove(&input.id).unwrap_or_default();
        let weekdays = network::Frames::weekdays(&plan.network, frame);
        plan.network.projects[frame].velocity = network::velocity(sprints, weekdays);
    }
    Ok(plan)
}
