//! Draws the remaining work of every task for sixteen runs at a time. Every number is a pure function of seed, run
//! and id. There is no state and no order of drawing.

use std::collections::HashMap;

use crate::compiled::Compiled;
use crate::inputs::{Inputs, PINNED};
use crate::network::{Network, Task, ThreePoint};

use super::quantile::{CELLS, PertTables, Quantiles, normal_below, normal_quantile, triangle};
use super::{Shape, SimulationOptions};

/// Runs that are computed side by side.
pub(crate) const WIDTH: usize = 16;

/// A value in each of the runs side by side.
pub(crate) type Lane = [f32; WIDTH];

/// A source of random numbers of its own: one per task, risk or factor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key(u32, u32);

impl Key {
    fn new(seed: u64, id: u128, purpose: u64) -> Key {
        let mut mixed = mix64(seed ^ 0x6a09_e667_f3bc_c908);
        for word in [id as u64, (id >> 64) as u64, purpose] {
            mixed = mix64(mixed ^ word.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        }
        Key(mixed as u32, (mixed >> 32) as u32)
    }

    /// A key for numbers that belong to no task.
    pub(super) fn of_seed(seed: u64) -> Key {
        Key::new(seed, 0, PERIOD)
    }

    /// 32 random bits for a run.
    #[inline(always)]
    fn bits(self, run: u32) -> u32 {
        let mut bits = run.wrapping_mul(0x9e37_79b9) ^ self.0;
        bits = (bits ^ bits >> 17).wrapping_mul(0xed5a_d4bb);
        bits = (bits ^ bits >> 11).wrapping_add(self.1).wrapping_mul(0xac4c_1b51);
        bits = (bits ^ bits >> 15).wrapping_mul(0x3184_8bab);
        bits ^ bits >> 14
    }

    /// A number strictly between 0 and 1 for a run.
    pub(super) fn share(self, run: u32) -> f64 {
        (f64::from(self.bits(run)) + 0.5) / 4_294_967_296.0
    }

    /// A key for the n-th further number of the same run.
    pub(super) fn further(self, index: u32) -> Key {
        Key(self.0 ^ index.wrapping_mul(0x85eb_ca6b), self.1.wrapping_add(index.wrapping_mul(0xc2b2_ae35)))
    }
}

fn mix64(value: u64) -> u64 {
    let mixed = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

const DURATION: u64 = 1;
const EVENT: u64 = 2;
const FACTOR: u64 = 3;
const IMPACT: u64 = 4;
const PERIOD: u64 = 5;

/// How one leaf's remaining work is drawn.
#[derive(Debug, Clone, Copy)]
enum Source {
    Fixed,
    /// From an estimate.
    Curve {
        curve: Curve,
        key: Key,
    },
    /// Sprints until the points are burnt.
    Sprints {
        points: f64,
        share: f64,
        project: u32,
        key: Key,
    },
}

/// A distribution on 0..1, as its quantiles.
type Unit = [f32; CELLS + 1];

/// Days that follow a distribution: `least + range · x`. Many estimates of a plan share a shape, so that
/// their table stays at hand.
#[derive(Debug, Clone, Copy)]
struct Curve {
    unit: u32,
    least: f32,
    range: f32,
}

/// Shared causes of one leaf.
#[derive(Debug, Clone, Copy)]
struct Causes {
    systemic: f64,
    group: Option<(Key, f64)>,
    own: f64,
}

/// A risk with its impacts by node.
#[derive(Debug, Clone)]
struct Risk {
    key: Key,
    probability: f64,
    impacts: Vec<(usize, Curve, Key)>,
}

/// The distributions made so far, by the bits of their mode.
struct Shapes {
    shape: Shape,
    pert: PertTables,
    known: HashMap<u64, u32>,
}

/// Everything needed to draw.
pub(crate) struct Sampler<'a> {
    network: &'a Network,
    sources: Vec<Source>,
    units: Vec<Unit>,
    causes: HashMap<usize, Causes>,
    systemic: Key,
    risks: Vec<Risk>,
}

impl<'a> Sampler<'a> {
    pub(crate) fn new(
        network: &'a Network,
        compiled: &Compiled,
        inputs: &Inputs,
        options: &SimulationOptions,
    ) -> Sampler<'a> {
        let mut sampler = Sampler {
            network,
            sources: vec![Source::Fixed; compiled.nodes.len()],
            units: Vec::new(),
            causes: HashMap::new(),
            systemic: Key::new(options.seed, 0, FACTOR),
            risks: Vec::new(),
        };
        let mut shapes = Shapes { shape: options.shape, pert: PertTables::default(), known: HashMap::new() };
        for node in (0..compiled.nodes.len()).filter(|node| compiled.is_leaf(*node)) {
            if inputs.flags[node] & PINNED == 0 {
                let task = &network.tasks[compiled.nodes[node].task as usize];
                let left = f64::from(inputs.remaining[node]);
                sampler.sources[node] = sampler.source_of(task, left, options.seed, &mut shapes);
            }
        }
        sampler.read_causes(compiled, options);
        sampler.read_risks(compiled, inputs, options, &mut shapes);
        sampler
    }

