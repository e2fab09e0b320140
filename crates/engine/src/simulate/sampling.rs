//! Draws the remaining work of every task for sixteen runs at a time. Every number is a pure function
//! of seed, run and id: no order of drawing, no state.

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
struct Key(u32, u32);

impl Key {
    fn new(seed: u64, id: u128, purpose: u64) -> Key {
        let mut mixed = mix64(seed ^ 0x6a09_e667_f3bc_c908);
        for word in [id as u64, (id >> 64) as u64, purpose] {
            mixed = mix64(mixed ^ word.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        }
        Key(mixed as u32, (mixed >> 32) as u32)
    }

    /// 32 random bits for a run.
    #[inline]
    fn bits(self, run: u32) -> u32 {
        let mut bits = run.wrapping_mul(0x9e37_79b9) ^ self.0;
        bits = (bits ^ bits >> 17).wrapping_mul(0xed5a_d4bb);
        bits = (bits ^ bits >> 11).wrapping_add(self.1).wrapping_mul(0xac4c_1b51);
        bits = (bits ^ bits >> 15).wrapping_mul(0x3184_8bab);
        bits ^ bits >> 14
    }

    /// A number strictly between 0 and 1 for a run.
    fn share(self, run: u32) -> f64 {
        (f64::from(self.bits(run)) + 0.5) / 4_294_967_296.0
    }

    /// A key for the n-th further number of the same run.
    fn further(self, index: u32) -> Key {
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

/// How one leaf's remaining work is drawn.
#[derive(Debug, Clone, Copy)]
enum Source {
    Fixed,
    /// From a table of days.
    Table {
        table: u32,
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

/// A table as single precision days.
type Days = [f32; CELLS + 1];

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
    impacts: Vec<(usize, u32, Key)>,
}

/// Everything needed to draw.
pub(crate) struct Sampler<'a> {
    network: &'a Network,
    sources: Vec<Source>,
    tables: Vec<Days>,
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
            tables: Vec::new(),
            causes: HashMap::new(),
            systemic: Key::new(options.seed, 0, FACTOR),
            risks: Vec::new(),
        };
        let mut pert = PertTables::default();
        for node in (0..compiled.nodes.len()).filter(|node| compiled.is_leaf(*node)) {
            if inputs.flags[node] & PINNED == 0 {
                let task = &network.tasks[compiled.nodes[node].task as usize];
                let left = f64::from(inputs.remaining[node]);
                sampler.sources[node] = sampler.source_of(task, left, options, &mut pert);
            }
        }
        sampler.read_causes(compiled, options);
        sampler.read_risks(compiled, inputs, options, &mut pert);
        sampler
    }

    fn source_of(
        &mut self,
        task: &Task,
        left: f64,
        options: &SimulationOptions,
        pert: &mut PertTables,
    ) -> Source {
        if task.duration == 0 {
            return Source::Fixed;
        }
        let key = Key::new(options.seed, task.id, DURATION);
        // What is done is done: only the open share of an estimate is uncertain.
        let share = left / f64::from(task.duration);
        if let Some(estimate) = task.estimate.filter(is_usable) {
            let table = self.table_of(estimate, share, options.shape, pert);
            return Source::Table { table, key };
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

    fn table_of(&mut self, estimate: ThreePoint, share: f64, shape: Shape, pert: &mut PertTables) -> u32 {
        let range = estimate.pessimistic - estimate.optimistic;
        let mode = if range > 0.0 { (estimate.most_likely - estimate.optimistic) / range } else { 0.0 };
        let unit: Quantiles = match shape {
            Shape::Pert => pert.at(mode),
            Shape::Triangular => triangle(mode),
        };
        self.tables.push(unit.map(|x| (share * (estimate.optimistic + range * x)) as f32));
        self.tables.len() as u32 - 1
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
        pert: &mut PertTables,
    ) {
        for risk in &options.risks {
            let mut impacts = Vec::new();
            for (task, days) in risk.impacts.iter().filter(|(_, days)| is_usable(days)) {
                let node = compiled.node_of.get(*task).copied().unwrap_or(u32::MAX) as usize;
                if node >= inputs.flags.len() || inputs.flags[node] & PINNED != 0 {
                    continue;
                }
                let table = self.table_of(*days, 1.0, options.shape, pert);
                let id = self.network.tasks[*task].id ^ risk.id.rotate_left(64);
                impacts.push((node, table, Key::new(options.seed, id, IMPACT)));
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
            Source::Table { key, .. } if self.causes.is_empty() && self.risks.is_empty() => {
                Some((0..runs).map(|run| key.share(run)).collect())
            }
            _ => None,
        }
    }

    /// Draws the remaining work of all nodes for sixteen runs.
    pub(crate) fn fill(&self, first_run: u32, inputs: &Inputs, remaining: &mut [Lane]) {
        for (node, _, _) in self.risks.iter().flat_map(|risk| &risk.impacts) {
            // The runs before may have left an impact here.
            remaining[*node] = [inputs.remaining[*node] as f32; WIDTH];
        }
        for (node, source) in self.sources.iter().enumerate() {
            let lane = &mut remaining[node];
            match *source {
                Source::Fixed => {}
                Source::Table { table, key } if self.causes.is_empty() => {
                    from_table(&self.tables[table as usize], key, first_run, lane);
                }
                Source::Table { table, key } => self.draw_with_causes(node, table, key, first_run, lane),
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
                for (node, table, key) in &risk.impacts {
                    remaining[*node][index] += quantile(&self.tables[*table as usize], key.bits(run));
                }
            }
        }
    }

    /// Draws with shared causes: normal scores are mixed and turned back into a share.
    fn draw_with_causes(&self, node: usize, table: u32, key: Key, first_run: u32, lane: &mut Lane) {
        let Some(causes) = self.causes.get(&node) else {
            return from_table(&self.tables[table as usize], key, first_run, lane);
        };
        for (index, days) in lane.iter_mut().enumerate() {
            let run = first_run + index as u32;
            let mut score = causes.own * normal_quantile(key.share(run));
            score += causes.systemic * normal_quantile(self.systemic.share(run));
            if let Some((group, weight)) = causes.group {
                score += weight * normal_quantile(group.share(run));
            }
            let bits = (normal_below(score) * 4_294_967_296.0).clamp(0.0, 4_294_967_295.0) as u32;
            *days = quantile(&self.tables[table as usize], bits);
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

#[inline]
fn from_table(table: &Days, key: Key, first_run: u32, lane: &mut Lane) {
    let bits: [u32; WIDTH] = std::array::from_fn(|index| key.bits(first_run + index as u32));
    for (days, bits) in lane.iter_mut().zip(bits) {
        *days = quantile(table, bits);
    }
}

/// The table's value at a share of 2³².
#[inline]
fn quantile(table: &Days, bits: u32) -> f32 {
    let cell = (bits >> 24) as usize;
    let within = (bits & 0x00ff_ffff) as f32 / 16_777_216.0;
    table[cell] + within * (table[cell + 1] - table[cell])
}
