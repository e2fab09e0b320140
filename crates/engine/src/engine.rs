//! One computation from rows to result: compile, read inputs, both passes, report.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use crate::axis::evening;
use crate::compiled::{Compiled, Kind};
use crate::ends::End;
use crate::graph::Role;
use crate::inputs::{Inputs, PINNED};
use crate::network::Network;
use crate::passes::{Early, Forward, Late};
use crate::programs::Joined;
use crate::range::UNBOUND;
use crate::report::{Results, conflicts_of_summary, project_dates, roll_up};
use crate::schedule::{Schedule, TaskDates};

/// Schedules a network. Never fails: what cannot be used is reported in `Schedule::faults`.
pub fn schedule(network: &Network) -> Schedule {
    let compiled = Compiled::new(network);
    let state = State::compute(network, &compiled);
    assemble(&state.results(network, &compiled))
}

/// Everything that the passes compute, by node.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    pub(crate) inputs: Inputs,
    pub(crate) early: Early,
    pub(crate) finishes: Finishes,
    pub(crate) late: Late,
    /// The backward pass against the last finish of all, if there are several projects.
    pub(crate) program: Option<Late>,
    /// Late starts against the own project alone, if links cross projects.
    pub(crate) project_late: Option<Vec<i32>>,
    /// Which projects links join; `None` until somebody asks, and after a change of the structure.
    pub(crate) joined: Option<Arc<Option<Joined>>>,
    pub(crate) on_longest_path: Vec<bool>,
}

impl State {
    pub(crate) fn compute(network: &Network, compiled: &Compiled) -> State {
        let (inputs, early) = place(network, compiled);
        let mut state = State { inputs, early, ..State::default() };
        state.finish(network, compiled);
        state
    }

    /// All that follows from early positions.
    fn finish(&mut self, network: &Network, compiled: &Compiled) {
        self.finishes = Finishes::of(network, compiled, &self.inputs, &self.early);
        self.late_passes(network, compiled);
        self.trace(network, compiled);
    }

    /// Both passes over inputs that stay as they are.
    pub(crate) fn passes(&mut self, network: &Network, compiled: &Compiled) {
        self.early.run(compiled, &self.inputs);
        self.finishes = Finishes::of(network, compiled, &self.inputs, &self.early);
        self.late_passes(network, compiled);
    }

    /// All backward passes.
    pub(crate) fn late_passes(&mut self, network: &Network, compiled: &Compiled) {
        let (inputs, early) = (&self.inputs, &self.early);
        let projects = &self.finishes.of_project;
        let forward = Forward { network, compiled, inputs, early };
        self.late.run(&forward, projects);
        let several = projects.iter().flatten().count() > 1;
        self.program = several.then(|| Late::pass(&forward, &vec![self.finishes.last; projects.len()]));
        self.separate(network, compiled);
    }

    /// Late starts of projects that links from or to others touch: seeds of other projects would leak
    /// through those links into this one's floats.
    pub(crate) fn separate(&mut self, network: &Network, compiled: &Compiled) {
        let forward = Forward { network, compiled, inputs: &self.inputs, early: &self.early };
        let joined = self.joined.get_or_insert_with(|| Arc::new(Joined::of(network, compiled)));
        self.project_late =
            joined.as_ref().as_ref().map(|joined| joined.late_starts(&forward, &self.finishes, &self.late));
    }

    /// Marks what lies on the longest paths.
    pub(crate) fn trace(&mut self, network: &Network, compiled: &Compiled) {
        let last = (0..compiled.nodes.len()).map(|node| self.ends_project(network, compiled, node)).collect();
        self.on_longest_path = Results::trace(compiled, &self.inputs, &self.early, last);
    }

    /// Whether a node is a leaf at whose finish its project finishes. Where a milestone ends it in a morning,
    /// that is so for whatever works on no day between its own finish and that morning.
    pub(crate) fn ends_project(&self, network: &Network, compiled: &Compiled, node: usize) -> bool {
        if !compiled.is_leaf(node) {
            return false;
        }
        let finish = self.finishes.of_project[compiled.project_of(network, node)];
        let own = self.early.finish_instant(compiled, &self.inputs, node);
        let in_time = |last: i32| {
            last & 1 == 0
                && self.inputs.flags[node] & PINNED == 0
                && compiled.finishing_by(node, last) == self.early.end(node, End::Finish)
        };
        finish.is_some_and(|last| own == last || in_time(last))
    }

