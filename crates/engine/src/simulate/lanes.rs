//! Sixteen runs side by side through a compiled network: the forward pass on fractional working days,
//! where each project ends, and which tasks decided it.

use crate::axis::{FAR, ROUNDING};
use crate::bridge::Bridge;
use crate::compiled::{CONTINUOUS, Compiled};
use crate::day::Day;
use crate::edges::Step;
use crate::graph::End;
use crate::inputs::{DETACHED, Inputs, PINNED, POINT, STARTED};
use crate::network::Network;
use crate::passes::{Early, UNSET, bound_from};

use super::sampling::{Lane, WIDTH};

/// Differences below this are rounding, in days; single precision holds far more near a plan's dates.
const TINY: f32 = 1.0 / 512.0;

/// Leaves of one project that are computed on one calendar: their latest finish decides together.
#[derive(Debug, Clone, Copy)]
struct Group {
    project: u32,
    axis: u32,
}

/// The working memory of one thread.
pub(crate) struct Lanes<'a> {
    compiled: &'a Compiled,
    inputs: &'a Inputs,
    /// Subtracted from days on the continuous axis, so that single precision is enough.
    base: i32,
    pub(crate) remaining: Vec<Lane>,
    /// Start of the remaining work, where that is not the start of the whole.
    start: Vec<Lane>,
    ends: Vec<Lane>,
    /// 1 where a node lies on a chain that decides its project's finish, by run.
    decides: Vec<[u8; WIDTH]>,
    /// How often it did in a piece of work, which has fewer batches than a byte can count.
    pub(crate) deciding: Vec<[u8; WIDTH]>,
    groups: Vec<Group>,
    /// The latest finish of each group.
    latest: Vec<Lane>,
    group_of: Vec<u32>,
    /// Boundary at which the finished work of each project ends.
    finished: Vec<f64>,
    /// Boundary at which each project ends, by run.
    pub(crate) over: Vec<[f64; WIDTH]>,
}

/// The greater of two places in every run; neither is ever NaN.
#[inline(always)]
fn later(one: &Lane, other: &Lane) -> Lane {
    let mut later = [0.0; WIDTH];
    for index in 0..WIDTH {
        later[index] = if one[index] > other[index] { one[index] } else { other[index] };
    }
    later
}

/// 1 where a place is at a goal or beyond it, but for rounding.
#[inline(always)]
fn reaches(place: &Lane, goal: &Lane, rounding: f32) -> [u8; WIDTH] {
    let mut reaches = [0; WIDTH];
    for index in 0..WIDTH {
        reaches[index] = u8::from(place[index] >= goal[index] - rounding);
    }
    reaches
}

/// The starts of a node that a step into it allows, from the ends of all.
#[inline(always)]
fn bound_by(step: &Step, ends: &[Lane], remaining: &Lane) -> Lane {
    let mut bound = ends[2 * step.other() + step.source() as usize];
    let lag = step.lag as f32;
    bound.iter_mut().for_each(|bound| *bound += lag);
    if step.target() == End::Finish {
        bound.iter_mut().zip(remaining).for_each(|(bound, days)| *bound -= days);
    }
    bound
}

