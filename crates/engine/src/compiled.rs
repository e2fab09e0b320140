//! A network made ready for the passes: nodes renumbered in topological order, edges packed per node,
//! calendars as tables. Holds structure only; dates, durations and progress are `inputs`.

use std::collections::HashMap;

use crate::axis::{Axis, Window};
use crate::bridge::{Bridge, Shift};
use crate::calendar::Calendar;
use crate::fault::Fault;
use crate::graph::{CONTAINMENT, Edge, End, Graph, Node, Role};
use crate::network::{LagCalendar, LagUnit, Link, LinkKind, Network, Task};
use crate::order::Order;
use crate::outline::Outline;

/// Position in `Compiled::axes` of the axis on which every day counts.
pub(crate) const CONTINUOUS: u32 = 0;

/// An edge between nodes of one axis whose lag counts on it: plain addition of ordinals.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    /// `other node << 2 | target end << 1 | source end`.
    packed: u32,
    pub(crate) lag: i32,
}

impl Step {
    pub(crate) fn new(other: u32, source: End, target: End, lag: i32) -> Step {
        Step { packed: other << 2 | (target as u32) << 1 | source as u32, lag }
    }

    pub(crate) fn other(self) -> usize {
        (self.packed >> 2) as usize
    }

    /// 1 if the successor's finish is held, 0 for its start.
    pub(crate) fn target_is_finish(self) -> bool {
        self.packed >> 1 & 1 == 1
    }

    /// 1 if the predecessor's finish holds, 0 for its start.
    pub(crate) fn source_is_finish(self) -> bool {
        self.packed & 1 == 1
    }
}

/// Edges grouped by node.
#[derive(Debug, Clone)]
pub(crate) struct Grouped<T> {
    start: Vec<u32>,
    items: Vec<T>,
    /// The edge of the graph that each item came from.
    origin: Vec<u32>,
}

impl<T: Copy> Grouped<T> {
    fn empty() -> Grouped<T> {
        Grouped { start: Vec::new(), items: Vec::new(), origin: Vec::new() }
    }

    /// Groups items by the node they were given with, keeping their order.
    fn by_node(count: usize, items: &[(u32, u32, T)]) -> Grouped<T> {
        let mut start = vec![0u32; count + 1];
        items.iter().for_each(|item| start[item.0 as usize + 1] += 1);
        for index in 0..count {
            start[index + 1] += start[index];
        }
        let mut next = start.clone();
        let mut order = vec![0usize; items.len()];
        for (index, item) in items.iter().enumerate() {
            order[next[item.0 as usize] as usize] = index;
            next[item.0 as usize] += 1;
        }
        Grouped {
            start,
            items: order.iter().map(|index| items[*index].2).collect(),
            origin: order.iter().map(|index| items[*index].1).collect(),
        }
    }

    #[inline]
    pub(crate) fn of(&self, node: usize) -> &[T] {
        &self.items[self.start[node] as usize..self.start[node + 1] as usize]
    }

    /// Items of a node, each with its edge of the graph.
    pub(crate) fn with_origin(&self, node: usize) -> impl Iterator<Item = (T, u32)> {
        let range = self.start[node] as usize..self.start[node + 1] as usize;
        self.items[range.clone()].iter().copied().zip(self.origin[range].iter().copied())
    }
}

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

/// The axes of a network, equal calendars sharing one.
struct Calendars {
    axes: Vec<Axis>,
    of_calendar: Vec<u32>,
    built_in: u32,
}

impl Calendars {
    fn of(network: &Network, faults: &mut Vec<Fault>) -> Calendars {
        let (window, reach) = span_of(network);
        let mut axes = vec![Axis::continuous()];
        let mut known: HashMap<&Calendar, u32> = HashMap::new();
        let standard = Calendar::default();
        let mut table = |calendar| {
            *known.entry(calendar).or_insert_with(|| match Axis::new(calendar, window, reach) {
                Some(axis) => {
                    axes.push(axis);
                    axes.len() as u32 - 1
                }
                None => u32::MAX,
            })
        };
        let built_in = table(&standard);
        let of_calendar: Vec<u32> = network
            .calendars
            .iter()
            .enumerate()
            .map(|(index, calendar)| {
                let axis = table(calendar);
                if axis != u32::MAX {
                    return axis;
                }
                faults.push(Fault::InvalidCalendar { calendar: index });
                built_in
            })
            .collect();
        let mut missing: Vec<usize> =
            network.projects.iter().filter_map(|project| project.calendar).collect();
        missing.extend(network.tasks.iter().filter_map(|task| task.calendar));
        missing.retain(|calendar| *calendar >= network.calendars.len());
        missing.sort_unstable();
        missing.dedup();
        faults.extend(missing.into_iter().map(|calendar| Fault::InvalidCalendar { calendar }));
        Calendars { axes, of_calendar, built_in }
    }

