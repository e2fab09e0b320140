//! Multiple float paths: the chains of work that lead to a task or to the finish of a project. The most critical
//! chain comes first, and each has the float of its work.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use crate::compiled::Compiled;
use crate::ends::End;
use crate::engine::{Finishes, place};
use crate::explain::leads_on;
use crate::inputs::{DETACHED, Inputs, PINNED, STARTED};
use crate::network::Network;
use crate::passes::{Early, Forward, Late, leads};
use crate::plan::CompiledPlan;
use crate::range::UNBOUND;

/// One chain of work that leads to a task or to the finish.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FloatPath {
    /// The working days that the last leaf of the chain can slip, on its own calendar, before the requested task
    /// moves. In a path to the finish it is its total float.
    pub float: i32,
    /// The positions of its leaves, in the order of work.
    pub tasks: Vec<usize>,
    /// The leaf of an earlier path that it leads to; `None` for a path that ends at the task, or at a leaf
    /// that only the finish or its own dates limit.
    pub joins: Option<usize>,
}

/// The `count` most critical chains that lead to a leaf, by float, then by position. Every leaf is on one
/// chain at most. Finished work is on none; nothing leads to a summary, a finished leaf or one left out. Of a plan that
/// is compiled already, ask [`CompiledPlan::float_paths`].
pub fn float_paths(network: &Network, target: usize, count: usize) -> Vec<FloatPath> {
    let compiled = Compiled::new(network);
    let (inputs, early) = place(network, &compiled);
    paths_to(&Forward { network, compiled: &compiled, inputs: &inputs, early: &early }, target, count)
}

/// The `count` most critical chains of a project, by float, then by position. A chain ends where nothing but
/// the project's finish, a deadline or a constraint limits its last leaf, or joins a chain before it. Every
/// leaf is on one chain at most, and every open leaf of the project on one if `count` is large enough; leaves
/// of other projects are where they lead to it. Of a plan that is compiled already, ask
/// [`CompiledPlan::paths_to_finish`].
pub fn paths_to_finish(network: &Network, project: usize, count: usize) -> Vec<FloatPath> {
    let compiled = Compiled::new(network);
    let (inputs, early) = place(network, &compiled);
    let finishes = Finishes::of(network, &compiled, &inputs, &early);
    let forward = Forward { network, compiled: &compiled, inputs: &inputs, early: &early };
    paths_in(&forward, &finishes, project, count)
}

impl CompiledPlan {
    /// The `count` most critical chains that lead to a leaf, as [`float_paths`] finds them.
    pub fn float_paths(&self, target: usize, count: usize) -> Vec<FloatPath> {
        paths_to(&self.placed(), target, count)
    }

    /// The `count` most critical chains of a project, as [`paths_to_finish`] finds them.
    pub fn paths_to_finish(&self, project: usize, count: usize) -> Vec<FloatPath> {
        paths_in(&self.placed(), &self.state().finishes, project, count)
    }
}

fn paths_to(forward: &Forward<'_>, target: usize, count: usize) -> Vec<FloatPath> {
    let Forward { network, compiled, inputs, early } = *forward;
    let node = compiled.node_of.get(target).map_or(usize::MAX, |node| *node as usize);
    if node >= compiled.nodes.len() || inputs.flags[node] & PINNED != 0 {
        return Vec::new();
    }
    // Only the way to the target counts, not what else limits late dates.
    let mut inputs = inputs.clone();
    inputs.high.fill(UNBOUND);
    let finish = early.finish_instant(compiled, &inputs, node);
    inputs.high[node] = compiled.finishing_by(node, finish) - inputs.remaining[node];
    let forward = Forward { inputs: &inputs, ..*forward };
    let late = Late::pass(&forward, &vec![None; network.projects.len()]);
    let mut chains = Chains::new(&forward, &late);
    // The target ends a path whatever leads on from there.
    chains.floats[node] = chains.floats[node].or(Some(0));
    chains.find([node], count)
}

fn paths_in(forward: &Forward<'_>, finishes: &Finishes, project: usize, count: usize) -> Vec<FloatPath> {
    let Forward { network, compiled, .. } = *forward;
    if project >= network.projects.len() {
        return Vec::new();
    }
    let late = Late::pass(forward, &finishes.of_alone(project));
    let chains = Chains::new(forward, &late);
    let is_end = |node: &usize| {
        compiled.is_leaf(*node)
            && compiled.project_of(network, *node) == project
            && chains.floats[*node].is_some()
            && !leads_on(forward, &late, *node)
    };
    let ends: Vec<usize> = (0..compiled.nodes.len()).filter(is_end).collect();
    chains.find(ends, count)
}

struct Chains<'a> {
    compiled: &'a Compiled,
    inputs: &'a Inputs,
    early: &'a Early,
    /// Float against the target; `None` for what does not lead there, and for what is finished.
    floats: Vec<Option<i32>>,
    used: Vec<bool>,
    /// The place of each node in the sequence.
    place: Vec<u32>,
}

/// A leaf that a path may end at: the least float at or before it, its own, its row, who asked first, the
/// node, and what the path joins. Smaller ones come first.
type Candidate = (i32, i32, usize, usize, usize, Option<usize>);

