//! Sixteen runs at the same time through a compiled network: the forward pass on fractional working days, the finish
//! of each project, and the tasks that decided it.

use crate::axis::{ROUNDING, evening};
use crate::bridge::{Bridge, Instants, Shift};
use crate::compiled::{Compiled, Kind};
use crate::day::Day;
use crate::edges::Step;
use crate::ends::End;
use crate::inputs::{DETACHED, Inputs, PINNED, STARTED};
use crate::network::Network;
use crate::passes::Early;
use crate::range::{FAR, UNBOUND, UNSET};

use super::sampling::{Lane, WIDTH};

/// Differences below this are rounding, in days; single precision holds far more near a plan's dates.
const TINY: f32 = 1.0 / 512.0;

/// What a morning lies behind the evening before it, so that it counts into its own day.
const MORNING: f64 = ROUNDING / 2.0;

/// Leaves of one project that are computed alike on one calendar: their latest finish decides together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Group {
    project: u32,
    axis: u32,
    kind: Kind,
}

/// A morning and an evening as boundaries that may lie inside a day; infinitely early where nothing is held.
#[derive(Debug, Clone, Copy)]
struct Parts([f64; 2]);

impl Parts {
    const NONE: Parts = Parts([f64::NEG_INFINITY; 2]);

    fn of(instants: Instants) -> Parts {
        let part = |at: i32| if at.abs() < UNBOUND / 2 { f64::from(at) } else { f64::NEG_INFINITY };
        Parts([part(instants.morning), part(instants.evening)])
    }

    fn max(self, other: Parts) -> Parts {
        Parts([self.0[0].max(other.0[0]), self.0[1].max(other.0[1])])
    }
}

/// The place of a point from an ordinal with a fraction; where there is none, in the evening before it.
fn point_place(ordinal: f64) -> f64 {
    let whole = (ordinal + ROUNDING).floor();
    let rest = ordinal - whole;
    if rest > ROUNDING { 2.0 * whole + 1.0 + rest } else { 2.0 * whole }
}

/// The ordinal of the place of a point, with the fraction of the day that it lies in.
fn point_ordinal(place: f64) -> f64 {
    let whole = ((place + ROUNDING) / 2.0).floor();
    whole + (place - 2.0 * whole - 1.0).max(0.0)
}