    fn source_of(&mut self, task: &Task, left: f64, seed: u64, shapes: &mut Shapes) -> Source {
        if task.duration == 0 {
            return Source::Fixed;
        }
        let key = Key::new(seed, task.id, DURATION);
        // What is done is done: only the open share of an estimate is uncertain.
        let share = left / f64::from(task.duration);
        if let Some(estimate) = task.estimate.filter(is_usable) {
            return Source::Curve { curve: self.curve_of(estimate, share, shapes), key };
        }
        let velocity = self.network.projects[task.project].velocity.as_ref();
        let burns = velocity.is_some_and(|velocity| {
            velocity.sprint_days > 0
                && velocity.samples.iter().all(|points| points.is_finite() && *points >= 0.0)
                && velocity.samples.iter().sum::<f64>() > 0.0
        });
        match task.story_points {
            Some(points) if burns && points > 0.0 && points.is_finite() => {
                Source::Sprints { points, share, project: task.project as u32, key }
            }
            _ => Source::Fixed,
        }
    }

    fn curve_of(&mut self, estimate: ThreePoint, share: f64, shapes: &mut Shapes) -> Curve {
        let range = estimate.pessimistic - estimate.optimistic;
        let mode = if range > 0.0 { (estimate.most_likely - estimate.optimistic) / range } else { 0.0 };
        let unit = *shapes.known.entry(mode.to_bits()).or_insert_with(|| {
            let exact: Quantiles = match shapes.shape {
                Shape::Pert => shapes.pert.at(mode),
                Shape::Triangular => triangle(mode),
            };
            self.units.push(exact.map(|x| x as f32));
            self.units.len() as u32 - 1
        });
        Curve { unit, least: (share * estimate.optimistic) as f32, range: (share * range) as f32 }
    }

    fn read_causes(&mut self, compiled: &Compiled, options: &SimulationOptions) {
        let correlation = &options.correlation;
        let weight = |weight: f64| if weight.is_finite() { weight.clamp(0.0, 1.0) } else { 0.0 };
        let systemic = weight(correlation.systemic);
        let mut group_of = HashMap::new();
        for (index, group) in correlation.groups.iter().enumerate() {
            let key = Key::new(options.seed, index as u128 + 1, FACTOR);
            let room = (1.0 - systemic * systemic).sqrt();
            for task in &group.tasks {
                group_of.insert(*task, (key, weight(group.weight).min(room)));
            }
        }
        if systemic == 0.0 && group_of.is_empty() {
            return;
        }
        for (node, place) in compiled.nodes.iter().enumerate().filter(|(node, _)| compiled.is_leaf(*node)) {
            let group = group_of.get(&(place.task as usize)).copied();
            let shared = systemic * systemic + group.map_or(0.0, |(_, weight)| weight * weight);
            if shared > 0.0 {
                self.causes.insert(node, Causes { systemic, group, own: (1.0 - shared).max(0.0).sqrt() });
            }
        }
    }

    fn read_risks(
        &mut self,
        compiled: &Compiled,
        inputs: &Inputs,
        options: &SimulationOptions,
        shapes: &mut Shapes,
    ) {
        for risk in &options.risks {
            let mut impacts = Vec::new();
            for (task, days) in risk.impacts.iter().filter(|(_, days)| is_usable(days)) {
                let node = compiled.node_of.get(*task).copied().unwrap_or(u32::MAX) as usize;
                if node >= inputs.flags.len() || inputs.flags[node] & PINNED != 0 {
                    continue;
                }
                let curve = self.curve_of(*days, 1.0, shapes);
                let id = self.network.tasks[*task].id ^ risk.id.rotate_left(64);
                impacts.push((node, curve, Key::new(options.seed, id, IMPACT)));
            }
            let key = Key::new(options.seed, risk.id, EVENT);
            self.risks.push(Risk { key, probability: risk.probability, impacts });
        }
    }

    /// Whether a leaf's remaining work varies.
    pub(crate) fn varies(&self, node: usize) -> bool {
        !matches!(self.sources[node], Source::Fixed)
            || self.risks.iter().any(|risk| risk.impacts.iter().any(|impact| impact.0 == node))
    }

    /// The shares that a leaf's remaining work was drawn at, if nothing else has a part in it. They
    /// rise with the work drawn, so they stand for its ranks.
    pub(crate) fn shares(&self, node: usize, runs: u32) -> Option<Vec<f64>> {
        match self.sources[node] {
            Source::Curve { key, .. } if self.causes.is_empty() && self.risks.is_empty() => {
                Some((0..runs).map(|run| key.share(run)).collect())
            }
            _ => None,
        }
    }