impl<'a> Chains<'a> {
    fn new(forward: &Forward<'a>, late: &Late) -> Chains<'a> {
        let Forward { compiled, inputs, early, .. } = *forward;
        // What is finished, and what only its begun start ties to the target, has no late date.
        let float_of = |node: usize| {
            let float = |latest| compiled.float(node, early.start(inputs, node), latest);
            let open = compiled.is_leaf(node) && inputs.flags[node] & PINNED == 0;
            Some(late.start(node)).filter(|latest| open && *latest < UNBOUND / 2).map(float)
        };
        let count = compiled.nodes.len();
        let floats = (0..count).map(float_of).collect();
        let mut place = vec![0; count];
        compiled.sequence.iter().zip(0..).for_each(|(node, at)| place[*node as usize] = at);
        Chains { compiled, inputs, early, floats, used: vec![false; count], place }
    }

    fn find(mut self, ends: impl IntoIterator<Item = usize>, count: usize) -> Vec<FloatPath> {
        let mut paths = Vec::new();
        let mut least = self.least();
        let mut open: BinaryHeap<Reverse<Candidate>> = BinaryHeap::new();
        let mut asked = 0;
        let mut ask = |open: &mut BinaryHeap<_>, least: i32, float, row, node, joins| {
            open.push(Reverse((least, float, row, asked, node, joins)));
            asked += 1;
        };
        for node in ends {
            let float = self.floats[node].unwrap_or(0);
            ask(&mut open, least[node], float, self.row(node), node, None);
        }
        while paths.len() < count {
            let Some(Reverse((known, float, row, asked, node, joins))) = open.pop() else { break };
            if self.used[node] {
                continue;
            }
            if least[node] > known {
                // What was more critical before it is on a path by now.
                open.push(Reverse((least[node], float, row, asked, node, joins)));
                continue;
            }
            let chain = self.chain(node, &least);
            self.raise(&chain, &mut least);
            for node in &chain {
                let join = Some(self.row(*node));
                for (float, row, before) in self.before(*node) {
                    ask(&mut open, least[before], float, row, before, join);
                }
            }
            let tasks = chain.iter().rev().map(|node| self.row(*node)).collect();
            paths.push(FloatPath { float, tasks, joins });
        }
        paths
    }

    /// The least float of each node and the unused leaves before it. Floats may fall on the way back: where
    /// calendars differ, or behind an elapsed lag.
    fn least(&self) -> Vec<i32> {
        let mut least = vec![i32::MAX; self.used.len()];
        for node in self.compiled.sequence.iter().map(|node| *node as usize) {
            least[node] = self.least_at(node, &least);
        }
        least
    }

    /// The same for one node, where those before it are known.
    fn least_at(&self, node: usize, least: &[i32]) -> i32 {
        let own = match (self.compiled.is_leaf(node), self.floats[node]) {
            (true, None) if !self.passes_on(node) => return i32::MAX,
            (true, Some(_)) if self.used[node] => return i32::MAX,
            (_, float) => float.unwrap_or(i32::MAX),
        };
        self.sources(node).into_iter().fold(own, |sum, from| sum.min(least[from]))
    }

    /// Brings the least floats up to date after the leaves of a chain were used, as far as that reaches.
    fn raise(&self, chain: &[usize], least: &mut [i32]) {
        // Nodes by their places in the sequence, so that each comes after all that lead to it.
        let mut open: BinaryHeap<Reverse<(u32, usize)>> =
            chain.iter().map(|node| Reverse((self.place[*node], *node))).collect();
        while let Some(Reverse((place, node))) = open.pop() {
            while open.peek().is_some_and(|Reverse((other, _))| *other == place) {
                open.pop();
            }
            let now = self.least_at(node, least);
            if std::mem::replace(&mut least[node], now) != now {
                open.extend(self.compiled.successors(node).map(|to| Reverse((self.place[to], to))));
            }
        }
    }

    /// From a leaf back along the most critical leaves before it, as far as none is used.
    fn chain(&mut self, from: usize, least: &[i32]) -> Vec<usize> {
        self.used[from] = true;
        let mut chain = vec![from];
        let mut at = from;
        let key = |(float, row, node): &(i32, usize, usize)| (least[*node], *float, *row);
        while let Some((_, _, node)) = self.before(at).into_iter().min_by_key(key) {
            self.used[node] = true;
            chain.push(node);
            at = node;
        }
        chain
    }

    /// Whether finished work passes on the logic that leads into it.
    fn passes_on(&self, node: usize) -> bool {
        self.inputs.passing && self.inputs.flags[node] & PINNED != 0
    }

    /// Unused leaves that lead straight to a leaf, through the summaries of links, or through finished work
    /// that passes logic on.
    fn before(&self, node: usize) -> Vec<(i32, usize, usize)> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut pending = self.sources(node);
        while let Some(node) = pending.pop() {
            if !seen.insert(node) {
                continue;
            }
            if !self.compiled.is_leaf(node) || self.passes_on(node) {
                pending.extend(self.sources(node));
            } else if let (Some(float), false) = (self.floats[node], self.used[node]) {
                found.push((float, self.row(node), node));
            }
        }
        found
    }

    /// Nodes that hold a node back: not those whose start has happened, nor of what starts a summary those
    /// that are not the first.
    fn sources(&self, node: usize) -> Vec<usize> {
        if self.inputs.flags[node] & DETACHED != 0 {
            return Vec::new();
        }
        let holds = |from: usize, source: End| {
            source == End::Finish || self.inputs.flags[from] & (STARTED | PINNED) == 0
        };
        let along = self.compiled.along_in(node).map(|(step, _)| (step.other(), step.source()));
        let mut found: Vec<usize> =
            along.filter(|(from, source)| holds(*from, *source)).map(|(from, _)| from).collect();
        let first_only = self.compiled.takes_earliest(node);
        for (bridge, _) in self.compiled.across_in(node) {
            let from = bridge.other as usize;
            let outward = crate::bridge::Bridge { other: node as u32, ..bridge };
            let is_first = !first_only || leads(self.compiled, self.inputs, self.early, from, &outward);
            if is_first && holds(from, bridge.source) {
                found.push(from);
            }
        }
        found
    }

    fn row(&self, node: usize) -> usize {
        self.compiled.nodes[node].task as usize
    }
}