impl<'a> Lanes<'a> {
    pub(crate) fn new(
        network: &Network,
        compiled: &'a Compiled,
        inputs: &'a Inputs,
        early: &Early,
    ) -> Lanes<'a> {
        let count = compiled.nodes.len();
        let base = network.projects.first().map_or(0, |project| project.start.0.clamp(-FAR, FAR));
        let mut lanes = Lanes {
            compiled,
            inputs,
            base,
            remaining: inputs.remaining.iter().map(|days| [*days as f32; WIDTH]).collect(),
            start: vec![[UNSET as f32; WIDTH]; count],
            ends: vec![[UNSET as f32; WIDTH]; 2 * count],
            decides: vec![[0; WIDTH]; count],
            deciding: vec![[0; WIDTH]; count],
            groups: Vec::new(),
            latest: Vec::new(),
            group_of: vec![u32::MAX; count],
            finished: vec![f64::NEG_INFINITY; network.projects.len()],
            over: vec![[f64::NEG_INFINITY; WIDTH]; network.projects.len()],
        };
        for node in (0..count).filter(|node| compiled.is_leaf(*node)) {
            let project = network.tasks[compiled.nodes[node].task as usize].project;
            let offset = lanes.offset(node);
            if inputs.flags[node] & PINNED != 0 {
                let latest = &mut lanes.finished[project];
                *latest = latest.max(f64::from(inputs.fact[node][1]));
            } else {
                let group = Group { project: project as u32, axis: compiled.own_axis[node] };
                let known = lanes
                    .groups
                    .iter()
                    .position(|other| (other.project, other.axis) == (group.project, group.axis));
                lanes.group_of[node] = known.unwrap_or(lanes.groups.len()) as u32;
                if known.is_none() {
                    lanes.groups.push(group);
                }
            }
            for end in 0..2 {
                lanes.ends[2 * node + end] = [early.ends(node)[end].saturating_sub(offset) as f32; WIDTH];
            }
        }
        lanes
    }

    fn offset(&self, node: usize) -> i32 {
        if self.compiled.axis[node] == CONTINUOUS { self.base } else { 0 }
    }

    /// The forward pass, and the latest finish of each group.
    #[inline(always)]
    pub(crate) fn forward(&mut self) {
        self.latest.clear();
        self.latest.resize(self.groups.len(), [f32::NEG_INFINITY; WIDTH]);
        for node in 0..self.compiled.nodes.len() {
            self.place(node);
            if let Some(latest) = self.latest.get(self.group_of[node] as usize) {
                self.latest[self.group_of[node] as usize] = later(latest, &self.own_finish(node));
            }
        }
    }

    #[inline(always)]
    fn place(&mut self, node: usize) {
        let flags = self.inputs.flags[node];
        if flags & PINNED != 0 {
            if self.inputs.passing {
                let reached = self.reach(node, &[0.0; WIDTH]);
                let finish = self.finished_at(node);
                self.ends[2 * node + 1] = reached.map(|place| place.max(finish));
            }
            return;
        }
        let remaining = self.remaining[node];
        let mut start =
            if flags & DETACHED == 0 { self.reach(node, &remaining) } else { [UNSET as f32; WIDTH] };
        if self.compiled.is_leaf(node) {
            let offset = self.offset(node);
            let low = self.inputs.low[node].saturating_sub(offset) as f32;
            start = later(&start, &[low; WIDTH]);
            if flags & !POINT == 0 {
                // Most nodes: not begun, and held by nothing but links and a floor.
                self.ends[2 * node] = start;
                let finish = &mut self.ends[2 * node + 1];
                for index in 0..WIDTH {
                    finish[index] = start[index] + remaining[index];
                }
                return;
            }
            let finish_low = self.inputs.finish_low[node].saturating_sub(offset) as f32;
            let cap = self.inputs.cap(node).saturating_sub(offset) as f32;
            for (start, days) in start.iter_mut().zip(remaining) {
                *start = start.max(finish_low - days).min(cap);
            }
        }
        self.start[node] = start;
        if flags & STARTED == 0 {
            let done = self.inputs.done[node] as f32;
            self.ends[2 * node] = start.map(|start| start - done);
        }
        for (index, end) in self.ends[2 * node + 1].iter_mut().enumerate() {
            *end = start[index] + remaining[index];
        }
    }

    /// The place at which finished work ended.
    fn finished_at(&self, node: usize) -> f32 {
        let finish = self.compiled.axis_of(node).ordinal(self.inputs.fact[node][1]);
        finish.saturating_sub(self.offset(node)) as f32
    }

    #[inline(always)]
    fn reach(&self, node: usize, remaining: &Lane) -> Lane {
        let mut reached = [UNSET as f32; WIDTH];
        for step in self.compiled.steps_in.of(node).iter().filter(|step| !step.is_crossing()) {
            let bound = bound_by(step, &self.ends, remaining);
            reached = later(&reached, &bound);
        }
        if !self.compiled.plain && self.compiled.across_in(node).next().is_some() {
            for (index, reached) in reached.iter_mut().enumerate() {
                let edges = self.compiled.across_in(node);
                let bounds = edges.filter_map(|(bridge, _)| self.bound(node, &bridge, index));
                *reached = if self.compiled.takes_earliest(node) {
                    bounds.reduce(f32::min).unwrap_or(UNSET as f32)
                } else {
                    bounds.fold(*reached, f32::max)
                };
            }
        }
        reached
    }

    /// The least start of a node that a bridge allows in one run.
    fn bound(&self, node: usize, bridge: &Bridge, index: usize) -> Option<f32> {
        let from = bridge.other as usize;
        let place = self.ends[2 * from + bridge.source as usize][index];
        if place <= UNSET as f32 / 2.0 {
            return None;
        }
        let flags = self.inputs.flags[from];
        let fixed = if bridge.source == End::Start { PINNED | STARTED } else { PINNED };
        let passed = self.inputs.passing
            && bridge.source == End::Finish
            && flags & PINNED != 0
            && place > self.finished_at(from);
        let boundary = if flags & fixed != 0 && !passed {
            f64::from(self.inputs.fact[from][bridge.source as usize])
        } else {
            let place = f64::from(place) + f64::from(self.offset(from));
            self.compiled.axis_of(from).fraction_boundary(place, bridge.source)
        };
        let axes = &self.compiled.calendars.axes;
        let bound = if boundary == boundary.floor() {
            f64::from(bound_from(self.compiled, self.inputs, node, bridge, boundary as i32))
        } else {
            bridge.forward_fraction(axes, self.compiled.axis_of(node), boundary)
        };
        let held = if bridge.target == End::Finish { self.remaining[node][index] } else { 0.0 };
        Some((bound - f64::from(self.offset(node))) as f32 - held)
    }

    /// Finishes in working days of the node's own calendar.
    #[inline(always)]
    fn own_finish(&self, node: usize) -> Lane {
        let places = self.ends[2 * node + 1];
        if self.compiled.axis[node] == self.compiled.own_axis[node] {
            return places;
        }
        let own = self.compiled.own_axis_of(node);
        places.map(|place| own.fraction_ordinal(f64::from(place) + f64::from(self.base)) as f32)
    }

    /// Where each project ends, and from where on a finish of each group ends its project: never where
    /// another group ends later.
    #[inline(always)]
    pub(crate) fn finish(&mut self) -> Vec<Lane> {
        let ends: Vec<[f64; WIDTH]> = self
            .groups
            .iter()
            .zip(&self.latest)
            .map(|(group, latest)| {
                let axis = &self.compiled.calendars.axes[group.axis as usize];
                latest.map(|place| axis.fraction_boundary(f64::from(place), End::Finish))
            })
            .collect();
        for (over, finished) in self.over.iter_mut().zip(&self.finished) {
            *over = [*finished; WIDTH];
        }
        for (group, ends) in self.groups.iter().zip(&ends) {
            for (over, end) in self.over[group.project as usize].iter_mut().zip(ends) {
                *over = over.max(*end);
            }
        }
        let last = |(group, about): (usize, &Group)| {
            let over = &self.over[about.project as usize];
            let mut last = [f32::INFINITY; WIDTH];
            for index in 0..WIDTH {
                if ends[group][index] >= over[index] - f64::from(TINY) {
                    last[index] = self.latest[group][index] - TINY;
                }
            }
            last
        };
        self.groups.iter().enumerate().map(last).collect()
    }

    /// Goes back along binding dates from the leaves that end their projects, which `last` tells, and
    /// counts what decides in the runs that count.
    #[inline(always)]
    pub(crate) fn trace(&mut self, last: &[Lane], counted: &[u8; WIDTH]) {
        self.decides.fill([0; WIDTH]);
        for node in (0..self.compiled.nodes.len()).rev() {
            let mut decides = self.decides[node];
            if let Some(last) = last.get(self.group_of[node] as usize) {
                let ends = reaches(&self.own_finish(node), last, 0.0);
                for index in 0..WIDTH {
                    decides[index] |= ends[index];
                }
            }
            if decides == [0; WIDTH] {
                continue;
            }
            let mut deciding = self.deciding[node];
            for index in 0..WIDTH {
                deciding[index] += decides[index] & counted[index];
            }
            self.deciding[node] = deciding;
            self.trace_into(node, &decides);
        }
    }

    /// Marks what binds a node in the runs in which it decides.
    #[inline(always)]
    fn trace_into(&mut self, node: usize, decides: &[u8; WIDTH]) {
        let flags = self.inputs.flags[node];
        if flags & DETACHED != 0 || flags & PINNED != 0 && !self.inputs.passing {
            return;
        }
        let usual = flags & !POINT == 0 && self.compiled.is_leaf(node);
        let mut start = if usual { self.ends[2 * node] } else { self.start[node] };
        let mut remaining = self.remaining[node];
        if flags & PINNED != 0 {
            let finish = self.finished_at(node);
            // Where the actual finish is what counts, nothing that leads in binds.
            let place = |place: f32| if place > finish { place } else { f32::INFINITY };
            (start, remaining) = (self.ends[2 * node + 1].map(place), [0.0; WIDTH]);
        }
        for step in self.compiled.steps_in.of(node).iter().filter(|step| !step.is_crossing()) {
            let binds = reaches(&bound_by(step, &self.ends, &remaining), &start, TINY);
            let mut marks = self.decides[step.other()];
            for index in 0..WIDTH {
                marks[index] |= decides[index] & binds[index];
            }
            self.decides[step.other()] = marks;
        }
        if self.compiled.plain {
            return;
        }
        for (bridge, _) in self.compiled.across_in(node) {
            for index in (0..WIDTH).filter(|index| decides[*index] != 0) {
                let bound = self.bound(node, &bridge, index);
                let binds = bound.is_some_and(|bound| (bound - start[index]).abs() <= TINY);
                self.decides[bridge.other as usize][index] |= u8::from(binds);
            }
        }
    }

    /// The day that finished work and points at their own floors show at least, by project. A point
    /// that begins a day shows that day although nothing is worked on it.
    pub(crate) fn least_days(network: &Network, compiled: &Compiled, inputs: &Inputs) -> Vec<Day> {
        let mut least = vec![Day(i32::MIN); network.projects.len()];
        for node in (0..compiled.nodes.len()).filter(|node| compiled.is_leaf(*node)) {
            let day = if inputs.flags[node] & PINNED != 0 {
                inputs.shown[node][1]
            } else if inputs.flags[node] & POINT != 0 {
                let ordinal = compiled.own_ordinal(node, inputs.start_floor[node]);
                Day(compiled.own_axis_of(node).start(ordinal))
            } else {
                continue;
            };
            let known = &mut least[network.tasks[compiled.nodes[node].task as usize].project];
            *known = day.max(*known);
        }
        least
    }

    /// Whether a leaf is finished by the end of a day in one run.
    pub(crate) fn meets(&self, node: usize, day: Day, index: usize) -> bool {
        if self.inputs.flags[node] & PINNED != 0 {
            return self.inputs.fact[node][1] <= day.0 + 1;
        }
        let limit = self.compiled.own_axis_of(node).ordinal(day.0 + 1) as f32;
        f64::from(self.own_finish(node)[index]) <= f64::from(limit) + ROUNDING
    }
}