    /// Draws the remaining work of all nodes for sixteen runs.
    #[inline(always)]
    pub(crate) fn fill(&self, first_run: u32, inputs: &Inputs, remaining: &mut [Lane]) {
        for (node, _, _) in self.risks.iter().flat_map(|risk| &risk.impacts) {
            // The runs before may have left an impact here.
            remaining[*node] = [inputs.remaining[*node] as f32; WIDTH];
        }
        for (node, source) in self.sources.iter().enumerate() {
            let lane = &mut remaining[node];
            match *source {
                Source::Fixed => {}
                Source::Curve { curve, key } if self.causes.is_empty() => {
                    self.draw(curve, key, first_run, lane);
                }
                Source::Curve { curve, key } => self.draw_with_causes(node, curve, key, first_run, lane),
                Source::Sprints { points, share, project, key } => {
                    for (index, days) in lane.iter_mut().enumerate() {
                        *days = self.sprints(points, share, project, key, first_run + index as u32);
                    }
                }
            }
        }
        for risk in &self.risks {
            let runs = (0..WIDTH).map(|index| (index, first_run + index as u32));
            for (index, run) in runs.filter(|(_, run)| risk.key.share(*run) < risk.probability) {
                for (node, curve, key) in &risk.impacts {
                    remaining[*node][index] += self.quantile(*curve, key.bits(run));
                }
            }
        }
    }

    /// Draws for sixteen runs.
    #[inline(always)]
    fn draw(&self, curve: Curve, key: Key, first_run: u32, lane: &mut Lane) {
        let unit = &self.units[curve.unit as usize];
        // A loop for each step of the way, so that every one of them is done for all runs at once.
        let mut bits = [0; WIDTH];
        for (index, bits) in bits.iter_mut().enumerate() {
            *bits = key.bits(first_run + index as u32);
        }
        let (mut low, mut high) = ([0.0; WIDTH], [0.0; WIDTH]);
        for index in 0..WIDTH {
            let cell = (bits[index] >> 24) as usize;
            (low[index], high[index]) = (unit[cell], unit[cell + 1]);
        }
        for index in 0..WIDTH {
            let x = between(low[index], high[index], bits[index]);
            lane[index] = curve.least + curve.range * x;
        }
    }

    /// The days of a curve at a share of 2³².
    fn quantile(&self, curve: Curve, bits: u32) -> f32 {
        curve.least + curve.range * at_share(&self.units[curve.unit as usize], bits)
    }

    /// Draws with shared causes: normal scores are mixed and turned back into a share.
    fn draw_with_causes(&self, node: usize, curve: Curve, key: Key, first_run: u32, lane: &mut Lane) {
        let Some(causes) = self.causes.get(&node) else {
            return self.draw(curve, key, first_run, lane);
        };
        for (index, days) in lane.iter_mut().enumerate() {
            let run = first_run + index as u32;
            let mut score = causes.own * normal_quantile(key.share(run));
            score += causes.systemic * normal_quantile(self.systemic.share(run));
            if let Some((group, weight)) = causes.group {
                score += weight * normal_quantile(group.share(run));
            }
            let bits = (normal_below(score) * 4_294_967_296.0).clamp(0.0, 4_294_967_295.0) as u32;
            *days = self.quantile(curve, bits);
        }
    }

    /// Working days of the sprints that it takes to burn points, each sprint drawn from the past.
    fn sprints(&self, points: f64, share: f64, project: u32, key: Key, run: u32) -> f32 {
        let Some(velocity) = &self.network.projects[project as usize].velocity else { return 0.0 };
        let mean = velocity.samples.iter().sum::<f64>() / velocity.samples.len() as f64;
        // A run of empty sprints must end somewhere.
        let horizon = ((points / mean).ceil() * 4.0 + 10.0).min(10_000.0) as u32;
        let mut left = points;
        let mut sprints = 0;
        while left > 0.0 && sprints < horizon {
            let draw = key.further(sprints).share(run) * velocity.samples.len() as f64;
            left -= velocity.samples[(draw as usize).min(velocity.samples.len() - 1)];
            sprints += 1;
        }
        (share * f64::from(sprints) * f64::from(velocity.sprint_days)) as f32
    }
}

fn is_usable(estimate: &ThreePoint) -> bool {
    let ThreePoint { optimistic, most_likely, pessimistic } = *estimate;
    0.0 <= optimistic && optimistic <= most_likely && most_likely <= pessimistic && pessimistic <= 366_000.0
}

/// The quantile of a distribution at a share of 2³².
#[inline(always)]
fn at_share(unit: &Unit, bits: u32) -> f32 {
    let cell = (bits >> 24) as usize;
    between(unit[cell], unit[cell + 1], bits)
}

/// The place in a cell that the lower 24 bits say.
#[inline(always)]
fn between(low: f32, high: f32, bits: u32) -> f32 {
    // Processors turn signed numbers into fractions more easily, and these are none.
    let within = (bits & 0x00ff_ffff) as i32 as f32 * (1.0 / 16_777_216.0);
    low + within * (high - low)
}
