//! The inputs of the passes for each node: remaining work, floors, ceilings and actual dates. It reads progress and
//! dated limits. The logic between tasks is in `passes`.

mod bounds;

use crate::axis::{Axis, evening, is_morning, morning};
use crate::bridge::Instants;
use crate::compiled::{Compiled, Kind};
use crate::day::Day;
use crate::network::{Constraint, DoneWork, Network, ProgressMode, Task};
use crate::passes::{Early, Late};
use crate::progress::{has_begun, is_complete, split};
use crate::range::{FAR, UNBOUND, UNSET};

pub(crate) use bounds::{Bounds, bounds_of};

/// The task takes no time.
pub(crate) const POINT: u8 = 1;
/// Work began on a known day: its start no longer moves.
pub(crate) const STARTED: u8 = 2;
/// Finished: dates are facts.
pub(crate) const PINNED: u8 = 4;
/// Ignores the logic that leads into it.
pub(crate) const DETACHED: u8 = 8;
/// Must not start later than a date whatever logic says.
pub(crate) const CAPPED: u8 = 32;
/// Must not finish earlier than a date.
pub(crate) const HELD: u8 = 64;
/// Wants to be as late as possible.
pub(crate) const LAZY: u8 = 128;
/// Some work is done.
pub(crate) const BEGUN: u8 = 16;

/// Inputs by node. Places are those of the node.
#[derive(Debug, Clone, Default)]
pub(crate) struct Inputs {
    /// Working days left; for finished work 0.
    pub(crate) remaining: Vec<i32>,
    /// Working days done before the remaining work.
    pub(crate) done: Vec<i32>,
    /// Least start of the remaining work.
    pub(crate) low: Vec<i32>,
    /// Least finish.
    pub(crate) finish_low: Vec<i32>,
    /// Greatest start of the remaining work that keeps dated limits.
    pub(crate) high: Vec<i32>,
    /// Nodes that must not start later than this whatever logic says; few, in the order of nodes.
    pub(crate) caps: Vec<(u32, i32)>,
    /// Nodes that want to be as late as possible.
    pub(crate) lazy: Vec<u32>,
    pub(crate) flags: Vec<u8>,
    /// Boundaries of the start and the finish, as far as they are facts.
    pub(crate) fact: Vec<[i32; 2]>,
    /// Days on which finished work is shown.
    pub(crate) shown: Vec<[Day; 2]>,
    /// Where some work began, or was finished, had to be worked out from what is finished before it.
    pub(crate) assumed: bool,
    /// Finished work passes on the logic that leads into it.
    pub(crate) passing: bool,
}

/// Bytes of a list on the heap.
fn held<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

/// A task in its calendar: turns days into places of its node.
struct Place<'a> {
    task: &'a Task,
    own: &'a Axis,
    point: bool,
    project_start: Day,
    data_date: Option<Day>,
    /// Dated limits win over its logic.
    wins: bool,
    /// The summaries above it that are limited, by position, the nearest first.
    above: Vec<(usize, &'a Task)>,
}

