//! The network as a graph of leaves and hubs. A link on a summary is one edge to a hub node, to which its leaves are
//! connected, so there is never a cross product. The graph is not sorted yet: `order` sorts it and removes cycles.

use crate::ends::{End, ends};
use crate::network::Network;
use crate::outline::Outline;

/// Marks an edge that stands for containment, not for a link.
pub(crate) const CONTAINMENT: u32 = u32::MAX;

/// What a node stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// A leaf, scheduled itself.
    Leaf,
    /// Hands a bound on one end of a summary down to its leaves.
    Into(End),
    /// Gathers one end of a summary's leaves: the latest finish, or the earliest start.
    From(End),
    /// A leaf that was removed; nothing leads to it or from it.
    Gone,
}

/// A node: a leaf or one end of a summary.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    /// Position of the row in the network.
    pub(crate) task: u32,
    pub(crate) role: Role,
}

/// A precedence between two nodes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) source: End,
    pub(crate) target: End,
    /// Position of the link, or `CONTAINMENT`.
    pub(crate) link: u32,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
}

const NONE: u32 = u32::MAX;

/// Hands out node numbers, creating hubs on demand.
struct Builder<'a> {
    outline: &'a Outline,
    graph: Graph,
    leaf: Vec<u32>,
    /// Hubs of each row by kind. Empty when no link touches a summary.
    hubs: Vec<[u32; 4]>,
}

impl Graph {
    pub(crate) fn build(network: &Network, outline: &Outline) -> Graph {
        let count = network.tasks.len();
        if outline.is_flat() {
            return Graph::of_leaves(network, outline);
        }
        let mut builder = Builder {
            outline,
            graph: Graph { nodes: Vec::with_capacity(count), edges: Vec::with_capacity(network.links.len()) },
            leaf: vec![NONE; count],
            hubs: Vec::new(),
        };
        for task in 0..count {
            if outline.is_leaf(task) {
                builder.leaf[task] = builder.add(task, Role::Leaf);
            }
        }
        for (index, link) in network.links.iter().enumerate() {
            if !outline.usable_link[index] {
                continue;
            }
            let (source, target) = ends(link.kind);
            let from = builder.node_for(link.predecessor, Role::From(source));
            let to = builder.node_for(link.successor, Role::Into(target));
            builder.graph.edges.push(Edge { from, to, source, target, link: index as u32 });
        }
        builder.graph
    }

    /// The graph of a plan without summaries, in which every row is a node of the same number.
    fn of_leaves(network: &Network, outline: &Outline) -> Graph {
        let nodes = (0..network.tasks.len() as u32).map(|task| Node { task, role: Role::Leaf }).collect();
        let usable =
            network.links.iter().enumerate().zip(&outline.usable_link).filter(|(_, usable)| **usable);
        let edges = usable.map(|((index, link), _)| {
            let (source, target) = ends(link.kind);
            let (from, to) = (link.predecessor as u32, link.successor as u32);
            Edge { from, to, source, target, link: index as u32 }
        });
        let mut graph = Graph { nodes, edges: Vec::with_capacity(network.links.len()) };
        graph.edges.extend(edges);
        graph
    }

    /// Gives nodes the numbers of their places in an order, and takes out dropped edges.
    pub(crate) fn renumber(&mut self, sorted: &[u32], dropped: &[bool]) {
        let mut position = vec![0u32; self.nodes.len()];
        sorted.iter().enumerate().for_each(|(place, node)| position[*node as usize] = place as u32);
        self.nodes = sorted.iter().map(|node| self.nodes[*node as usize]).collect();
        let mut dropped = dropped.iter();
        self.edges.retain_mut(|edge| {
            (edge.from, edge.to) = (position[edge.from as usize], position[edge.to as usize]);
            dropped.next() != Some(&true)
        });
    }
}

impl Builder<'_> {
    fn add(&mut self, task: usize, role: Role) -> u32 {
        self.graph.nodes.push(Node { task: task as u32, role });
        self.graph.nodes.len() as u32 - 1
    }

    /// The node that stands for a row in this role: the leaf itself, or a hub with all hubs below it.
    fn node_for(&mut self, task: usize, role: Role) -> u32 {
        if self.leaf[task] != NONE || !self.outline.summary[task] {
            return self.leaf[task];
        }
        if self.hubs.is_empty() {
            self.hubs = vec![[NONE; 4]; self.outline.summary.len()];
        }
        let (kind, end) = match role {
            Role::Into(end) => (end as usize, end),
            Role::From(end) => (2 + end as usize, end),
            Role::Leaf | Role::Gone => return self.leaf[task],
        };
        if self.hubs[task][kind] != NONE {
            return self.hubs[task][kind];
        }
        self.hubs[task][kind] = self.add(task, role);
        let mut pending = vec![task];
        while let Some(summary) = pending.pop() {
            let hub = self.hubs[summary][kind];
            for child in self.outline.children_of(summary) {
                let child = *child as usize;
                let node = if !self.outline.summary[child] {
                    self.leaf[child]
                } else if self.hubs[child][kind] != NONE {
                    self.hubs[child][kind]
                } else {
                    self.hubs[child][kind] = self.add(child, role);
                    pending.push(child);
                    self.hubs[child][kind]
                };
                let (from, to) = if matches!(role, Role::Into(_)) { (hub, node) } else { (node, hub) };
                self.graph.edges.push(Edge { from, to, source: end, target: end, link: CONTAINMENT });
            }
        }
        self.hubs[task][kind]
    }
}
