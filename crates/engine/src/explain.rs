//! Explains a date: every bound on it, its source, and whether it is binding. It explains one value at a time from a
//! new computation and changes nothing. `origin` finds the source of a bound.

mod origin;

use crate::bridge::{Bridge, Instants};
use crate::compiled::{Compiled, Kind};
use crate::day::Day;
use crate::edges::Step;
use crate::ends::End;
use crate::engine::{Finishes, place};
use crate::graph::CONTAINMENT;
use crate::inputs::{BEGUN, Bounds, DETACHED, Inputs, PINNED, STARTED, bounds_of};
use crate::network::Network;
use crate::passes::{Early, FREE, Forward, LATE, Late, arriving, latest_end, leads};
use crate::plan::CompiledPlan;
use crate::range::{UNBOUND, UNSET};
use crate::report::{late_as_shown, point_day};

/// A date that can be explained. A float is the difference of an early and a late date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Quantity {
    /// Early start and early finish: the limits on an earlier date.
    Early,
    /// Late start and late finish: the limits on a later date.
    Late,
    /// The limits of free float: the early dates of successors, and the late date.
    Free,
}

/// The source of a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Reason {
    /// The project does not begin earlier.
    ProjectStart,
    /// Open work is not planned before the data date.
    DataDate,
    /// The planned start of the task.
    PlannedStart,
    /// The day on which work began, and the work done since.
    ActualStart,
    /// Actual dates of complete work.
    ActualDates,
    /// The constraint of the task.
    Constraint,
    /// The deadline of the task.
    Deadline,
    /// A link from a predecessor.
    Predecessor,
    /// A link to a successor.
    Successor,
    /// The finish of the project.
    ProjectFinish,
    /// The task's own late date.
    TotalFloat,
}

/// One bound on a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Contribution {
    /// Its source.
    pub reason: Reason,
    /// The link, for predecessors and successors.
    pub link: Option<usize>,
    /// The row at the other end of the link, which may be a summary. For a constraint or a deadline of a summary
    /// above the row: this summary.
    pub task: Option<usize>,
    /// The first day of the remaining work that this bound alone would give.
    pub start: Day,
    /// The last day of the remaining work that this bound alone would give.
    pub finish: Day,
    /// The working days between this bound and the value. 0 if the bound decides the value.
    pub slack: i32,
    /// Whether this bound decides the value. Several bounds may decide it together.
    pub binding: bool,
    /// `start` and `finish` as a schedule shows them. A milestone shows the day at whose end it is, if something
    /// limits it to that evening.
    pub shown: [Day; 2],
    /// The day from which the bound counts, as a schedule shows it: the finish of the predecessor, the late start of
    /// the successor, or a written date.
    pub from: Option<Day>,
    /// The leaf that decides, if a summary is at the other end of the link.
    pub leaf: Option<usize>,
    /// The calendar days between `from` and this bound in addition to the lag: days on which the row does not work.
    /// Negative if a lag counts shorter days.
    pub days_off: Option<i32>,
}

/// All bounds of a leaf, the most limiting one first. `None` for summaries and rows that were left out. For a
/// compiled plan use [`CompiledPlan::explain`].
pub fn explain(network: &Network, task: usize, quantity: Quantity) -> Option<Vec<Contribution>> {
    let compiled = Compiled::new(network);
    let (inputs, early) = place(network, &compiled);
    let forward = Forward { network, compiled: &compiled, inputs: &inputs, early: &early };
    let finishes = || Finishes::of(network, &compiled, &inputs, &early);
    explained(&forward, finishes, task, quantity)
}

impl CompiledPlan {
    /// All bounds of a leaf, the most limiting one first. `None` for summaries and rows that were left out.
    pub fn explain(&self, task: usize, quantity: Quantity) -> Option<Vec<Contribution>> {
        explained(&self.placed(), || self.state().finishes.clone(), task, quantity)
    }
}

