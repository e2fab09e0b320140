//! Sorts a graph so that every edge leads forward. Links of cycles are left out, and each cycle is reported with its
//! path. Independent nodes keep the order of the input.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use crate::fault::Fault;
use crate::graph::{CONTAINMENT, Graph};
use crate::network::Network;

/// Sweeps that look for exact cycles before everything entangled is cut at once.
const SWEEPS: usize = 32;

/// Nodes in topological order; edges that had to go are marked.
#[derive(Debug, Clone, Default)]
pub(crate) struct Order {
    /// Node numbers, predecessors first; empty if they stand in order already, and with that keep their
    /// places in memory.
    pub(crate) sorted: Vec<u32>,
    /// Whether each edge was left out.
    pub(crate) dropped: Vec<bool>,
    pub(crate) faults: Vec<Fault>,
}

/// Outgoing edges by node.
struct Outgoing {
    start: Vec<u32>,
    edge: Vec<u32>,
}

impl Outgoing {
    fn of(graph: &Graph) -> Outgoing {
        let mut start = vec![0u32; graph.nodes.len() + 1];
        for edge in &graph.edges {
            start[edge.from as usize + 1] += 1;
        }
        for index in 1..start.len() {
            start[index] += start[index - 1];
        }
        let mut next = start.clone();
        let mut list = vec![0u32; graph.edges.len()];
        for (index, edge) in graph.edges.iter().enumerate() {
            list[next[edge.from as usize] as usize] = index as u32;
            next[edge.from as usize] += 1;
        }
        Outgoing { start, edge: list }
    }

    fn from(&self, node: u32) -> &[u32] {
        &self.edge[self.start[node as usize] as usize..self.start[node as usize + 1] as usize]
    }
}

impl Order {
    pub(crate) fn of(network: &Network, graph: &Graph) -> Order {
        if graph.edges.iter().all(|edge| edge.from < edge.to) {
            return Order::default();
        }
        let mut order = Order { dropped: vec![false; graph.edges.len()], ..Order::default() };
        let outgoing = Outgoing::of(graph);
        for sweep in 0..=SWEEPS {
            let entangled = order.sort(graph, &outgoing);
            if order.sorted.len() == graph.nodes.len() {
                break;
            }
            if sweep < SWEEPS {
                order.cut_cycles(network, graph, &outgoing, &entangled);
            } else {
                order.cut_core(network, graph, &outgoing, &entangled);
                order.sort(graph, &outgoing);
            }
        }
        order
    }

    /// Kahn's algorithm; returns which nodes could not be placed.
    fn sort(&mut self, graph: &Graph, outgoing: &Outgoing) -> Vec<bool> {
        let count = graph.nodes.len();
        let mut waiting = vec![0u32; count];
        for (edge, _) in graph.edges.iter().zip(&self.dropped).filter(|(_, dropped)| !**dropped) {
            waiting[edge.to as usize] += 1;
        }
        self.sorted.clear();
        self.sorted.extend((0..count as u32).filter(|node| waiting[*node as usize] == 0));
        let mut head = 0;
        while head < self.sorted.len() {
            for index in outgoing.from(self.sorted[head]) {
                if self.dropped[*index as usize] {
                    continue;
                }
                let to = graph.edges[*index as usize].to;
                waiting[to as usize] -= 1;
                if waiting[to as usize] == 0 {
                    self.sorted.push(to);
                }
            }
            head += 1;
        }
        waiting.iter().map(|left| *left > 0).collect()
    }

    /// One depth-first sweep over the unplaced nodes that cuts every cycle it runs into. Cycles of one
    /// sweep share no node, so that no link is cut for a cycle that is already open. Ways are tried in the
    /// order of ids, so that the order of rows and links decides nothing.
    fn cut_cycles(&mut self, network: &Network, graph: &Graph, outgoing: &Outgoing, entangled: &[bool]) {
        let name = |node: u32| {
            let node = graph.nodes[node as usize];
            (network.tasks[node.task as usize].id, node.role)
        };
        let ways = |node: u32| {
            let mut ways: Vec<u32> = outgoing.from(node).to_vec();
            ways.sort_by_key(|index| Reverse(name(graph.edges[*index as usize].to)));
            ways
        };
        const NEW: u8 = 0;
        const OPEN: u8 = 1;
        const SHUT: u8 = 2;
        let mut roots: Vec<u32> =
            (0..graph.nodes.len() as u32).filter(|node| entangled[*node as usize]).collect();
        roots.sort_by_key(|node| name(*node));
        let mut state = vec![NEW; graph.nodes.len()];
        // The way down: a node, its edges that are still to be taken, the last first, and the edge that led to it.
        let mut way: Vec<(u32, Vec<u32>, u32)> = Vec::new();
        for root in roots {
            if state[root as usize] != NEW {
                continue;
            }
            state[root as usize] = OPEN;
            way.push((root, ways(root), CONTAINMENT));
            while let Some((node, left, _)) = way.last_mut() {
                let Some(index) = left.pop() else {
                    state[*node as usize] = SHUT;
                    way.pop();
                    continue;
                };
                let to = graph.edges[index as usize].to;
                if self.dropped[index as usize] || !entangled[to as usize] {
                    continue;
                }
                if state[to as usize] == NEW {
                    state[to as usize] = OPEN;
                    way.push((to, ways(to), index));
                } else if state[to as usize] == OPEN {
                    let from = way.iter().position(|step| step.0 == to).unwrap_or(0);
                    let edges: Vec<u32> = way[from + 1..].iter().map(|step| step.2).chain([index]).collect();
                    self.cut(network, graph, outgoing, &edges);
                    way.drain(..).for_each(|step| state[step.0 as usize] = SHUT);
                }
            }
        }
    }