impl Place<'_> {
    /// The place of the first working day on or after a day.
    fn starting(&self, day: Day) -> i32 {
        if self.point { self.own.point_from_morning(day.0) } else { self.own.ordinal(day.0) }
    }

    /// The floor of all work that has not begun.
    fn floor(&self) -> i32 {
        let planned = self.task.planned_start.map_or(UNSET, |day| self.starting(day));
        self.starting(self.project_start).max(planned)
    }

    fn data_floor(&self) -> i32 {
        self.data_date.map_or(UNSET, |day| self.starting(day))
    }

    /// The place by which a day is over; on a day off, the end of the last working day before.
    fn finishing_by(&self, day: Day) -> i32 {
        let over = day.0.saturating_add(1);
        if self.point { self.own.point_by(evening(over)) } else { self.own.ordinal(over) }
    }

    /// The place of the finish on the first working day that ends on or after a day; a point may lie in the
    /// morning in which the next begins.
    fn finishing_on_or_after(&self, day: Day) -> i32 {
        match self.point {
            true => self.own.point_from_evening(day.0.saturating_add(1)),
            false => self.own.ordinal(day.0).saturating_add(1),
        }
    }

    /// What a constraint demands of the start and the finish.
    fn limits_of(&self, constraint: Option<Constraint>) -> Limits {
        let mut limits = Limits::NONE;
        match constraint {
            None | Some(Constraint::AsLateAsPossible) => {}
            Some(Constraint::StartNoEarlierThan(day)) => limits.start_low = self.starting(day),
            Some(Constraint::StartNoLaterThan(day)) => limits.start_high = self.starting_by(day),
            Some(Constraint::FinishNoEarlierThan(day)) => limits.finish_low = self.finishing_on_or_after(day),
            Some(Constraint::FinishNoLaterThan(day)) => limits.finish_high = self.finishing_by(day),
            Some(Constraint::MustStartOn(day) | Constraint::StartOn(day)) => {
                (limits.start_low, limits.start_high) = (self.starting(day), self.starting(day));
            }
            Some(Constraint::MustFinishOn(day) | Constraint::FinishOn(day)) => {
                (limits.finish_low, limits.finish_high) = (self.finishing_by(day), self.finishing_by(day));
            }
        }
        let gentle = matches!(constraint, Some(Constraint::StartOn(_) | Constraint::FinishOn(_)));
        if self.wins && !gentle {
            (limits.start_cap, limits.finish_cap) = (limits.start_high, limits.finish_high);
        }
        limits
    }

    /// What the constraint of a summary demands of each row below it: none starts before the summary may start, and
    /// none finishes after it has to finish. That one of them is early enough, or late enough, is asked of none.
    fn limits_of_summary(&self, constraint: Option<Constraint>) -> Limits {
        let Limits { start_low, finish_high, finish_cap, .. } = self.limits_of(constraint);
        Limits { start_low, finish_high, finish_cap, ..Limits::NONE }
    }

    /// What the constraints of the task, and of the summaries above it, demand together.
    fn constraint(&self) -> Limits {
        let own = self.limits_of(self.task.constraint);
        let above = self.above.iter().map(|(_, summary)| self.limits_of_summary(summary.constraint));
        above.fold(own, Limits::and)
    }

    /// Whether the task, or a summary above it, wants to be late.
    fn is_lazy(&self) -> bool {
        let late = Some(Constraint::AsLateAsPossible);
        self.task.constraint == late || self.above.iter().any(|(_, summary)| summary.constraint == late)
    }

    /// The first deadline of the task and the summaries above it.
    fn deadline(&self) -> Option<Day> {
        let above = self.above.iter().filter_map(|(_, summary)| summary.deadline);
        self.task.deadline.into_iter().chain(above).min()
    }

    /// The latest start that is not after a day.
    fn starting_by(&self, day: Day) -> i32 {
        if self.point { self.own.point_by(morning(day.0)) } else { self.own.ordinal_starting_by(day.0) }
    }
}

/// Constraints as places.
struct Limits {
    start_low: i32,
    finish_low: i32,
    start_high: i32,
    finish_high: i32,
    /// The greatest of each that wins over logic.
    start_cap: i32,
    finish_cap: i32,
}

impl Limits {
    const NONE: Limits = Limits {
        start_low: UNSET,
        finish_low: UNSET,
        start_high: UNBOUND,
        finish_high: UNBOUND,
        start_cap: UNBOUND,
        finish_cap: UNBOUND,
    };

    /// These and others.
    fn and(self, other: Limits) -> Limits {
        Limits {
            start_low: self.start_low.max(other.start_low),
            finish_low: self.finish_low.max(other.finish_low),
            start_high: self.start_high.min(other.start_high),
            finish_high: self.finish_high.min(other.finish_high),
            start_cap: self.start_cap.min(other.start_cap),
            finish_cap: self.finish_cap.min(other.finish_cap),
        }
    }
}

