//! A network prepared for the passes: nodes in topological order, edges packed for each node, calendars as tables. It
//! contains only the structure. Dates, durations and progress are in `inputs`.

use crate::axis::{Axis, boundary_of};
use crate::bridge::{Bridge, Instants, Shift};
use crate::calendars::Calendars;
use crate::day::Day;
use crate::edges::{Grouped, Step, shift_of};
use crate::ends::End;
use crate::fault::Fault;
use crate::graph::{Edge, Graph, Node, Role};
use crate::network::{DoneWork, Network, Task};
use crate::order::Order;
use crate::outline::Outline;
use crate::progress::{Point, is_complete};
use crate::survey::Survey;

/// What the place of a node counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Working days of its calendar.
    Work,
    /// Evenings and mornings of its calendar: twice the working days, and one more in the morning.
    Point,
    /// Nothing: it holds a morning and an evening as boundaries.
    Hub,
}

/// What the passes have to do for an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Add days to an ordinal.
    Step(i32),
    /// Add days to a boundary.
    Crossing(i32),
    /// Look up calendars on the way.
    Bridge,
}

/// The structure of a network, sorted and packed.
#[derive(Debug, Clone)]
pub(crate) struct Compiled {
    pub(crate) outline: Outline,
    pub(crate) calendars: Calendars,
    pub(crate) nodes: Vec<Node>,
    /// Nodes, predecessors first.
    pub(crate) sequence: Vec<u32>,
    /// Nodes are numbered in that sequence, as they are until a link is added against it.
    pub(crate) in_order: bool,
    /// Where the levels of nodes begin that no edge joins with one another, and an end; only while nodes are numbered
    /// so, and where calendars are mixed.
    pub(crate) levels: Vec<u32>,
    /// Axis of the calendar of a node.
    pub(crate) axis: Vec<u32>,
    pub(crate) kind: Vec<Kind>,
    /// Axis of the calendar of each project.
    pub(crate) project_axis: Vec<u32>,
    /// Node of each leaf, `u32::MAX` for other rows.
    pub(crate) node_of: Vec<u32>,
    /// Edges that add days; in a plain plan none of them is a crossing.
    pub(crate) steps_in: Grouped<Step>,
    pub(crate) steps_out: Grouped<Step>,
    pub(crate) bridges_in: Grouped<Bridge>,
    pub(crate) bridges_out: Grouped<Bridge>,
    /// Every row and every lag counts on one calendar, and there are no points: all nodes are computed as
    /// work. It says the same sooner, and nothing else.
    pub(crate) plain: bool,
    pub(crate) faults: Vec<Fault>,
}

impl Compiled {
    pub(crate) fn new(network: &Network) -> Compiled {
        let survey = Survey::of(network);
        let mut outline = Outline::read(network, &survey);
        let mut graph = Graph::build(network, &outline);
        let order = Order::of(network, &graph);
        outline.usable_link = Vec::new();
        let mut faults = std::mem::take(&mut outline.faults);
        faults.extend(order.faults);
        let calendars = Calendars::of(network, &survey, &mut faults);

        if !order.sorted.is_empty() {
            graph.renumber(&order.sorted, &order.dropped);
        }
        let Graph { nodes, edges } = graph;
        let mut axis = vec![0u32; nodes.len()];
        axis.iter_mut().zip(&nodes).for_each(|(axis, node)| *axis = calendars.of_task[node.task as usize]);
        let mut node_of = vec![u32::MAX; network.tasks.len()];
        for (place, node) in nodes.iter().enumerate().filter(|(_, node)| node.role == Role::Leaf) {
            node_of[node.task as usize] = place as u32;
        }
        let project_axis =
            (0..network.projects.len()).map(|project| calendars.of_project(network, project)).collect();
        let mut compiled = Compiled {
            outline,
            calendars,
            sequence: (0..nodes.len() as u32).collect(),
            in_order: true,
            levels: Vec::new(),
            kind: vec![Kind::Work; nodes.len()],
            plain: false,
            axis,
            project_axis,
            nodes,
            node_of,
            steps_in: Grouped::empty(),
            steps_out: Grouped::empty(),
            bridges_in: Grouped::empty(),
            bridges_out: Grouped::empty(),
            faults,
        };
        compiled.connect(network, &survey, &edges);
        compiled
    }

