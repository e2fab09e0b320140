//! Multiple float paths: the chains of work that lead to a task, the most critical one first, each with
//! the float that its work has against that task.

use crate::compiled::Compiled;
use crate::engine::place;
use crate::inputs::PINNED;
use crate::network::Network;
use crate::passes::{Forward, Late, UNBOUND};

/// One chain of work that leads to a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FloatPath {
    /// Working days by which the last leaf of the chain can slip, on its own calendar, before the task
    /// that was asked about moves.
    pub float: i32,
    /// Positions of its leaves, the first to be worked first.
    pub tasks: Vec<usize>,
    /// The leaf of an earlier path that it leads to; `None` for the first path, which ends at the task.
    pub joins: Option<usize>,
}

/// The `count` most critical chains that lead to a leaf, by float, then by position. Every leaf is on one
/// chain at most. Finished work is on none; nothing leads to a summary, a finished leaf or one left out.
pub fn float_paths(network: &Network, target: usize, count: usize) -> Vec<FloatPath> {
    let compiled = Compiled::new(network);
    let node = compiled.node_of.get(target).map_or(usize::MAX, |node| *node as usize);
    if node >= compiled.nodes.len() {
        return Vec::new();
    }
    let (mut inputs, early) = place(network, &compiled);
    if inputs.flags[node] & PINNED != 0 {
        return Vec::new();
    }
    // Only the way to the target counts, not what else limits late dates.
    inputs.high.fill(UNBOUND);
    let finish = early.finish_boundary(&compiled, &inputs, node);
    inputs.high[node] = compiled.finishing_by(node, finish) - inputs.remaining[node];
    let forward = Forward { network, compiled: &compiled, inputs: &inputs, early: &early };
    let late = Late::pass(&forward, &vec![None; network.projects.len()]);
    // What is finished, and what only its begun start ties to the target, has no late date.
    let float_of = |node: usize| {
        let float = |latest| {
            compiled.own_ordinal(node, latest) - compiled.own_ordinal(node, early.start(&inputs, node))
        };
        Some(late.start(node)).filter(|latest| *latest < UNBOUND / 2).map(float)
    };
    let floats: Vec<Option<i32>> = (0..compiled.nodes.len()).map(float_of).collect();
    Chains { compiled: &compiled, floats, used: vec![false; compiled.nodes.len()] }.find(node, count)
}

struct Chains<'a> {
    compiled: &'a Compiled,
    /// Float against the target; `None` for what does not lead there.
    floats: Vec<Option<i32>>,
    used: Vec<bool>,
}

impl Chains<'_> {
    fn find(mut self, target: usize, count: usize) -> Vec<FloatPath> {
        let mut paths = Vec::new();
        // Leaves that lead to a path, each with its float and the leaf that it leads to.
        let mut open = vec![(self.floats[target].unwrap_or(0), self.row(target), target, None)];
        while paths.len() < count {
            open.retain(|(_, _, node, _)| !self.used[*node]);
            let Some(best) = open.iter().enumerate().min_by_key(|(_, (float, row, _, _))| (*float, *row))
            else {
                break;
            };
            let (float, _, node, joins) = open.swap_remove(best.0);
            let chain = self.chain(node);
            for node in &chain {
                let join = Some(self.row(*node));
                let before = self.before(*node).into_iter();
                open.extend(before.map(|(float, row, node)| (float, row, node, join)));
            }
            let tasks = chain.iter().rev().map(|node| self.row(*node)).collect();
            paths.push(FloatPath { float, tasks, joins });
        }
        paths
    }

    /// From a leaf back along the most critical leaves before it, as far as none is used.
    fn chain(&mut self, from: usize) -> Vec<usize> {
        self.used[from] = true;
        let mut chain = vec![from];
        let mut at = from;
        while let Some((_, _, node)) = self.before(at).into_iter().min() {
            self.used[node] = true;
            chain.push(node);
            at = node;
        }
        chain
    }

    /// Unused leaves that lead straight to a leaf, or through the summaries of links.
    fn before(&self, node: usize) -> Vec<(i32, usize, usize)> {
        let mut found = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut pending: Vec<usize> = self.compiled.predecessors(node).collect();
        while let Some(node) = pending.pop() {
            if !seen.insert(node) {
                continue;
            }
            if !self.compiled.is_leaf(node) {
                pending.extend(self.compiled.predecessors(node));
            } else if let (Some(float), false) = (self.floats[node], self.used[node]) {
                found.push((float, self.row(node), node));
            }
        }
        found
    }

    fn row(&self, node: usize) -> usize {
        self.compiled.nodes[node].task as usize
    }
}