impl Inputs {
    pub(crate) fn read(compiled: &Compiled, network: &Network) -> Inputs {
        let count = compiled.nodes.len();
        let mut inputs = Inputs {
            remaining: vec![0; count],
            done: vec![0; count],
            low: vec![UNSET; count],
            finish_low: vec![UNSET; count],
            high: vec![UNBOUND; count],
            flags: vec![0; count],
            passing: network.options.done_work == DoneWork::Retained,
            ..Inputs::default()
        };
        // In the order of rows, which are large; what is kept of them is small.
        for node in compiled.node_of.iter().filter(|node| **node != u32::MAX) {
            inputs.assumed |= inputs.read_leaf(compiled, network, *node as usize);
        }
        inputs.caps.sort_unstable();
        inputs.lazy.sort_unstable();
        if inputs.assumed {
            inputs.settle(compiled, network);
        }
        inputs
    }

    /// Room for one more node.
    pub(crate) fn push_node(&mut self) {
        self.remaining.push(0);
        self.done.push(0);
        self.low.push(UNSET);
        self.finish_low.push(UNSET);
        self.high.push(UNBOUND);
        self.flags.push(0);
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let days = [&self.remaining, &self.done, &self.low, &self.finish_low, &self.high];
        let rare = [held(&self.caps), held(&self.lazy), held(&self.fact), held(&self.shown)];
        days.map(held).into_iter().chain(rare).chain([held(&self.flags)]).sum()
    }

    /// Reads one node again after its row has changed; all that was read before `is_local`.
    pub(crate) fn reread(&mut self, compiled: &Compiled, network: &Network, node: usize) {
        (self.remaining[node], self.done[node], self.flags[node]) = (0, 0, 0);
        (self.low[node], self.finish_low[node]) = (UNSET, UNSET);
        self.high[node] = UNBOUND;
        self.caps.retain(|cap| cap.0 as usize != node);
        if compiled.is_leaf(node) {
            self.assumed = self.read_leaf(compiled, network, node);
            self.caps.sort_unstable();
        }
    }

    /// Whether one node can be read and placed without a look at the others.
    pub(crate) fn is_local(&self) -> bool {
        self.lazy.is_empty() && !self.assumed
    }

    /// Whether what is read of a node is the same in two readings.
    pub(crate) fn same(&self, other: &Inputs, node: usize) -> bool {
        let numbers = |inputs: &Inputs| {
            let days = (inputs.remaining[node], inputs.done[node], inputs.flags[node]);
            let limits = (inputs.finish_low[node], inputs.low[node], inputs.high[node]);
            let fact = inputs.fact.get(node).copied().unwrap_or_default();
            (days, limits, fact, inputs.shown.get(node).copied().unwrap_or_default())
        };
        numbers(self) == numbers(other)
    }

    /// What the start of a point holds, if that is a fact: the morning of the day on which it began, or the instant
    /// in which a milestone was reached.
    pub(crate) fn began_at(&self, own: &Axis, node: usize) -> Option<Instants> {
        match self.flags[node] & (PINNED | STARTED) {
            0 => None,
            PINNED if self.fact[node][0] == self.fact[node][1] => Some(self.finished_at(own, node)),
            _ => Some(Instants::morning(self.fact[node][0])),
        }
    }

    /// What the finish of finished work holds: an evening, or the morning in which a milestone was reached.
    pub(crate) fn finished_at(&self, own: &Axis, node: usize) -> Instants {
        let boundary = self.fact[node][1];
        match self.ended_in_the_evening(node) {
            true => Instants::evening(boundary),
            false => Instants { morning: boundary, evening: own.finish(own.ordinal(boundary)) },
        }
    }

    /// Whether finished work ended in the evening; a milestone may have been reached in a morning.
    pub(crate) fn ended_in_the_evening(&self, node: usize) -> bool {
        self.fact[node][1] > self.shown[node][1].0
    }

