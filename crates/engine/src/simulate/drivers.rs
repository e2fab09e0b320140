//! What moves a percentile of the finish: each risk and each estimate is taken out alone, with the same random numbers,
//! and the finish is compared with that of the whole.

use crate::day::Day;
use crate::network::{Network, ThreePoint};

use super::{SimulationOptions, simulate};

/// A cause of a late finish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Cause {
    /// The position of a risk in the options.
    Risk(usize),
    /// The position of a task with an estimate in the network.
    Task(usize),
}

/// What a cause costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Driver {
    /// The cause.
    pub cause: Cause,
    /// Calendar days by which the percentile is later with the cause than without it. Negative if it is earlier.
    pub days: i32,
}

/// What each cause costs at a percentage (0.0..=100.0) of the finish of a project, the most expensive first. A risk is
/// taken out by leaving it away, an estimate by fixing it at its most likely duration. There is one simulation for each
/// cause and one for the whole; a project without a finish has no drivers.
pub fn drivers(network: &Network, options: &SimulationOptions, project: usize, percent: f64) -> Vec<Driver> {
    let risks = (0..options.risks.len()).map(Cause::Risk);
    let estimated = network.tasks.iter().enumerate().filter(|(_, task)| task.estimate.is_some());
    let causes: Vec<Cause> = risks.chain(estimated.map(|(index, _)| Cause::Task(index))).collect();
    drivers_among(network, options, project, percent, &causes)
}

/// The same for some causes. A task without an estimate is none.
pub fn drivers_among(
    network: &Network,
    options: &SimulationOptions,
    project: usize,
    percent: f64,
    causes: &[Cause],
) -> Vec<Driver> {
    let day = |network: &Network, options: &SimulationOptions| -> Option<Day> {
        let forecast = simulate(network, options);
        forecast.projects.get(project)?.as_ref().map(|finish| finish.percentile(percent))
    };
    let Some(whole) = day(network, options) else { return Vec::new() };
    let mut drivers = Vec::new();
    let mut add = |cause: Cause, without: Option<Day>| {
        drivers.extend(without.map(|without| Driver { cause, days: whole.0 - without.0 }));
    };
    let mut fixed = network.clone();
    for cause in causes {
        match *cause {
            Cause::Risk(index) => {
                let mut fewer = options.clone();
                fewer.risks.remove(index);
                add(*cause, day(network, &fewer));
            }
            Cause::Task(index) => {
                let estimate = network.tasks[index].estimate;
                let Some(ThreePoint { most_likely, .. }) = estimate else { continue };
                let certain = ThreePoint { optimistic: most_likely, most_likely, pessimistic: most_likely };
                fixed.tasks[index].estimate = Some(certain);
                add(*cause, day(&fixed, options));
                fixed.tasks[index].estimate = estimate;
            }
        }
    }
    drivers.sort_by_key(|driver| std::cmp::Reverse(driver.days));
    drivers
}