    /// Whether links end at summaries.
    pub(crate) fn has_hubs(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node.role, Role::Into(_) | Role::From(_)))
    }

    /// The project of a node's row.
    #[inline]
    pub(crate) fn project_of(&self, network: &Network, node: usize) -> usize {
        network.project_of_row(self.nodes[node].task as usize)
    }

    pub(crate) fn is_leaf(&self, node: usize) -> bool {
        self.nodes[node].role == Role::Leaf
    }

    /// Whether a node takes the earliest of what leads into it, where all others take the latest.
    pub(crate) fn takes_earliest(&self, node: usize) -> bool {
        self.nodes[node].role == Role::From(End::Start)
    }

    /// Whether a node gathers the start of several: it holds the morning of the first.
    pub(crate) fn starts_with_first(&self, node: usize) -> bool {
        self.takes_earliest(node) && self.bridges_in.of(node).len() > 1
    }

    /// What a limit of a node means for what leads into it.
    pub(crate) fn limit_into(&self, node: usize, limit: Instants) -> Instants {
        if self.starts_with_first(node) { Instants::both(limit.morning) } else { limit }
    }

    /// Nodes that edges lead to from a node, once per edge.
    pub(crate) fn successors(&self, node: usize) -> impl Iterator<Item = usize> {
        let bridges = self.bridges_out.of(node).iter().map(|bridge| bridge.other as usize);
        self.steps_out.of(node).iter().map(|step| step.other()).chain(bridges)
    }

    /// Nodes that edges lead from to a node, once per edge.
    pub(crate) fn predecessors(&self, node: usize) -> impl Iterator<Item = usize> {
        let bridges = self.bridges_in.of(node).iter().map(|bridge| bridge.other as usize);
        self.steps_in.of(node).iter().map(|step| step.other()).chain(bridges)
    }

    /// Marks all that follows what is marked.
    pub(crate) fn spread_forward(&self, marks: &mut [bool]) {
        if self.in_order && self.bridges_in.all().is_empty() {
            // Edges in the order of where they lead: each finds its source settled.
            for step in self.steps_in.all() {
                marks[step.here()] |= marks[step.other()];
            }
            return;
        }
        for node in self.sequence.iter().map(|node| *node as usize) {
            marks[node] |= self.predecessors(node).any(|from| marks[from]);
        }
    }

    /// Marks all that leads to what is marked.
    pub(crate) fn spread_back(&self, marks: &mut [bool]) {
        if self.in_order && self.bridges_out.all().is_empty() {
            for step in self.steps_out.all().iter().rev() {
                marks[step.here()] |= marks[step.other()];
            }
            return;
        }
        for node in self.sequence.iter().rev().map(|node| *node as usize) {
            marks[node] |= self.successors(node).any(|to| marks[to]);
        }
    }

    /// Edges into a node that add days of its axis, each with its link.
    pub(crate) fn along_in(&self, node: usize) -> impl Iterator<Item = (Step, u32)> {
        self.steps_in.with_origin(node).filter(|(step, _)| !step.is_crossing())
    }

    /// Edges out of a node that add days of its axis, each with its link.
    pub(crate) fn along_out(&self, node: usize) -> impl Iterator<Item = (Step, u32)> {
        self.steps_out.with_origin(node).filter(|(step, _)| !step.is_crossing())
    }

    /// All other edges into a node, each with its link.
    pub(crate) fn across_in(&self, node: usize) -> impl Iterator<Item = (Bridge, u32)> {
        crossings(&self.steps_in, node).chain(self.bridges_in.with_origin(node))
    }

    /// All other edges out of a node, each with its link.
    pub(crate) fn across_out(&self, node: usize) -> impl Iterator<Item = (Bridge, u32)> {
        crossings(&self.steps_out, node).chain(self.bridges_out.with_origin(node))
    }

    /// The axis of a node's calendar.
    #[inline]
    pub(crate) fn axis_of(&self, node: usize) -> &Axis {
        &self.calendars.axes[self.axis[node] as usize]
    }

    /// The working days before a place of a leaf.
    #[inline]
    pub(crate) fn ordinal_of(&self, node: usize, place: i32) -> i32 {
        if self.kind[node] == Kind::Point { place >> 1 } else { place }
    }

    /// Working days by which a leaf may move from a place to another. A point that lies in the morning and ought
    /// to lie in the evening before is a day too late.
    #[inline]
    pub(crate) fn float(&self, node: usize, from: i32, to: i32) -> i32 {
        if self.kind[node] != Kind::Point {
            return to.saturating_sub(from);
        }
        let days = (to >> 1) - (from >> 1);
        if to < from { days.min(-1) } else { days }
    }

    /// The last place of a leaf's finish that is no later than an instant.
    pub(crate) fn finishing_by(&self, node: usize, instant: i32) -> i32 {
        match self.kind[node] {
            Kind::Point => self.axis_of(node).point_by(instant),
            _ => self.axis_of(node).ordinal(boundary_of(instant)),
        }
    }

    /// Whether a leaf is computed as a point: a milestone, finished work that passes on the logic that leads
    /// into it without taking any time itself, and what was finished on a day off.
    pub(crate) fn is_point(&self, network: &Network, axis: u32, task: &Task) -> bool {
        let dated = task.actual_start.is_some() || task.actual_finish.is_some();
        let passes_on = network.options.done_work == DoneWork::Retained;
        task.duration == 0 || dated && is_complete(task) && (passes_on || self.ended_on_day_off(axis, task))
    }

    /// Whether finished work ended, or may have ended, on a day that its calendar does not work.
    fn ended_on_day_off(&self, axis: u32, task: &Task) -> bool {
        let axis = &self.calendars.axes[axis as usize];
        let works = |day: Day| axis.ordinal(day.0) < axis.ordinal(day.0.saturating_add(1));
        task.actual_finish.or(task.actual_start).is_some_and(|day| !works(day))
    }

    /// What an edge adds on its way.
    pub(crate) fn shift_of(&self, network: &Network, link: u32) -> Shift {
        match network.links.get(link as usize) {
            Some(link) => shift_of(network, &self.calendars, link),
            None => Shift::None,
        }
    }

    /// Whether a plan with this edge may be plain.
    pub(crate) fn is_plain(&self, edge: &Edge, shift: Shift) -> bool {
        let axis = self.axis[edge.from as usize];
        on_axis(shift, axis).is_some() && !self.takes_earliest(edge.to as usize)
    }

    /// What the passes have to do for an edge.
    pub(crate) fn way_of(&self, edge: &Edge, shift: Shift) -> Way {
        way_between(self.code_of(edge.from as usize), self.code_of(edge.to as usize), edge, shift)
    }

    fn code_of(&self, node: usize) -> Code {
        Code { axis: self.axis[node], kind: self.kind[node], takes_earliest: self.takes_earliest(node) }
    }

    /// Turns edges into steps and bridges.
    fn connect(&mut self, network: &Network, survey: &Survey, edges: &[Edge]) {
        let shifts: Vec<Shift> = edges.iter().map(|edge| self.shift_of(network, edge.link)).collect();
        let points = self.points(network, survey);
        self.plain = points.is_none() && self.lags_of_plain(edges, &shifts);
        if self.plain {
            let axis = self.axis.first().copied().unwrap_or(0);
            let step = |(edge, shift): (&Edge, &Shift)| {
                let [from, to] = steps_of(edge, Way::Step(on_axis(*shift, axis)?))?;
                Some((from, to, edge.link))
            };
            let steps = || edges.iter().zip(&shifts).filter_map(step);
            self.set_steps(steps);
            return;
        }
        let points = points.unwrap_or_else(|| vec![false; self.nodes.len()]);
        for (place, point) in points.into_iter().enumerate() {
            let leaf = if point { Kind::Point } else { Kind::Work };
            self.kind[place] = if self.nodes[place].role == Role::Leaf { leaf } else { Kind::Hub };
        }
        let codes: Vec<Code> = (0..self.nodes.len()).map(|node| self.code_of(node)).collect();
        let ways: Vec<Way> = edges
            .iter()
            .zip(&shifts)
            .map(|(edge, shift)| {
                way_between(codes[edge.from as usize], codes[edge.to as usize], edge, *shift)
            })
            .collect();
        let step = |(edge, way): (&Edge, &Way)| {
            let [from, to] = steps_of(edge, *way)?;
            Some((from, to, edge.link))
        };
        self.set_steps(|| edges.iter().zip(&ways).filter_map(step));
        let ways = edges.iter().zip(&ways).zip(&shifts);
        self.set_bridges(
            ways.filter(|((_, way), _)| **way == Way::Bridge).map(|((edge, _), shift)| (*edge, *shift)),
        );
        self.find_levels();
    }

    /// Which nodes are points; `None` if there is none.
    fn points(&self, network: &Network, survey: &Survey) -> Option<Vec<bool>> {
        let mut points: Option<Vec<bool>> = None;
        let rows = survey.points.iter().zip(&self.node_of).enumerate();
        for (row, (point, node)) in
            rows.filter(|(_, (point, node))| **point != Point::Never && **node != u32::MAX)
        {
            let axis = self.axis[*node as usize];
            if *point == Point::Always || self.is_point(network, axis, &network.tasks[row]) {
                points.get_or_insert_with(|| vec![false; self.nodes.len()])[*node as usize] = true;
            }
        }
        points
    }

    /// Whether all rows and all lags count on one calendar, and no edge takes the earliest of several.
    fn lags_of_plain(&self, edges: &[Edge], shifts: &[Shift]) -> bool {
        let Some(axis) = self.axis.first().copied() else { return true };
        let hubs = self.has_hubs();
        self.axis.iter().all(|other| *other == axis)
            && shifts.iter().all(|shift| on_axis(*shift, axis).is_some())
            && !(hubs && edges.iter().any(|edge| self.takes_earliest(edge.to as usize)))
    }

    fn set_steps<I: Iterator<Item = (Step, Step, u32)>>(&mut self, steps: impl Fn() -> I) {
        let count = self.nodes.len();
        let mut rough = Vec::new();
        self.steps_out = Grouped::of_steps(count, || steps().map(|(from, _, link)| (from, link)), &mut rough);
        self.steps_in = Grouped::of_steps(count, || steps().map(|(_, to, link)| (to, link)), &mut rough);
    }

    fn set_bridges(&mut self, edges: impl Iterator<Item = (Edge, Shift)> + Clone) {
        if edges.clone().next().is_none() {
            return;
        }
        let mut counts = [(); 2].map(|()| vec![0u32; self.nodes.len()]);
        for (edge, _) in edges.clone() {
            counts[0][edge.to as usize] += 1;
            counts[1][edge.from as usize] += 1;
        }
        let [into, out] = counts;
        let blank = Bridge { other: 0, source: End::Start, target: End::Start, shift: Shift::None };
        let mut bridges = (Grouped::with_counts(into, blank), Grouped::with_counts(out, blank));
        for (edge, shift) in edges {
            let bridge = |other| Bridge { other, source: edge.source, target: edge.target, shift };
            bridges.0.put(edge.to, bridge(edge.from), edge.link);
            bridges.1.put(edge.from, bridge(edge.to), edge.link);
        }
        (self.bridges_in, self.bridges_out) = (bridges.0.done(), bridges.1.done());
    }

    /// Cuts the sequence wherever an edge leads back behind the last cut.
    fn find_levels(&mut self) {
        self.levels = vec![0];
        let mut begin = 0;
        for node in 0..self.nodes.len() {
            if self.predecessors(node).any(|from| from >= begin) {
                begin = node;
                self.levels.push(node as u32);
            }
        }
        self.levels.push(self.nodes.len() as u32);
    }

    /// Bytes on the heap, without the calendar tables, which do not grow with the plan.
    pub(crate) fn bytes(&self) -> usize {
        let words = self.sequence.capacity()
            + self.axis.capacity()
            + self.kind.capacity() / 4
            + self.calendars.of_task.capacity()
            + self.node_of.capacity();
        self.outline.bytes()
            + 4 * words
            + size_of::<Node>() * self.nodes.capacity()
            + self.steps_in.bytes()
            + self.steps_out.bytes()
            + self.bridges_in.bytes()
            + self.bridges_out.bytes()
    }
}