    /// The start that a node must not exceed; `UNBOUND` without one.
    pub(crate) fn cap(&self, node: usize) -> i32 {
        if self.flags[node] & CAPPED == 0 {
            return UNBOUND;
        }
        let place = self.caps.binary_search_by_key(&(node as u32), |cap| cap.0);
        place.map_or(UNBOUND, |place| self.caps[place].1)
    }

    /// Moves what wants to be late to where its successors, or the end of its project, let it.
    pub(crate) fn delay_lazy(&mut self, late: &Late) {
        for node in &self.lazy {
            let node = *node as usize;
            self.low[node] = self.low[node].max(late.lazy_start(node));
        }
    }

    /// Fills in one leaf. `true` if where its work began has to be worked out from what is finished.
    fn read_leaf(&mut self, compiled: &Compiled, network: &Network, node: usize) -> bool {
        let place = place_of(compiled, network, node);
        let task = place.task;
        self.flags[node] = if task.duration == 0 { POINT } else { 0 };
        if is_complete(task) {
            self.flags[node] |= PINNED;
            return self.pin(&place, node);
        }
        let (done, remaining) = split(task);
        self.remaining[node] = remaining;
        self.done[node] = done;
        if !has_begun(task) {
            self.low[node] = place.floor().max(place.data_floor());
            self.limit(&place, node);
            return false;
        }
        self.flags[node] |= BEGUN;
        if network.options.progress != ProgressMode::RetainedLogic {
            self.flags[node] |= DETACHED;
        }
        let by_dates = network.options.progress == ProgressMode::ActualDates;
        self.limit(&place, node);
        let mut assumed = false;
        self.low[node] = match (task.actual_start, place.data_date) {
            (Some(start), Some(_)) => {
                let went_on = place.starting(start).saturating_add(if by_dates { done } else { 0 });
                place.data_floor().max(went_on)
            }
            (Some(start), None) => place.starting(start).saturating_add(done),
            (None, Some(_)) => place.starting(place.project_start).max(place.data_floor()),
            (None, None) => {
                assumed = true;
                place.floor().saturating_add(done)
            }
        };
        if let Some(start) = task.actual_start {
            self.flags[node] |= STARTED;
            self.facts(compiled)[node] = [start.0, 0];
        }
        assumed
    }

    /// Dates of finished work as far as they are facts; `true` if none is known.
    fn pin(&mut self, place: &Place<'_>, node: usize) -> bool {
        let duration = place.task.duration;
        let (fact, shown) = match (place.task.actual_start, place.task.actual_finish) {
            (Some(start), Some(finish)) => ([start.0, finish.0 + 1], [start, finish]),
            (Some(start), None) => {
                let finish = place.own.finish(place.own.ordinal(start.0) + duration);
                // What is finished is not in the future of the data date, nor before its own first day.
                let reported =
                    place.data_date.map_or(finish, |day| place.own.finish(place.own.ordinal(day.0)));
                let finish = finish.min(reported.max(start.0 + 1));
                let finish = if duration == 0 { start.0 } else { finish };
                ([start.0, finish], [start, Day((finish - 1).max(start.0))])
            }
            (None, Some(finish)) => {
                let over = finish.0 + 1;
                let start = place.own.start(place.own.ordinal(over) - duration);
                let start = if duration == 0 { over } else { start };
                ([start, over], [Day(start.min(finish.0)), finish])
            }
            (None, None) => return true,
        };
        self.remember(node, fact, shown);
        false
    }

    fn remember(&mut self, node: usize, fact: [i32; 2], shown: [Day; 2]) {
        let count = self.flags.len();
        self.fact.resize(count, [0; 2]);
        self.shown.resize(count, [Day(0); 2]);
        self.fact[node] = fact;
        self.shown[node] = shown;
    }

    fn facts(&mut self, compiled: &Compiled) -> &mut [[i32; 2]] {
        self.fact.resize(compiled.nodes.len(), [0; 2]);
        &mut self.fact
    }