    /// Room for one more node.
    pub(crate) fn push_node(&mut self) {
        self.inputs.push_node();
        self.early.push_node();
        self.late.push_node();
        self.program.iter_mut().for_each(Late::push_node);
        self.project_late.iter_mut().for_each(|project_late| project_late.push(UNBOUND));
        self.on_longest_path.push(false);
    }

    /// Whether late dates, floats or the longest path differ at a node; one that was not there differs.
    pub(crate) fn differs_late(&self, before: &State, node: usize) -> bool {
        let values = |state: &State| {
            let project_late =
                state.project_late.as_ref().and_then(|project_late| project_late.get(node)).copied();
            let program = state.program.as_ref().and_then(|late| late.of(node));
            (project_late, program, state.late.of(node), state.on_longest_path.get(node).copied())
        };
        values(self) != values(before)
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let late = self.late.bytes() + self.program.as_ref().map_or(0, Late::bytes);
        let project_late = self.project_late.as_ref().map_or(0, |project_late| 4 * project_late.capacity());
        self.inputs.bytes() + self.early.bytes() + late + project_late + self.on_longest_path.capacity()
    }

    pub(crate) fn results<'a>(&'a self, network: &'a Network, compiled: &'a Compiled) -> Results<'a> {
        Results {
            network,
            compiled,
            inputs: &self.inputs,
            early: &self.early,
            late: &self.late,
            project_late: self.project_late.as_deref(),
            program: self.program.as_ref().unwrap_or(&self.late),
            on_longest_path: &self.on_longest_path,
        }
    }
}

/// Reads inputs and places every node early, or late where it wants to be.
pub(crate) fn place(network: &Network, compiled: &Compiled) -> (Inputs, Early) {
    let mut inputs = Inputs::read(compiled, network);
    let mut early = Early::pass(compiled, &inputs);
    if !inputs.lazy.is_empty() {
        let finishes = Finishes::of(network, compiled, &inputs, &early);
        let forward = Forward { network, compiled, inputs: &inputs, early: &early };
        let late = Late::pass(&forward, &finishes.of_project);
        inputs.delay_lazy(&late);
        early = Early::pass(compiled, &inputs);
    }
    (inputs, early)
}

/// Dates, links and all else that people see.
pub(crate) fn assemble(results: &Results<'_>) -> Schedule {
    let (network, compiled) = (results.network, results.compiled);
    let mut tasks: Vec<Option<TaskDates>> = Vec::with_capacity(network.tasks.len());
    let mut conflicts = Vec::new();
    for node in (0..compiled.nodes.len()).filter(|node| compiled.is_leaf(*node)) {
        let dates = results.leaf(node);
        conflicts.extend(results.conflicts(node, &dates));
        let row = compiled.nodes[node].task as usize;
        if row < tasks.len() {
            tasks[row] = Some(dates);
        } else {
            tasks.resize(row, None);
            tasks.push(Some(dates));
        }
    }
    tasks.resize(network.tasks.len(), None);
    roll_up(compiled, &mut tasks);
    for (row, dates) in tasks.iter().enumerate().filter(|(row, _)| compiled.outline.summary[*row]) {
        let missed = dates.map(|dates| conflicts_of_summary(network, compiled, row, &dates));
        conflicts.extend(missed.into_iter().flatten());
    }
    conflicts.sort_by_key(|conflict| conflict.task);
    let projects = project_dates(network, compiled, &tasks);
    Schedule {
        links: results.links(),
        start: projects.iter().filter_map(|project| project.start).min(),
        finish: projects.iter().filter_map(|project| project.finish).max(),
        critical_path: critical_path(network, compiled, &tasks),
        faults: results.faults(),
        tasks,
        projects,
        conflicts,
    }
}