    fn of_project(&self, network: &Network, project: usize) -> u32 {
        let calendar = network.projects.get(project).and_then(|frame| frame.calendar);
        calendar.and_then(|calendar| self.of_calendar.get(calendar)).copied().unwrap_or(self.built_in)
    }

    fn of_task(&self, network: &Network, task: &Task) -> u32 {
        match task.calendar {
            Some(calendar) => self.of_calendar.get(calendar).copied().unwrap_or(self.built_in),
            None => self.of_project(network, task.project),
        }
    }
}

/// The days that tables should cover, and how far they may grow for an exception.
fn span_of(network: &Network) -> (Window, Window) {
    const YEAR: i64 = 366;
    let anchor = network.projects.iter().map(|project| i64::from(project.start.0)).min().unwrap_or(0);
    let dates = network
        .tasks
        .iter()
        .flat_map(|task| [task.planned_start, task.actual_start, task.actual_finish])
        .chain(network.projects.iter().flat_map(|project| [Some(project.start), project.data_date]))
        .flatten()
        .map(|day| i64::from(day.0));
    let (first, last) = dates.fold((anchor, anchor), |(first, last), day| (first.min(day), last.max(day)));
    let work: i64 = network.tasks.iter().map(|task| i64::from(task.duration.max(0))).sum::<i64>()
        + network.links.iter().map(|link| i64::from(link.lag).abs()).sum::<i64>();
    let clamp = |day: i64, low: i64, high: i64| {
        day.clamp(anchor - low * YEAR, anchor + high * YEAR).clamp(-8_000_000, 8_000_000) as i32
    };
    let window =
        Window { first: clamp(first - 31, 20, 0), last: clamp(last + (work * 2).min(20 * YEAR) + 31, 0, 60) };
    let reach = Window { first: clamp(i64::MIN / 4, 100, 0), last: clamp(i64::MAX / 4, 0, 300) };
    (window, reach)
}

/// What an edge adds on its way.
fn shift_of(network: &Network, calendars: &Calendars, edge: &Edge) -> Shift {
    if edge.link == CONTAINMENT {
        return Shift::None;
    }
    let link: &Link = &network.links[edge.link as usize];
    let (predecessor, successor) = (&network.tasks[link.predecessor], &network.tasks[link.successor]);
    let lag_calendar = link.lag_calendar.unwrap_or(network.projects[successor.project].lag_calendar);
    let days = match link.lag_unit {
        LagUnit::Percent => {
            let tenths = i64::from(link.lag) * i64::from(predecessor.duration.max(0));
            ((tenths + 50 * tenths.signum()) / 100).clamp(-1_000_000, 1_000_000) as i32
        }
        LagUnit::Working | LagUnit::Elapsed => link.lag,
    };
    if link.lag_unit == LagUnit::Elapsed {
        return if days == 0 { Shift::None } else { Shift::Elapsed(days) };
    }
    let axis = match lag_calendar {
        // Shown dates count here, so from a start to a finish even no lag is one boundary on.
        LagCalendar::Elapsed if link.kind == LinkKind::StartToFinish => return Shift::ShownDays(days + 1),
        LagCalendar::Elapsed if days == 0 => return Shift::None,
        LagCalendar::Elapsed => return Shift::Elapsed(days),
        LagCalendar::Successor => calendars.of_task(network, successor),
        LagCalendar::Predecessor => calendars.of_task(network, predecessor),
        LagCalendar::Project => calendars.of_project(network, successor.project),
    };
    if days == 0 { Shift::None } else { Shift::Working { days, axis } }
}