    /// Leaves out the links among edges that form a cycle, with all that tie the same nodes, and reports it.
    fn cut(&mut self, network: &Network, graph: &Graph, outgoing: &Outgoing, edges: &[u32]) {
        let mut path: Vec<u128> = Vec::new();
        let mut links = Vec::new();
        for index in edges {
            let edge = graph.edges[*index as usize];
            let beside = outgoing.from(edge.from).iter().filter(|index| {
                let other = graph.edges[**index as usize];
                other.to == edge.to && other.link != CONTAINMENT
            });
            for index in beside {
                if !std::mem::replace(&mut self.dropped[*index as usize], true) {
                    links.push(graph.edges[*index as usize].link as usize);
                }
            }
            path.push(network.tasks[graph.nodes[edge.to as usize].task as usize].id);
        }
        let mut seen = HashSet::new();
        path.retain(|id| seen.insert(*id));
        let smallest = path.iter().enumerate().min_by_key(|(_, id)| **id).map_or(0, |(index, _)| index);
        path.rotate_left(smallest);
        self.faults.push(Fault::Cycle { path, links });
    }

    /// Leaves out every link within what is still knotted: nodes each of which leads to every other.
    fn cut_core(&mut self, network: &Network, graph: &Graph, outgoing: &Outgoing, entangled: &[bool]) {
        let knot_of = self.knots(graph, outgoing, entangled);
        let mut inside: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (index, edge) in graph.edges.iter().enumerate().filter(|(index, _)| !self.dropped[*index]) {
            let (from, to) = (knot_of[edge.from as usize], knot_of[edge.to as usize]);
            if from == to && from != u32::MAX {
                inside.entry(from).or_default().push(index as u32);
            }
        }
        inside.values().for_each(|edges| self.cut(network, graph, outgoing, edges));
    }

    /// The knot of each entangled node, by Tarjan's algorithm; `u32::MAX` for all others.
    fn knots(&self, graph: &Graph, outgoing: &Outgoing, entangled: &[bool]) -> Vec<u32> {
        let count = graph.nodes.len();
        let (mut knot_of, mut low) = (vec![u32::MAX; count], vec![u32::MAX; count]);
        let (mut met, mut open) = (0, Vec::new());
        // The way down: a node, when it was met, and how many of its edges were taken.
        let mut way: Vec<(u32, u32, usize)> = Vec::new();
        for root in (0..count as u32).filter(|node| entangled[*node as usize]) {
            if low[root as usize] == u32::MAX {
                way.push((root, met, 0));
            }
            while let Some((node, number, taken)) = way.last_mut() {
                let (node, number) = (*node, *number);
                if *taken == 0 {
                    low[node as usize] = number;
                    met = number + 1;
                    open.push(node);
                }
                let edge = outgoing.from(node).get(*taken).copied();
                *taken += 1;
                if let Some(index) = edge {
                    let to = graph.edges[index as usize].to;
                    if self.dropped[index as usize] || !entangled[to as usize] {
                        continue;
                    }
                    if low[to as usize] == u32::MAX {
                        way.push((to, met, 0));
                    } else if knot_of[to as usize] == u32::MAX {
                        low[node as usize] = low[node as usize].min(low[to as usize]);
                    }
                    continue;
                }
                if low[node as usize] == number {
                    let from = open.iter().rposition(|other| *other == node).unwrap_or(0);
                    open.drain(from..).for_each(|other| knot_of[other as usize] = node);
                }
                way.pop();
                if let Some((above, _, _)) = way.last() {
                    low[*above as usize] = low[*above as usize].min(low[node as usize]);
                }
            }
        }
        knot_of
    }
}