/// Instants at which projects finish.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Finishes {
    pub(crate) of_project: Vec<Option<i32>>,
    pub(crate) last: Option<i32>,
}

impl Finishes {
    pub(crate) fn of(network: &Network, compiled: &Compiled, inputs: &Inputs, early: &Early) -> Finishes {
        let mut of_project: Vec<Option<i32>> = vec![None; network.projects.len()];
        // Later ordinals of one calendar are later instants: only the last of each has to be looked up.
        let axes = compiled.calendars.axes.len();
        let mut latest =
            vec![i32::MIN; if axes * of_project.len() <= FEW { axes * of_project.len() } else { 0 }];
        let axes_of = compiled.axis.iter().zip(&compiled.kind);
        let rows = compiled.nodes.iter().zip(&inputs.flags).zip(axes_of).enumerate();
        for (node, ((row, flags), (axis, kind))) in rows {
            if row.role != Role::Leaf {
                continue;
            }
            let project = compiled.project_of(network, node);
            let group = latest.get_mut(project * axes + *axis as usize);
            match group.filter(|_| *kind == Kind::Work && flags & PINNED == 0) {
                Some(group) => *group = early.end(node, End::Finish).max(*group),
                None => note(&mut of_project[project], early.finish_instant(compiled, inputs, node)),
            }
        }
        for (group, ordinal) in latest.into_iter().enumerate().filter(|(_, ordinal)| *ordinal > i32::MIN) {
            let boundary = compiled.calendars.axes[group % axes].finish(ordinal);
            note(&mut of_project[group / axes], evening(boundary));
        }
        let last = of_project.iter().flatten().copied().max();
        Finishes { of_project, last }
    }

    /// The finish of one project, and none of the others.
    pub(crate) fn of_alone(&self, project: usize) -> Vec<Option<i32>> {
        let mut alone = vec![None; self.of_project.len()];
        alone[project] = self.of_project[project];
        alone
    }
}

fn note(known: &mut Option<i32>, instant: i32) {
    *known = Some(known.map_or(instant, |known| known.max(instant)));
}

/// Calendars times projects up to which a table of their last finishes is kept.
const FEW: usize = 4_096;

/// Critical leaves, predecessors first; among independent ones by early start, then id.
pub(crate) fn critical_path(
    network: &Network,
    compiled: &Compiled,
    tasks: &[Option<TaskDates>],
) -> Vec<usize> {
    let count = compiled.nodes.len();
    let row = |node: usize| compiled.nodes[node].task as usize;
    let is_critical =
        |node: usize| compiled.is_leaf(node) && tasks[row(node)].is_some_and(|dates| dates.critical);
    let critical: Vec<bool> = (0..count).map(is_critical).collect();
    // Only what lies between critical leaves has a say in their order.
    let mut behind = critical.clone();
    compiled.spread_forward(&mut behind);
    let mut between = critical.clone();
    compiled.spread_back(&mut between);
    between.iter_mut().zip(behind).for_each(|(between, behind)| *between &= behind);
    let inside = || (0..count).filter(|node| between[*node]);
    let mut waiting = vec![0u32; count];
    for node in inside() {
        compiled.successors(node).for_each(|to| waiting[to] += 1);
    }
    let key = |node: usize| {
        let start = tasks[row(node)].map(|dates| dates.early_start);
        Reverse((start, network.tasks[row(node)].id, node))
    };
    let mut ready = BinaryHeap::new();
    let mut path = Vec::new();
    // What is not critical has no place in the order: it only passes on what it waits for.
    let mut passing: Vec<usize> = inside().filter(|node| waiting[*node] == 0).collect();
    loop {
        while let Some(node) = passing.pop() {
            if critical[node] && waiting[node] == 0 {
                waiting[node] = u32::MAX;
                ready.push(key(node));
                continue;
            }
            for to in compiled.successors(node) {
                waiting[to] -= 1;
                if waiting[to] == 0 && between[to] {
                    passing.push(to);
                }
            }
        }
        let Some(Reverse((_, _, node))) = ready.pop() else { break };
        path.push(row(node));
        passing.push(node);
    }
    path
}
