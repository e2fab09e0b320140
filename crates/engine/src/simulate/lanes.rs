//! Sixteen runs side by side through a compiled network: the forward pass on fractional working days,
//! where each project ends, and which tasks decided it.

use crate::axis::FAR;
use crate::bridge::Bridge;
use crate::compiled::{CONTINUOUS, Compiled};
use crate::day::Day;
use crate::graph::End;
use crate::inputs::{DETACHED, Inputs, PINNED, POINT, STARTED};
use crate::network::Network;
use crate::passes::{Early, UNSET};

use super::sampling::{Lane, WIDTH};

/// Differences below this are rounding, in days; single precision holds far more near a plan's dates.
pub(crate) const TINY: f32 = 1.0 / 512.0;

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
    start: Vec<Lane>,
    ends: Vec<Lane>,
    /// Whether a node lies on a chain that decides its project's finish, by run.
    pub(crate) decides: Vec<[bool; WIDTH]>,
    groups: Vec<Group>,
    group_of: Vec<u32>,
    /// Boundary at which the finished work of each project ends.
    finished: Vec<f64>,
    /// Boundary at which each project ends, by run.
    pub(crate) over: Vec<[f64; WIDTH]>,
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
            decides: vec![[false; WIDTH]; count],
            groups: Vec::new(),
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

    /// The forward pass.
    pub(crate) fn forward(&mut self) {
        for node in 0..self.compiled.nodes.len() {
            let flags = self.inputs.flags[node];
            if flags & PINNED != 0 {
                if self.inputs.passing {
                    let reached = self.reach(node, &[0.0; WIDTH]);
                    let finish = self.finished_at(node);
                    self.ends[2 * node + 1] = reached.map(|place| place.max(finish));
                }
                continue;
            }
            let remaining = self.remaining[node];
            let mut start =
                if flags & DETACHED == 0 { self.reach(node, &remaining) } else { [UNSET as f32; WIDTH] };
            if self.compiled.is_leaf(node) {
                let offset = self.offset(node);
                let low = self.inputs.low[node].saturating_sub(offset) as f32;
                start.iter_mut().for_each(|start| *start = start.max(low));
                if flags & !POINT == 0 {
                    // Most nodes: not begun, and held by nothing but links and a floor.
                    self.start[node] = start;
                    self.ends[2 * node] = start;
                    self.ends[2 * node + 1] = std::array::from_fn(|index| start[index] + remaining[index]);
                    continue;
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
    }

    /// The place at which finished work ended.
    fn finished_at(&self, node: usize) -> f32 {
        let finish = self.compiled.axis_of(node).ordinal(self.inputs.fact[node][1]);
        finish.saturating_sub(self.offset(node)) as f32
    }

    fn reach(&self, node: usize, remaining: &Lane) -> Lane {
        let mut reached = [UNSET as f32; WIDTH];
        for (step, _) in self.compiled.along_in(node) {
            let from = &self.ends[2 * step.other() + step.source() as usize];
            let lag = step.lag as f32;
            let held = f32::from(step.target() as u8);
            for index in 0..WIDTH {
                reached[index] = reached[index].max(from[index] + lag - held * remaining[index]);
            }
        }
        if self.compiled.across_in(node).next().is_some() {
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
        let target = self.compiled.axis_of(node);
        let bound = bridge.forward_fraction(axes, target, boundary, flags & POINT != 0);
        let held = if bridge.target == End::Finish { self.remaining[node][index] } else { 0.0 };
        Some((bound - f64::from(self.offset(node))) as f32 - held)
    }

    /// Finishes in working days of the node's own calendar.
    fn own_finish(&self, node: usize) -> Lane {
        let places = self.ends[2 * node + 1];
        if self.compiled.axis[node] == self.compiled.own_axis[node] {
            return places;
        }
        let own = self.compiled.own_axis_of(node);
        places.map(|place| own.fraction_ordinal(f64::from(place) + f64::from(self.base)) as f32)
    }

    /// Where each project ends, and the leaves that end there.
    pub(crate) fn finish(&mut self) {
        let mut latest = vec![[f32::NEG_INFINITY; WIDTH]; self.groups.len()];
        for node in 0..self.compiled.nodes.len() {
            let group = self.group_of[node];
            if group != u32::MAX {
                for (known, finish) in latest[group as usize].iter_mut().zip(self.own_finish(node)) {
                    *known = known.max(finish);
                }
            }
        }
        let ends: Vec<[f64; WIDTH]> = self
            .groups
            .iter()
            .zip(&latest)
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
        // From where on a finish of a group ends its project; never where another group ends later.
        let last: Vec<Lane> = self
            .groups
            .iter()
            .enumerate()
            .map(|(group, about)| {
                let over = &self.over[about.project as usize];
                std::array::from_fn(|index| {
                    let ends_it = ends[group][index] >= over[index] - f64::from(TINY);
                    if ends_it { latest[group][index] - TINY } else { f32::INFINITY }
                })
            })
            .collect();
        for node in 0..self.compiled.nodes.len() {
            let group = self.group_of[node];
            self.decides[node] = [false; WIDTH];
            if group != u32::MAX {
                let (finish, last) = (self.own_finish(node), &last[group as usize]);
                self.decides[node] = std::array::from_fn(|index| finish[index] >= last[index]);
            }
        }
    }

    /// Goes back along binding dates from the leaves that end their projects.
    pub(crate) fn trace(&mut self) {
        for node in (0..self.compiled.nodes.len()).rev() {
            let decides = self.decides[node];
            let flags = self.inputs.flags[node];
            let cut = flags & DETACHED != 0 || flags & PINNED != 0 && !self.inputs.passing;
            if cut || decides == [false; WIDTH] {
                continue;
            }
            let (mut start, mut remaining) = (self.start[node], self.remaining[node]);
            if flags & PINNED != 0 {
                let finish = self.finished_at(node);
                // Where the actual finish is what counts, nothing that leads in binds.
                let place = |place: f32| if place > finish { place } else { f32::INFINITY };
                (start, remaining) = (self.ends[2 * node + 1].map(place), [0.0; WIDTH]);
            }
            for (step, _) in self.compiled.along_in(node) {
                let source = step.source() as usize;
                let from = &self.ends[2 * step.other() + source];
                let lag = step.lag as f32;
                let held = f32::from(step.target() as u8);
                let marks = &mut self.decides[step.other()];
                for index in 0..WIDTH {
                    let bound = from[index] + lag - held * remaining[index];
                    marks[index] |= decides[index] & (bound >= start[index] - TINY);
                }
            }
            for (bridge, _) in self.compiled.across_in(node) {
                for index in (0..WIDTH).filter(|index| decides[*index]) {
                    let bound = self.bound(node, &bridge, index);
                    let binds = bound.is_some_and(|bound| (bound - start[index]).abs() <= TINY);
                    self.decides[bridge.other as usize][index] |= binds;
                }
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
        self.own_finish(node)[index] <= limit + TINY
    }
}