/// The crossings among the steps of a node, as bridges, each with its link.
fn crossings(steps: &Grouped<Step>, node: usize) -> impl Iterator<Item = (Bridge, u32)> {
    let crossings = steps.with_origin(node).filter(|(step, _)| step.is_crossing());
    crossings.map(|(step, origin)| (step.as_bridge(), origin))
}

/// What decides of a node which way its edges go.
#[derive(Debug, Clone, Copy)]
struct Code {
    axis: u32,
    kind: Kind,
    takes_earliest: bool,
}

fn way_between(from: Code, to: Code, edge: &Edge, shift: Shift) -> Way {
    if [from.kind, to.kind] != [Kind::Work; 2] || to.takes_earliest {
        return Way::Bridge;
    }
    let here = on_axis(shift, from.axis).filter(|_| from.axis == to.axis);
    match (here, shift, edge.target) {
        (Some(days), _, _) => Way::Step(days),
        (None, Shift::None, End::Start) => Way::Crossing(0),
        (None, Shift::Elapsed(days), End::Start) => Way::Crossing(days),
        _ => Way::Bridge,
    }
}

/// The step that an edge is at either of its nodes, the source's first; `None` for a bridge.
pub(crate) fn steps_of(edge: &Edge, way: Way) -> Option<[Step; 2]> {
    let ends = (edge.source, edge.target);
    let both = |lag| [Step::new(edge.from, edge.to, ends, lag), Step::new(edge.to, edge.from, ends, lag)];
    match way {
        Way::Step(lag) => Some(both(lag)),
        Way::Crossing(lag) => Some(both(lag).map(Step::crossing)),
        Way::Bridge => None,
    }
}

/// A shift as days of an axis, if that is what it is.
fn on_axis(shift: Shift, axis: u32) -> Option<i32> {
    match shift {
        Shift::None => Some(0),
        Shift::Working { days, axis: lag_axis } if lag_axis == axis => Some(days),
        _ => None,
    }
}
