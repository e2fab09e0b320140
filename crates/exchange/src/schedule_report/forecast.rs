//! Whether a plan has anything to simulate, and the simulation of it. How likely dates are told is up to `table` and
//! `json`.

use planwright_engine::{Network, Simulation, SimulationOptions, simulate_watched};

use super::Options;

/// The percentiles that are told.
pub(super) const PERCENTILES: [u32; 10] = [10, 20, 30, 40, 50, 60, 70, 80, 90, 95];

/// Bars of a histogram at most.
pub(super) const BARS: usize = 20;

/// Simulates a plan, unless nothing in it is uncertain or no runs are asked for.
pub(super) fn of(network: &Network, chances: &SimulationOptions, options: &Options) -> Option<Simulation> {
    (options.runs > 0 && has_ranges(network, chances))
        .then(|| simulate(network, chances, options, options.runs))
}

/// The same, and a plan in which nothing is uncertain with a single run, which is certain.
pub(super) fn even_if_certain(
    network: &Network,
    chances: &SimulationOptions,
    options: &Options,
) -> Option<Simulation> {
    let runs = if has_ranges(network, chances) { options.runs } else { options.runs.min(1) };
    (runs > 0).then(|| simulate(network, chances, options, runs))
}

fn simulate(network: &Network, chances: &SimulationOptions, options: &Options, runs: u32) -> Simulation {
    let asked =
        SimulationOptions { runs, seed: options.seed, threads: options.threads.max(1), ..chances.clone() };
    simulate_watched(network, &asked, &|runs| options.watch.told(runs))
}

/// Whether anything in a plan is uncertain: open work with a range, or a risk that may strike.
pub(super) fn has_ranges(network: &Network, chances: &SimulationOptions) -> bool {
    let strikes = |risk: &planwright_engine::RiskEvent| risk.probability > 0.0 && !risk.impacts.is_empty();
    chances.risks.iter().any(strikes)
        || network.tasks.iter().any(|task| {
            let is_open = task.actual_finish.is_none() && task.percent_complete < 100.0;
            let has_velocity =
                network.projects.get(task.project).is_some_and(|frame| frame.velocity.is_some());
            is_open && (task.estimate.is_some() || (task.story_points.is_some() && has_velocity))
        })
}
