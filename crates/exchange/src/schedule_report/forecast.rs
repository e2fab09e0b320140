//! Whether a plan has anything to simulate, and the simulation of it. How likely dates are told is up to `table` and
//! `json`.

use planwright_engine::{Simulation, SimulationOptions, simulate_watched};

use super::Options;
use crate::seed::schedule::Plan;

/// The percentiles that are told.
pub(super) const PERCENTILES: [u32; 10] = [10, 20, 30, 40, 50, 60, 70, 80, 90, 95];

/// Simulates the plan, unless no open task has a range to draw from or no runs are asked for.
pub(super) fn of(plan: &Plan, options: &Options) -> Option<Simulation> {
    if options.runs == 0 || !has_ranges(plan) {
        return None;
    }
    let asked = SimulationOptions {
        runs: options.runs,
        seed: options.seed,
        threads: options.threads.max(1),
        ..SimulationOptions::default()
    };
    Some(simulate_watched(&plan.network, &asked, &|runs| options.watch.told(runs)))
}

fn has_ranges(plan: &Plan) -> bool {
    plan.network.tasks.iter().any(|task| {
        let is_open = task.actual_finish.is_none() && task.percent_complete < 100.0;
        let has_velocity = plan.network.projects[task.project].velocity.is_some();
        is_open && (task.estimate.is_some() || (task.story_points.is_some() && has_velocity))
    })
}
