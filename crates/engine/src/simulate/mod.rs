//! Monte Carlo simulation: its input and its result. `sampling` draws numbers, `lanes` does the passes of many runs
//! at once, `forecast` computes statistics, `drivers` compares causes.

mod drivers;
mod forecast;
mod lanes;
mod periods;
mod quantile;
mod run;
mod sampling;

use crate::day::Day;
use crate::fault::Fault;
use crate::network::{Network, ThreePoint};
use crate::plan::CompiledPlan;

pub use drivers::{Cause, Driver, drivers, drivers_among};
pub use forecast::FinishForecast;
pub use periods::{Periods, periods_until_done};

/// The options of a simulation.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SimulationOptions {
    /// The number of runs, 1..=1 000 000. A larger number is reduced.
    pub runs: u32,
    /// The seed of all random numbers. The same seed gives the same answer with any number of threads.
    pub seed: u64,
    /// Shape of three-point estimates.
    pub shape: Shape,
    /// Causes that several tasks share.
    pub correlation: Correlation,
    /// Risks: events that may happen and cost time.
    pub risks: Vec<RiskEvent>,
    /// The number of threads, at least 1. It changes the time, never the answer.
    pub threads: usize,
}

impl Default for SimulationOptions {
    fn default() -> SimulationOptions {
        SimulationOptions {
            runs: 10_000,
            seed: 0,
            shape: Shape::Pert,
            correlation: Correlation::default(),
            risks: Vec::new(),
            threads: 1,
        }
    }
}

/// How a three-point estimate becomes a distribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Shape {
    /// A Beta distribution between the ends with mean (o + 4m + p) / 6.
    #[default]
    Pert,
    /// A triangle between the ends with its peak at the most likely value.
    Triangular,
}

/// Shared causes. Weights are shares of the standard deviation: `weight² ` of a task's variance (on the
/// normal scale) comes from the cause. Applies to three-point estimates.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Correlation {
    /// Weight of one factor that acts on every task, 0.0..=1.0.
    pub systemic: f64,
    /// Factors that act on some tasks. A task listed several times follows the last group.
    pub groups: Vec<GroupFactor>,
}

/// A shared cause of some tasks.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GroupFactor {
    /// Positions in the network.
    pub tasks: Vec<usize>,
    /// Weight of the factor, 0.0..=1.0; cut so that weights of a task do not exceed the whole.
    pub weight: f64,
}

/// An event that may happen in a run, and its cost.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RiskEvent {
    /// The bits of its id. They select its random numbers.
    pub id: u128,
    /// Chance of happening, 0.0..=1.0.
    pub probability: f64,
    /// Working days added to the remaining work of tasks when it happens.
    pub impacts: Vec<(usize, ThreePoint)>,
}

/// The answer of a simulation.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Simulation {
    /// Runs that were made.
    pub runs: u32,
    /// The seed that was used.
    pub seed: u64,
    /// The finish of everything. `None` if nothing could be scheduled.
    pub finish: Option<FinishForecast>,
    /// The finish of each project.
    pub projects: Vec<Option<FinishForecast>>,
    /// One entry per task; `None` for summaries and rows that were left out.
    pub tasks: Vec<Option<TaskForecast>>,
    /// What could not be used.
    pub faults: Vec<Fault>,
}

/// The results of the runs for one leaf.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct TaskForecast {
    /// Mean of the remaining work in working days, like spread and sensitivity over the first 2 048 runs.
    pub mean_remaining: f64,
    /// Standard deviation of the remaining work in working days.
    pub sd_remaining: f64,
    /// The share of runs, 0.0..=1.0, in which it is on a chain that decides the finish of its project.
    pub criticality: f64,
    /// |Spearman| rank correlation of its remaining work with its project's finish, 0.0..=1.0.
    pub sensitivity: f64,
    /// Schedule sensitivity: criticality × its standard deviation ÷ that of its project's finish.
    pub schedule_sensitivity: f64,
    /// Share of runs that meet its deadline, 0.0..=1.0; `None` without one.
    pub deadline_met: Option<f64>,
}

/// Simulates a network. It never fails: everything that cannot be used is reported in `Simulation::faults`.
pub fn simulate(network: &Network, options: &SimulationOptions) -> Simulation {
    simulate_watched(network, options, &|_| {})
}

/// Simulates a network and calls `watch` with the number of runs of each finished part, from any thread and in any
/// order. The sum is all runs. The answer does not depend on it.
pub fn simulate_watched(
    network: &Network,
    options: &SimulationOptions,
    watch: &(dyn Fn(u32) + Sync),
) -> Simulation {
    run::simulate(network, options, watch)
}

impl CompiledPlan {
    /// Simulates the plan as it is now, as [`simulate`] does its network.
    pub fn simulate(&self, options: &SimulationOptions) -> Simulation {
        self.simulate_watched(options, &|_| {})
    }

    /// The same, and calls `watch` as [`simulate_watched`] does.
    pub fn simulate_watched(&self, options: &SimulationOptions, watch: &(dyn Fn(u32) + Sync)) -> Simulation {
        match self.is_numbered_in_order() {
            true => run::simulate_forward(&self.placed(), options, watch),
            // The runs go through nodes by their numbers.
            false => run::simulate(self.network(), options, watch),
        }
    }
}

/// Simulates a network before and after a change with the same random numbers, so that the difference comes from the
/// change and not from chance.
pub fn what_if(
    network: &Network,
    options: &SimulationOptions,
    change: impl FnOnce(&mut Network),
) -> (Simulation, Simulation) {
    let mut changed = network.clone();
    change(&mut changed);
    (simulate(network, options), simulate(&changed, options))
}

/// A day and the share of runs that finish by it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Confidence {
    /// The day.
    pub day: Day,
    /// Share of runs finished by its end, 0.0..=1.0.
    pub share: f64,
}