/// The working memory of one thread.
pub(crate) struct Lanes<'a> {
    compiled: &'a Compiled,
    inputs: &'a Inputs,
    /// Subtracted from boundaries, so that single precision is enough.
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
            if inputs.flags[node] & PINNED != 0 {
                let latest = &mut lanes.finished[project];
                let late = if inputs.ended_in_the_evening(node) { 0.0 } else { MORNING };
                *latest = latest.max(f64::from(inputs.fact[node][1]) + late);
            } else {
                let group =
                    Group { project: project as u32, axis: compiled.axis[node], kind: compiled.kind[node] };
                let known = lanes.groups.iter().position(|other| *other == group);
                lanes.group_of[node] = known.unwrap_or(lanes.groups.len()) as u32;
                if known.is_none() {
                    lanes.groups.push(group);
                }
            }
            for end in 0..2 {
                lanes.ends[2 * node + end] = [early.ends(node)[end] as f32; WIDTH];
            }
        }
        lanes
    }

    /// The forward pass, and the latest finish of each group.
    #[inline(always)]
    pub(crate) fn forward(&mut self) {
        self.latest.clear();
        self.latest.resize(self.groups.len(), [f32::NEG_INFINITY; WIDTH]);
        for node in 0..self.compiled.nodes.len() {
            self.place(node);
            if let Some(latest) = self.latest.get(self.group_of[node] as usize) {
                self.latest[self.group_of[node] as usize] = later(latest, &self.ends[2 * node + 1]);
            }
        }
    }

    #[inline(always)]
    fn place(&mut self, node: usize) {
        if self.compiled.kind[node] == Kind::Hub {
            return self.place_hub(node);
        }
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
            let low = self.inputs.low[node] as f32;
            start = later(&start, &[low; WIDTH]);
            if flags == 0 && self.compiled.kind[node] == Kind::Work {
                // Most nodes: not begun, and held by nothing but links and a floor.
                self.ends[2 * node] = start;
                let finish = &mut self.ends[2 * node + 1];
                for index in 0..WIDTH {
                    finish[index] = start[index] + remaining[index];
                }
                return;
            }
            let finish_low = self.inputs.finish_low[node] as f32;
            let cap = self.inputs.cap(node) as f32;
            for (start, days) in start.iter_mut().zip(remaining) {
                *start = start.max(finish_low - days).min(cap);
            }
        }
        self.start[node] = start;
        if flags & STARTED == 0 {
            let done = self.inputs.done[node] as f32;
            self.ends[2 * node] = start.map(|start| start - done);
        }
        let point = self.compiled.kind[node] == Kind::Point;
        for (index, end) in self.ends[2 * node + 1].iter_mut().enumerate() {
            let (start, days) = (start[index], remaining[index]);
            // A risk may cost a milestone some days.
            *end = match point && days > 0.0 {
                true => point_place(point_ordinal(f64::from(start)) + f64::from(days)) as f32,
                false => start + days,
            };
        }
    }

    /// Gathers what leads into a hub, less the base.
    fn place_hub(&mut self, node: usize) {
        let first = self.compiled.starts_with_first(node);
        for index in 0..WIDTH {
            let bridges = self.compiled.bridges_in.of(node).iter();
            let held = bridges.map(|bridge| self.held_by(bridge, index));
            let Parts(parts) = match first {
                true => {
                    let starts = held.map(|Parts(parts)| parts[0].max(parts[1])).filter(|at| at.is_finite());
                    starts.reduce(f64::min).map_or(Parts::NONE, |at| Parts([at, f64::NEG_INFINITY]))
                }
                false => held.fold(Parts::NONE, Parts::max),
            };
            for (end, part) in parts.into_iter().enumerate() {
                let near = (part - f64::from(self.base)) as f32;
                self.ends[2 * node + end][index] = near.max(UNSET as f32);
            }
        }
    }

    /// The place at which finished work ended.
    fn finished_at(&self, node: usize) -> f32 {
        Early::place_of_fact(self.compiled, self.inputs, node) as f32
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
                *reached = bounds.fold(*reached, f32::max);
            }
        }
        reached
    }

    /// The least start of a leaf that a bridge allows in one run.
    fn bound(&self, node: usize, bridge: &Bridge, index: usize) -> Option<f32> {
        let axis = self.compiled.axis_of(node);
        let place = |(part, at): (usize, &f64)| {
            let whole = *at == at.floor();
            let point = self.compiled.kind[node] == Kind::Point;
            let instants =
                if part == 0 { Instants::morning(*at as i32) } else { Instants::evening(*at as i32) };
            match (whole, bridge.target) {
                (true, _) if point => f64::from(instants.place_of_point(axis)),
                (true, End::Start) => f64::from(instants.start_of_work(axis)),
                (true, End::Finish) => f64::from(instants.finish_of_work(axis)),
                // Inside a day off it is the next morning that a point waits for.
                (false, _) if point => match axis.fraction_ordinal(*at) {
                    ordinal if ordinal == ordinal.floor() => 2.0 * ordinal + 1.0,
                    ordinal => point_place(ordinal),
                },
                (false, _) => axis.fraction_ordinal(*at),
            }
        };
        let Parts(parts) = self.held_by(bridge, index);
        let places = parts.iter().enumerate().filter(|(_, at)| at.is_finite()).map(place);
        let bound = places.reduce(f64::max)?;
        let work = bridge.target == End::Finish && self.compiled.kind[node] == Kind::Work;
        Some(bound as f32 - if work { self.remaining[node][index] } else { 0.0 })
    }

    /// What a bridge makes of what its source holds in one run.
    fn held_by(&self, bridge: &Bridge, index: usize) -> Parts {
        let axes = &self.compiled.calendars.axes;
        let mut held = Parts::NONE;
        for (part, at) in self.holds(bridge.other as usize, bridge.source, index).0.into_iter().enumerate() {
            if !at.is_finite() {
                continue;
            }
            if at == at.floor() {
                let at = at as i32;
                let from = if part == 0 { Instants::morning(at) } else { Instants::evening(at) };
                held = held.max(Parts::of(bridge.forward(axes, from)));
            } else {
                let counted = matches!(bridge.shift, Shift::Working { .. });
                let known = &mut held.0[if counted { 1 } else { part }];
                *known = known.max(bridge.forward_fraction(axes, at));
            }
        }
        held
    }

    /// What an end of a node holds in one run.
    fn holds(&self, node: usize, end: End, index: usize) -> Parts {
        let place = self.ends[2 * node + end as usize][index];
        let (kind, flags) = (self.compiled.kind[node], self.inputs.flags[node]);
        if kind == Kind::Hub {
            let part = |part: usize| match self.ends[2 * node + part][index] {
                near if near <= UNSET as f32 / 2.0 => f64::NEG_INFINITY,
                near => f64::from(near) + f64::from(self.base),
            };
            return Parts([part(0), part(1)]);
        }
        if place <= UNSET as f32 / 2.0 {
            return Parts::NONE;
        }
        let axis = self.compiled.axis_of(node);
        let began = self.inputs.began_at(axis, node).filter(|_| end == End::Start);
        if let Some(began) = began {
            let morning = Instants::morning(self.inputs.fact[node][0]);
            return Parts::of(if kind == Kind::Point { began } else { morning });
        }
        if flags & PINNED != 0 && !(self.inputs.passing && place > self.finished_at(node)) {
            return Parts::of(self.inputs.finished_at(axis, node));
        }
        let place = f64::from(place);
        if kind == Kind::Point && (place - place.round()).abs() <= ROUNDING {
            let place = place.round() as i32;
            return Parts::of(Instants::of_point(axis, place));
        }
        let ordinal = if kind == Kind::Point { point_ordinal(place) } else { place };
        let boundary = axis.fraction_boundary(ordinal, end);
        Parts(if end == End::Start { [boundary, f64::NEG_INFINITY] } else { [f64::NEG_INFINITY, boundary] })
    }

    /// The boundary at which a leaf of a group ends that stands at a place.
    fn boundary_of(&self, group: &Group, place: f64) -> f64 {
        let axis = &self.compiled.calendars.axes[group.axis as usize];
        if group.kind != Kind::Point {
            return axis.fraction_boundary(place, End::Finish);
        }
        let whole = place.round();
        match (place - whole).abs() <= ROUNDING && whole.rem_euclid(2.0) == 1.0 {
            true => f64::from(axis.start(whole as i32 >> 1)) + MORNING,
            false => axis.fraction_boundary(point_ordinal(place), End::Finish),
        }
    }

    /// Where each project ends, and from where on a finish of each group ends its project: never where
    /// another group ends later.
    #[inline(always)]
    pub(crate) fn finish(&mut self) -> Vec<Lane> {
        let ends: Vec<[f64; WIDTH]> = self
            .groups
            .iter()
            .zip(&self.latest)
            .map(|(group, latest)| latest.map(|place| self.boundary_of(group, f64::from(place))))
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
                let ends = reaches(&self.ends[2 * node + 1], last, 0.0);
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
        if self.compiled.kind[node] == Kind::Hub {
            return self.trace_into_hub(node, decides);
        }
        let usual = flags == 0 && self.compiled.kind[node] == Kind::Work && self.compiled.is_leaf(node);
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

    /// Marks what gives a hub its morning or its evening in the runs in which that decides.
    fn trace_into_hub(&mut self, node: usize, decides: &[u8; WIDTH]) {
        for bridge in self.compiled.bridges_in.of(node) {
            for index in (0..WIDTH).filter(|index| decides[*index] != 0) {
                let held = self.held_by(bridge, index).0;
                let known = |part: usize| f64::from(self.ends[2 * node + part][index]) + f64::from(self.base);
                let gives = |part: usize, at: f64| (at - known(part)).abs() <= f64::from(TINY);
                let decides = match self.compiled.starts_with_first(node) {
                    true => gives(0, held[0].max(held[1])),
                    false => gives(0, held[0]) || gives(1, held[1]),
                };
                self.decides[bridge.other as usize][index] |= u8::from(decides);
            }
        }
    }

    /// Whether a leaf is finished by the end of a day in one run.
    pub(crate) fn meets(&self, node: usize, day: Day, index: usize) -> bool {
        if self.inputs.flags[node] & PINNED != 0 {
            return self.inputs.shown[node][1] <= day;
        }
        let limit = self.compiled.finishing_by(node, evening(day.0 + 1));
        f64::from(self.ends[2 * node + 1][index]) <= f64::from(limit) + ROUNDING
    }
}