fn explained(
    forward: &Forward<'_>,
    finishes: impl FnOnce() -> Finishes,
    task: usize,
    quantity: Quantity,
) -> Option<Vec<Contribution>> {
    let Forward { network, compiled, inputs, .. } = *forward;
    let node = *compiled.node_of.get(task)? as usize;
    if node >= compiled.nodes.len() {
        return None;
    }
    let view = View::of(forward, node);
    if inputs.flags[node] & PINNED != 0 {
        let [start, finish] = inputs.shown[node];
        let reason = Reason::ActualDates;
        return Some(vec![Contribution {
            reason,
            link: None,
            task: None,
            start,
            finish,
            slack: 0,
            binding: true,
            shown: [start, finish],
            from: Some(finish),
            leaf: None,
            days_off: None,
        }]);
    }
    if quantity == Quantity::Early {
        return Some(view.early());
    }
    let finishes = finishes();
    let project = network.tasks[task].project;
    let late = Late::pass(forward, &finishes.of_alone(project));
    Some(if quantity == Quantity::Late {
        view.late(&late, finishes.of_project[project])
    } else {
        view.free(&late)
    })
}

/// One leaf with its computed values.
struct View<'a> {
    network: &'a Network,
    compiled: &'a Compiled,
    inputs: &'a Inputs,
    early: &'a Early,
    node: usize,
}

/// Whether a leaf is as late as its successors allow.
pub(crate) fn leads_on(forward: &Forward<'_>, late: &Late, node: usize) -> bool {
    let view = View::of(forward, node);
    let at = late.start(node);
    view.outgoing(late, LATE).into_iter().any(|(_, bound, _)| bound <= at)
}

/// An edge of either type.
#[derive(Clone, Copy)]
enum Edge {
    Step(Step),
    Bridge(Bridge),
}

impl Edge {
    fn other(&self) -> usize {
        match self {
            Edge::Step(step) => step.other(),
            Edge::Bridge(bridge) => bridge.other as usize,
        }
    }

    /// The ends of the predecessor and of the successor.
    fn ends(&self) -> (End, End) {
        match self {
            Edge::Step(step) => (step.source(), step.target()),
            Edge::Bridge(bridge) => (bridge.source, bridge.target),
        }
    }
}

