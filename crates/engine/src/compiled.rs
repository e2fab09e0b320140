//! A network made ready for the passes: nodes renumbered in topological order, edges packed per node,
//! calendars as tables. Holds structure only; dates, durations and progress are `inputs`.

use crate::axis::Axis;
use crate::bridge::{Bridge, Shift};
use crate::calendars::Calendars;
use crate::edges::{Grouped, Step, shift_of};
use crate::fault::Fault;
use crate::graph::{Edge, End, Graph, Node, Role};
use crate::network::Network;
use crate::order::Order;
use crate::outline::Outline;

/// Position in `Compiled::axes` of the axis on which every day counts.
pub(crate) const CONTINUOUS: u32 = 0;

/// The structure of a network, sorted and packed. Nodes are positions in topological order.
#[derive(Debug, Clone)]
pub(crate) struct Compiled {
    pub(crate) outline: Outline,
    pub(crate) axes: Vec<Axis>,
    pub(crate) nodes: Vec<Node>,
    /// Axis on which a node is computed: its own, or `CONTINUOUS` for points among mixed calendars.
    pub(crate) axis: Vec<u32>,
    /// Axis of the calendar that a node's dates and floats are shown on.
    pub(crate) own_axis: Vec<u32>,
    /// Axis of the calendar of each row.
    pub(crate) task_axis: Vec<u32>,
    /// Axis of the calendar of each project.
    pub(crate) project_axis: Vec<u32>,
    /// Node of each leaf, `u32::MAX` for other rows.
    pub(crate) node_of: Vec<u32>,
    pub(crate) steps_in: Grouped<Step>,
    pub(crate) steps_out: Grouped<Step>,
    pub(crate) bridges_in: Grouped<Bridge>,
    pub(crate) bridges_out: Grouped<Bridge>,
    /// Edges of the graph with node positions, in the order of the graph.
    pub(crate) edges: Vec<Edge>,
    pub(crate) faults: Vec<Fault>,
}

impl Compiled {
    pub(crate) fn new(network: &Network) -> Compiled {
        let mut outline = Outline::read(network);
        let graph = Graph::build(network, &outline);
        let order = Order::of(network, &graph);
        let mut faults = std::mem::take(&mut outline.faults);
        faults.extend(order.faults);
        let mut calendars = Calendars::of(network, &mut faults);

        let mut position = vec![0u32; graph.nodes.len()];
        order.sorted.iter().enumerate().for_each(|(place, node)| position[*node as usize] = place as u32);
        let nodes: Vec<Node> = order.sorted.iter().map(|node| graph.nodes[*node as usize]).collect();
        let task_axis: Vec<u32> = network.tasks.iter().map(|task| calendars.of_task(network, task)).collect();
        let own_axis: Vec<u32> = nodes.iter().map(|node| task_axis[node.task as usize]).collect();
        let edges: Vec<Edge> = graph
            .edges
            .iter()
            .zip(&order.dropped)
            .filter(|(_, dropped)| !**dropped)
            .map(|(edge, _)| Edge {
                from: position[edge.from as usize],
                to: position[edge.to as usize],
                ..*edge
            })
            .collect();
        let mut node_of = vec![u32::MAX; network.tasks.len()];
        for (place, node) in nodes.iter().enumerate().filter(|(_, node)| node.role == Role::Leaf) {
            node_of[node.task as usize] = place as u32;
        }
        let mut compiled = Compiled {
            outline,
            axes: Vec::new(),
            axis: own_axis.clone(),
            own_axis,
            task_axis,
            project_axis: (0..network.projects.len())
                .map(|project| calendars.of_project(network, project))
                .collect(),
            nodes,
            node_of,
            steps_in: Grouped::empty(),
            steps_out: Grouped::empty(),
            bridges_in: Grouped::empty(),
            bridges_out: Grouped::empty(),
            edges,
            faults,
        };
        compiled.connect(network, &mut calendars);
        compiled.axes = calendars.axes;
        compiled
    }

    pub(crate) fn is_leaf(&self, node: usize) -> bool {
        self.nodes[node].role == Role::Leaf
    }

