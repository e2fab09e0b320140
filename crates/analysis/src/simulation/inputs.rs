//! What a simulation needs before it runs: how many runs may be made, and the plan with everything that varies.
//! The runs themselves are the engine's.

use std::collections::HashSet;

use planwright_domain::Entropy;
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_engine::SimulationOptions;
use planwright_plan::schedule::{self, network};
use planwright_plan::settings::PlanSettings;
use planwright_web::input::{Int, Lenient, Patch};
use planwright_web::{ApiError, ApiResult, App};
use serde_json::json;

use super::connected::connected;
use super::model::LARGEST_SEED;
use super::risks::Risks;
use super::{queries, risks};

/// Without a wish, no more runs are made than this many tasks in all of them together.
const MOST_TASK_RUNS: i64 = 100_000_000;

/// A plan that is ready to be simulated.
pub struct Simulated {
    /// The plan; its first project is the one that was asked for.
    pub plan: network::Plan,
    /// Tasks whose estimates were left out, since nobody has approved them.
    pub pending: i64,
    /// The risks that may still happen.
    pub risks: Risks,
}

/// How to simulate, within what this installation allows.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// The runs that were asked for.
    runs: Option<i64>,
    /// The runs that are made at most.
    most_runs: i64,
    /// The seed of the random numbers.
    seed: u64,
}

impl Wish {
    /// What a caller asks for; without a seed a random one is taken.
    ///
    /// # Errors
    /// 400 for a number of runs that is none, 402 for more than are made.
    pub fn of(app: &App, runs: Patch<Lenient<i64>>, seed: Patch<Int<0, LARGEST_SEED>>) -> ApiResult<Self> {
        let settings = app.db.context::<PlanSettings>().copied().unwrap_or_default();
        let runs = wished_runs(runs.given(), &settings)?;
        let seed = match seed.given() {
            Some(seed) => seed.0,
            None => i64::from_be_bytes(Entropy.bytes()) & LARGEST_SEED,
        };
        Ok(Self { runs, most_runs: settings.most_runs, seed: seed.unsigned_abs() })
    }

    /// The runs for a plan of so many tasks, and whether they are fewer than usual because the plan is large.
    pub fn runs_for(&self, tasks: usize) -> (i64, bool) {
        match self.runs {
            Some(runs) => (runs, false),
            None => {
                let affordable = MOST_TASK_RUNS / i64::try_from(tasks.max(1)).unwrap_or(i64::MAX);
                let runs = self.most_runs.min(affordable).max(1);
                (runs, runs < self.most_runs)
            }
        }
    }

    /// The same for the engine.
    pub fn options_for(&self, tasks: usize, risks: &Risks) -> SimulationOptions {
        SimulationOptions {
            risks: risks.events.clone(),
            runs: u32::try_from(self.runs_for(tasks).0).unwrap_or(u32::MAX),
            seed: self.seed,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            ..SimulationOptions::default()
        }
    }
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
    let projects: Vec<ProjectId> = plan.projects.iter().map(|input| input.id).collect();
    let risks = risks::counted(&app.db, &projects, &plan).await?;
    Ok(Simulated { plan, pending: withheld.len() as i64, risks })
}

fn capped(message: String) -> ApiError {
    let body = json!({ "error": "simulation_cap_exceeded", "tier": "community", "message": message });
    ApiError::payment_required(body.as_object().cloned().unwrap_or_default())
}

fn wished_runs(request: Option<Lenient<i64>>, settings: &PlanSettings) -> ApiResult<Option<i64>> {
    let most = settings.most_runs;
    match request.map(|request| request.0) {
        None => Ok(None),
        Some(Ok(runs)) if (1..=most).contains(&runs) => Ok(Some(runs)),
        Some(Ok(runs)) if runs > most => {
            Err(capped(format!("At most {most} runs are allowed. The setting is MC_SIMULATION_CAP.")))
        }
        Some(_) => Err(ApiError::bad_request("n_simulations must be a whole number of at least 1.")),
    }
}

async fn plan_to_simulate(
    app: &App,
    project: ProjectId,
    settings: &PlanSettings,
) -> ApiResult<network::Plan> {
    let mut together = schedule::queries::recalculated_together(&app.db, project).await?;
    if together.len() > 1 {
        let ids: Vec<ProjectId> = together.iter().map(|input| input.id).collect();
        let tied = connected(project, &queries::links_between(&app.db, &ids).await?);
        together.retain(|input| tied.contains(&input.id));
    }
    let ids: Vec<ProjectId> = together.iter().map(|input| input.id).collect();
    let tasks = schedule::queries::count_tasks(&app.db, ids.iter().copied()).await?;
    if tasks > settings.most_simulated_tasks {
        let most = settings.most_simulated_tasks;
        let message = format!(
            "The plan has {tasks} tasks. At most {most} can be simulated. The setting is MC_TASK_CAP."
        );
        return Err(capped(message));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_plan_is_simulated_less_often_unless_its_caller_says_how_often() {
        let wish = Wish { runs: None, most_runs: 10_000, seed: 1 };
        assert_eq!(wish.runs_for(0), (10_000, false));
        assert_eq!(wish.runs_for(10_000), (10_000, false));
        assert_eq!(wish.runs_for(20_000), (5_000, true));
        assert_eq!(wish.runs_for(1_000_000_000), (1, true));
        assert_eq!(Wish { runs: Some(7), ..wish }.runs_for(1_000_000), (7, false));
    }
}