    /// Constraint and deadline as floors and ceilings.
    fn limit(&mut self, place: &Place<'_>, node: usize) {
        let remaining = self.remaining[node];
        let begun = self.flags[node] & BEGUN != 0;
        let limits = place.constraint();
        let Limits { start_low, finish_low, start_high, mut finish_high, .. } = limits;
        if place.is_lazy() && !begun {
            self.lazy.push(node as u32);
            self.flags[node] |= LAZY;
        }
        let cap = limits.start_cap.min(limits.finish_cap.saturating_sub(remaining));
        if cap < UNBOUND / 2 {
            self.flags[node] |= CAPPED;
            // A date may win over logic and over the project's start, never over the data date.
            self.caps.push((node as u32, cap.max(place.data_floor())));
        }
        if let Some(deadline) = place.deadline() {
            finish_high = finish_high.min(place.finishing_by(deadline));
        }
        self.high[node] = finish_high.saturating_sub(remaining);
        if !begun {
            // What has begun can no longer be asked to start or to end later.
            self.low[node] = self.low[node].max(start_low);
            self.finish_low[node] = finish_low;
            self.flags[node] |= if finish_low > UNSET { HELD } else { 0 };
            self.high[node] = self.high[node].min(start_high);
        }
    }

    /// Places finished work without dates, and the beginning of work in progress without one, after
    /// finished predecessors. Unfinished ones do not count: done work cuts logic.
    fn settle(&mut self, compiled: &Compiled, network: &Network) {
        let mut early = Early::empty(compiled);
        for node in compiled.sequence.iter().map(|node| *node as usize) {
            if !compiled.is_leaf(node) {
                early.place_hub(compiled, self, node);
                continue;
            }
            let place = place_of(compiled, network, node);
            let task = place.task;
            let dateless = task.actual_start.is_none() && task.actual_finish.is_none();
            if !dateless || !has_begun(task) && !is_complete(task) {
                if is_complete(task) {
                    early.set(compiled, self, node, UNSET);
                }
                continue;
            }
            let reached = early.reach(compiled, self, node, task.duration);
            let start = place.floor().max(reached).min(FAR);
            if is_complete(task) {
                self.pin_by_logic(compiled, &place, node, start);
                early.set(compiled, self, node, UNSET);
            } else if place.data_date.is_none() {
                self.low[node] = start.saturating_add(self.done[node]);
            }
        }
    }

    fn pin_by_logic(&mut self, compiled: &Compiled, place: &Place<'_>, node: usize, start: i32) {
        let axis = compiled.axis_of(node);
        let duration = place.task.duration;
        // What is finished is not in the future of the data date.
        let latest = place.data_date.map_or(UNBOUND, |day| place.starting(day));
        if duration > 0 {
            let finish = start.saturating_add(duration).min(latest);
            let (first, over) = (axis.start(start.min(finish - 1)), axis.finish(finish));
            self.remember(node, [first, over], [Day(first), Day(over - 1)]);
        } else {
            // What was reached in an evening is over in one before the data date.
            let at = start.min(if is_morning(start) { latest } else { latest & !1 });
            let boundary = axis.point_boundary(at);
            let day = if is_morning(at) { boundary } else { boundary - 1 };
            self.remember(node, [boundary; 2], [Day(day); 2]);
        }
    }
}

fn place_of<'a>(compiled: &'a Compiled, network: &'a Network, node: usize) -> Place<'a> {
    let row = compiled.nodes[node].task as usize;
    let task = &network.tasks[row];
    let frame = &network.projects[task.project];
    let outline = &compiled.outline;
    let parent = |row: usize| outline.parent[row].map(|parent| parent as usize);
    let above = std::iter::successors(parent(row), |row| parent(*row))
        .filter(|row| outline.included[*row])
        .map(|row| (row, &network.tasks[row]))
        .filter(|(_, summary)| summary.constraint.is_some() || summary.deadline.is_some());
    Place {
        task,
        own: compiled.axis_of(node),
        point: compiled.kind[node] == Kind::Point,
        project_start: frame.start,
        data_date: frame.data_date,
        wins: network.options.honour_dates && !has_begun(task) && !is_complete(task),
        above: above.collect(),
    }
}