    /// Whether a node takes the earliest of what leads into it, where all others take the latest.
    pub(crate) fn takes_earliest(&self, node: usize) -> bool {
        self.nodes[node].role == Role::From(End::Start)
    }

    /// Nodes that edges lead to from a node, once per edge.
    pub(crate) fn successors(&self, node: usize) -> impl Iterator<Item = usize> {
        let steps = self.steps_out.of(node).iter().map(|step| step.other());
        steps.chain(self.bridges_out.of(node).iter().map(|bridge| bridge.other as usize))
    }

    /// The axis that a node is computed on.
    #[inline]
    pub(crate) fn axis_of(&self, node: usize) -> &Axis {
        &self.axes[self.axis[node] as usize]
    }

    /// The axis that a node is shown on.
    #[inline]
    pub(crate) fn own_axis_of(&self, node: usize) -> &Axis {
        &self.axes[self.own_axis[node] as usize]
    }

    /// A place on the axis that a node is computed on, as an ordinal of its own calendar.
    #[inline]
    pub(crate) fn own_ordinal(&self, node: usize, place: i32) -> i32 {
        if self.axis[node] == self.own_axis[node] { place } else { self.own_axis_of(node).ordinal(place) }
    }

    /// The latest place on a node's axis before which no working day of its own ends after a boundary.
    pub(crate) fn finishing_by(&self, node: usize, boundary: i32) -> i32 {
        let own = self.own_axis_of(node);
        let ordinal = own.ordinal(boundary);
        if self.axis[node] == self.own_axis[node] { ordinal } else { own.start(ordinal) }
    }

    /// Turns edges into steps and bridges.
    fn connect(&mut self, network: &Network, calendars: &mut Calendars) {
        let uniform = self.own_axis.windows(2).all(|pair| pair[0] == pair[1]);
        let shifts: Vec<Shift> = self.edges.iter().map(|edge| shift_of(network, calendars, edge)).collect();
        let on_axis = |shift: &Shift, axis: u32| match shift {
            Shift::None => Some(0),
            Shift::Working { days, axis: lag_axis } if *lag_axis == axis => Some(*days),
            _ => None,
        };
        let plain = uniform
            && self.edges.iter().zip(&shifts).all(|(edge, shift)| {
                on_axis(shift, self.own_axis[edge.from as usize]).is_some()
                    && !self.takes_earliest(edge.to as usize)
            });
        if !plain {
            // Points keep the exact boundary, for neighbours may work on days that they do not.
            for (place, node) in self.nodes.iter().enumerate() {
                if node.role != Role::Leaf || network.tasks[node.task as usize].duration == 0 {
                    self.axis[place] = CONTINUOUS;
                }
            }
        }
        let (mut steps_in, mut steps_out) = (Vec::new(), Vec::new());
        let (mut bridges_in, mut bridges_out) = (Vec::new(), Vec::new());
        for (index, (edge, shift)) in self.edges.iter().zip(shifts).enumerate() {
            let (from, to) = (edge.from as usize, edge.to as usize);
            let same = self.axis[from] == self.axis[to] && !self.takes_earliest(to);
            match on_axis(&shift, self.axis[from]).filter(|_| same) {
                Some(lag) => {
                    let step = |other| Step::new(other, edge.source, edge.target, lag);
                    steps_in.push((edge.to, index as u32, step(edge.from)));
                    steps_out.push((edge.from, index as u32, step(edge.to)));
                }
                None => {
                    let bridge = |other| Bridge { other, source: edge.source, target: edge.target, shift };
                    bridges_in.push((edge.to, index as u32, bridge(edge.from)));
                    bridges_out.push((edge.from, index as u32, bridge(edge.to)));
                }
            }
        }
        let count = self.nodes.len();
        self.steps_in = Grouped::by_node(count, &steps_in);
        self.steps_out = Grouped::by_node(count, &steps_out);
        self.bridges_in = Grouped::by_node(count, &bridges_in);
        self.bridges_out = Grouped::by_node(count, &bridges_out);
    }
}