impl<'a> View<'a> {
    fn of(forward: &Forward<'a>, node: usize) -> View<'a> {
        let Forward { network, compiled, inputs, early } = *forward;
        View { network, compiled, inputs, early, node }
    }

    fn early(&self) -> Vec<Contribution> {
        let at = self.early.start(self.inputs, self.node);
        let mut found = self.own_bounds(false, at);
        if self.inputs.flags[self.node] & DETACHED == 0 {
            for (link, bound, source) in self.incoming() {
                let contribution = self.contribution(Reason::Predecessor, bound, at, true);
                found.push(self.with_predecessor(contribution, link, source));
            }
        }
        sorted(found)
    }

    fn late(&self, late: &Late, seed: Option<i32>) -> Vec<Contribution> {
        let at = late.start(self.node);
        let mut found = self.own_bounds(true, at);
        if let Some(instant) = seed {
            let bound = self.compiled.finishing_by(self.node, instant) - self.inputs.remaining[self.node];
            let contribution = self.contribution(Reason::ProjectFinish, bound, at, false);
            found.push(Contribution { from: Some(Day(instant >> 1)), ..contribution });
        }
        for (link, bound, target) in self.outgoing(late, LATE) {
            let contribution = self.contribution(Reason::Successor, bound, at, false);
            found.push(self.with_successor(contribution, late, link, target));
        }
        sorted(found)
    }

    fn free(&self, late: &Late) -> Vec<Contribution> {
        let last = late.start(self.node);
        let at = late.free(self.node).min(last);
        let mut found = vec![self.contribution(Reason::TotalFloat, last, at, false)];
        for (link, bound, _) in self.outgoing(late, FREE) {
            let contribution = self.contribution(Reason::Successor, bound, at, false);
            let task = Some(self.network.links[link].successor);
            found.push(Contribution { link: Some(link), task, ..contribution });
        }
        sorted(found)
    }

    /// A bound on the start of the remaining work, as a place.
    fn contribution(&self, reason: Reason, bound: i32, at: i32, early: bool) -> Contribution {
        let own = self.compiled.axis_of(self.node);
        let start = self.compiled.ordinal_of(self.node, bound);
        let remaining = self.inputs.remaining[self.node];
        let finish =
            if remaining > 0 { own.finish(start.saturating_add(remaining)) - 1 } else { own.start(start) };
        let day = Day(own.start(start));
        let shown = match self.compiled.kind[self.node] {
            Kind::Point => {
                let place = if early {
                    bound
                } else {
                    late_as_shown(self.early.start(self.inputs, self.node), bound)
                };
                [point_day(own, place); 2]
            }
            _ => [day, Day(finish)],
        };
        let (from, to) = if early { (bound, at) } else { (at, bound) };
        Contribution {
            reason,
            link: None,
            task: None,
            start: day,
            finish: Day(finish),
            slack: self.compiled.float(self.node, from, to),
            binding: bound == at,
            shown,
            from: None,
            leaf: None,
            days_off: None,
        }
    }

    /// The floors or ceilings of the row itself.
    fn own_bounds(&self, late: bool, at: i32) -> Vec<Contribution> {
        let begun = self.inputs.flags[self.node] & BEGUN != 0;
        let Bounds { project, data_date, planned, written } =
            bounds_of(self.compiled, self.network, self.inputs, self.node);
        let row = &self.network.tasks[self.compiled.nodes[self.node].task as usize];
        let frame = &self.network.projects[row.project];
        let (start, now) = (Some(frame.start), frame.data_date);
        let mut bounds: Vec<(Reason, i32, Option<Day>, Option<usize>)> = Vec::new();
        if late {
            for row in &written {
                bounds.push((Reason::Constraint, row.high, row.constraint, row.summary));
                bounds.push((Reason::Deadline, row.latest, row.deadline, row.summary));
            }
        } else if begun {
            let low = self.inputs.low[self.node];
            bounds.push((Reason::DataDate, data_date, now, None));
            bounds.push((Reason::ActualStart, low, row.actual_start, None));
        } else {
            bounds.push((Reason::ProjectStart, project, start, None));
            bounds.push((Reason::DataDate, data_date, now, None));
            bounds.push((Reason::PlannedStart, planned, row.planned_start, None));
            bounds
                .extend(written.iter().map(|row| (Reason::Constraint, row.low, row.constraint, row.summary)));
        }
        let set = bounds.into_iter().filter(|(_, bound, ..)| (UNSET / 2..UNBOUND / 2).contains(bound));
        set.map(|(reason, bound, day, summary)| {
            let contribution = self.contribution(reason, bound, at, !late);
            let counts = matches!(reason, Reason::ProjectStart | Reason::DataDate | Reason::PlannedStart);
            let days_off = day.filter(|_| counts).map(|day| contribution.start.0 - day.0);
            Contribution { task: summary, from: day, days_off, ..contribution }
        })
        .collect()
    }

    /// Every link that limits the start of the remaining work, with its bound and its source node. Links on summaries
    /// reach the leaf through their hubs.
    fn incoming(&self) -> Vec<(usize, i32, usize)> {
        let mut found = Vec::new();
        for (edge, link) in edges_in(self.compiled, self.node) {
            if link != CONTAINMENT {
                let bound = self.arriving(&edge, self.held_by(&edge));
                found.extend(bound.map(|bound| (link as usize, bound, edge.other())));
                continue;
            }
            let mut hub = Some(edge.other());
            while let Some(at) = hub.take() {
                for (outer, link) in edges_in(self.compiled, at) {
                    if link == CONTAINMENT {
                        hub = Some(outer.other());
                    } else {
                        let bound = self.arriving(&edge, self.held_by(&outer));
                        found.extend(bound.map(|bound| (link as usize, bound, outer.other())));
                    }
                }
            }
        }
        found
    }

    /// The value at the target of an edge, from the value of its source.
    fn held_by(&self, edge: &Edge) -> Held {
        match edge {
            Edge::Step(step) => Held::Ordinal(self.early.end(step.other(), step.source()) + step.lag),
            Edge::Bridge(bridge) => Held::Instants(self.early.held_by(self.compiled, self.inputs, bridge)),
        }
    }

    /// The start of the leaf that an edge into it allows.
    fn arriving(&self, edge: &Edge, held: Held) -> Option<i32> {
        let (node, days, end) = (self.node, self.inputs.remaining[self.node], edge.ends().1);
        match held {
            Held::Ordinal(ordinal) if ordinal <= UNSET / 2 => None,
            Held::Ordinal(ordinal) => Some(ordinal - if end == End::Finish { days } else { 0 }),
            Held::Instants(instants) if instants.is_none() => None,
            Held::Instants(instants) => Some(arriving(self.compiled, node, end, days, instants)),
        }
    }

    /// Every link that limits how late the remaining work may start, with its limit and its target node.
    fn outgoing(&self, late: &Late, entry: usize) -> Vec<(usize, i32, usize)> {
        let mut found = Vec::new();
        for (edge, link) in edges_out(self.compiled, self.node) {
            if !self.takes_part(self.node, &edge) {
                continue;
            }
            if link != CONTAINMENT {
                let limit = self.leaving(&edge, self.limited_by(late, &edge, entry));
                found.extend(limit.map(|limit| (link as usize, limit, edge.other())));
                continue;
            }
            let mut hub = Some(edge.other());
            let mut first = false;
            while let Some(at) = hub.take() {
                first |= self.compiled.starts_with_first(at);
                for (outer, link) in edges_out(self.compiled, at) {
                    if link == CONTAINMENT {
                        hub = Some(outer.other()).filter(|_| self.takes_part(at, &outer));
                    } else {
                        let limit = match self.limited_by(late, &outer, entry) {
                            Held::Instants(limit) if first => Held::Instants(Instants::both(limit.morning)),
                            limit => limit,
                        };
                        let limit = self.leaving(&edge, limit);
                        found.extend(limit.map(|limit| (link as usize, limit, outer.other())));
                    }
                }
            }
        }
        found
    }

    /// Whether a node decides the value of an edge. For the start of a summary only the earliest nodes do.
    fn takes_part(&self, node: usize, edge: &Edge) -> bool {
        match edge {
            Edge::Bridge(bridge) if self.compiled.takes_earliest(edge.other()) => {
                leads(self.compiled, self.inputs, self.early, node, bridge)
            }
            _ => true,
        }
    }

    /// The limit of an edge on its source, so that its target keeps its own limit.
    fn limited_by(&self, late: &Late, edge: &Edge, entry: usize) -> Held {
        match edge {
            Edge::Step(step) => Held::Ordinal(match late.limit(step.other(), step.target())[entry] {
                limit if limit < UNBOUND / 2 => limit - step.lag,
                _ => UNBOUND,
            }),
            Edge::Bridge(bridge) => Held::Instants(late.limit_across(self.compiled, bridge, entry)),
        }
    }

    /// The latest start of the leaf that an edge out of it allows.
    fn leaving(&self, edge: &Edge, limit: Held) -> Option<i32> {
        let (node, end) = (self.node, edge.ends().0);
        if end == End::Start && self.inputs.flags[node] & STARTED != 0 {
            return None;
        }
        let latest = match limit {
            Held::Ordinal(ordinal) => ordinal,
            Held::Instants(instants) => latest_end(self.compiled, node, end, instants),
        };
        let back = [self.inputs.done[node], -self.inputs.remaining[node]][end as usize];
        (latest < UNBOUND / 2).then(|| latest + back)
    }
}

/// The value of an edge: an ordinal if it is a step, otherwise instants.
#[derive(Clone, Copy)]
enum Held {
    Ordinal(i32),
    Instants(Instants),
}

fn edges_in(compiled: &Compiled, node: usize) -> impl Iterator<Item = (Edge, u32)> {
    let steps = compiled.along_in(node).map(|(step, origin)| (Edge::Step(step), origin));
    steps.chain(compiled.across_in(node).map(|(bridge, origin)| (Edge::Bridge(bridge), origin)))
}

fn edges_out(compiled: &Compiled, node: usize) -> impl Iterator<Item = (Edge, u32)> {
    let steps = compiled.along_out(node).map(|(step, origin)| (Edge::Step(step), origin));
    steps.chain(compiled.across_out(node).map(|(bridge, origin)| (Edge::Bridge(bridge), origin)))
}

fn sorted(mut found: Vec<Contribution>) -> Vec<Contribution> {
    found.sort_by_key(|bound| (bound.slack, !bound.binding, bound.link));
    found
}
