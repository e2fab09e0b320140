//! The single bounds of a row and of the summaries above it, for explanations. `inputs` combines them.

use super::{Inputs, Limits, place_of};
use crate::compiled::Compiled;
use crate::day::Day;
use crate::network::{Constraint, Network, Task};
use crate::range::{UNBOUND, UNSET};

/// The bounds that a row carries itself, as starts of its open work; unset ones as `UNSET`, `UNBOUND`.
#[derive(Debug, Clone)]
pub(crate) struct Bounds {
    pub(crate) project: i32,
    pub(crate) data_date: i32,
    pub(crate) planned: i32,
    /// Those of the row itself, then those of the summaries above it.
    pub(crate) written: Vec<Written>,
}

/// The bounds that constraint and deadline of one row set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Written {
    /// Position of the summary; `None` for the row itself.
    pub(crate) summary: Option<usize>,
    pub(crate) constraint: Option<Day>,
    pub(crate) low: i32,
    pub(crate) high: i32,
    pub(crate) deadline: Option<Day>,
    pub(crate) latest: i32,
}

/// Takes the bounds of a leaf apart again, to explain them.
pub(crate) fn bounds_of(compiled: &Compiled, network: &Network, inputs: &Inputs, node: usize) -> Bounds {
    let place = place_of(compiled, network, node);
    let remaining = inputs.remaining[node];
    let written = |summary: Option<usize>, task: &Task, limits: Limits| Written {
        summary,
        constraint: task.constraint.and_then(Constraint::day),
        low: limits.start_low.max(limits.finish_low.saturating_sub(remaining)),
        high: limits.start_high.min(limits.finish_high.saturating_sub(remaining)),
        deadline: task.deadline,
        latest: task.deadline.map_or(UNBOUND, |day| place.finishing_by(day) - remaining),
    };
    let own = written(None, place.task, place.limits_of(place.task.constraint));
    let above = place
        .above
        .iter()
        .map(|(row, summary)| written(Some(*row), summary, place.limits_of_summary(summary.constraint)));
    Bounds {
        project: place.starting(place.project_start),
        data_date: place.data_floor(),
        planned: place.task.planned_start.map_or(UNSET, |day| place.starting(day)),
        written: std::iter::once(own).chain(above).collect(),
    }
}
