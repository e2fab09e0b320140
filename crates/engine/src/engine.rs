//! One computation from rows to result: compile, read inputs, both passes, report.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::compiled::Compiled;
use crate::inputs::Inputs;
use crate::network::Network;
use crate::passes::{Early, Late};
use crate::report::{Results, project_dates, roll_up};
use crate::schedule::{Schedule, TaskDates};

/// Schedules a network. Never fails: what cannot be used is reported in `Schedule::faults`.
pub fn schedule(network: &Network) -> Schedule {
    let compiled = Compiled::new(network);
    let (inputs, early) = place(network, &compiled);
    let finishes = Finishes::of(network, &compiled, &inputs, &early);
    let projects = &finishes.of_project;
    let own = |node: usize| projects[project_of(network, &compiled, node)];
    let mut late = Late::pass(&compiled, &inputs, &early, own);
    let program_late_start = if projects.iter().flatten().count() < 2 {
        late.start.clone()
    } else {
        Late::pass(&compiled, &inputs, &early, |_| finishes.last).start
    };
    for project in cross_linked(network, &compiled) {
        // Seeds of other projects would leak through cross-project links into this one's floats.
        let mine = |node: usize| project_of(network, &compiled, node) == project;
        let pass = Late::pass(&compiled, &inputs, &early, |node| own(node).filter(|_| mine(node)));
        for node in (0..compiled.nodes.len()).filter(|node| mine(*node)) {
            late.start[node] = pass.start[node];
        }
    }
    let last: Vec<bool> = (0..compiled.nodes.len())
        .map(|node| {
            compiled.is_leaf(node) && own(node) == Some(early.finish_boundary(&compiled, &inputs, node))
        })
        .collect();
    let on_longest_path = Results::trace(&compiled, &inputs, &early, &last);
    let results = Results {
        network,
        compiled: &compiled,
        inputs: &inputs,
        early: &early,
        late_start: &late.start,
        program_late_start: &program_late_start,
        late: &late,
        on_longest_path: &on_longest_path,
    };
    assemble(&results)
}

/// Reads inputs and places every node early, or late where it wants to be.
pub(crate) fn place(network: &Network, compiled: &Compiled) -> (Inputs, Early) {
    let mut inputs = Inputs::read(compiled, network);
    let mut early = Early::pass(compiled, &inputs);
    if !inputs.lazy.is_empty() {
        let finishes = Finishes::of(network, compiled, &inputs, &early);
        let own = |node: usize| finishes.of_project[project_of(network, compiled, node)];
        let late = Late::pass(compiled, &inputs, &early, own);
        inputs.delay_lazy(&late);
        early = Early::pass(compiled, &inputs);
    }
    (inputs, early)
}

fn assemble(results: &Results<'_>) -> Schedule {
    let (network, compiled) = (results.network, results.compiled);
    let mut tasks: Vec<Option<TaskDates>> = vec![None; network.tasks.len()];
    let mut conflicts = Vec::new();
    for (index, node) in compiled.node_of.iter().enumerate().filter(|(_, node)| **node != u32::MAX) {
        let dates = results.leaf(*node as usize);
        conflicts.extend(results.conflicts(*node as usize, &dates));
        tasks[index] = Some(dates);
    }
    roll_up(compiled, &mut tasks);
    let projects = project_dates(network, compiled, &tasks);
    Schedule {
        links: results.links(),
        start: projects.iter().filter_map(|project| project.start).min(),
        finish: projects.iter().filter_map(|project| project.finish).max(),
        critical_path: critical_path(network, compiled, &tasks),
        faults: compiled.faults.clone(),
        tasks,
        projects,
        conflicts,
    }
}

/// Boundaries at which projects finish.
pub(crate) struct Finishes {
    pub(crate) of_project: Vec<Option<i32>>,
    last: Option<i32>,
}

impl Finishes {
    pub(crate) fn of(network: &Network, compiled: &Compiled, inputs: &Inputs, early: &Early) -> Finishes {
        let mut of_project: Vec<Option<i32>> = vec![None; network.projects.len()];
        for node in (0..compiled.nodes.len()).filter(|node| compiled.is_leaf(*node)) {
            let finish = early.finish_boundary(compiled, inputs, node);
            let latest = &mut of_project[project_of(network, compiled, node)];
            *latest = Some(latest.map_or(finish, |known| known.max(finish)));
        }
        let last = of_project.iter().flatten().copied().max();
        Finishes { of_project, last }
    }
}

pub(crate) fn project_of(network: &Network, compiled: &Compiled, node: usize) -> usize {
    network.tasks[compiled.nodes[node].task as usize].project
}

/// Projects that a link from or to another project touches.
fn cross_linked(network: &Network, compiled: &Compiled) -> Vec<usize> {
    let mut touched: Vec<usize> = compiled
        .edges
        .iter()
        .map(|edge| (edge.from, edge.to))
        .map(|(from, to)| {
            (project_of(network, compiled, from as usize), project_of(network, compiled, to as usize))
        })
        .filter(|(from, to)| from != to)
        .flat_map(|(from, to)| [from, to])
        .collect();
    touched.sort_unstable();
    touched.dedup();
    touched
}

/// Critical leaves, predecessors first; among independent ones by early start, then id.
fn critical_path(network: &Network, compiled: &Compiled, tasks: &[Option<TaskDates>]) -> Vec<usize> {
    let count = compiled.nodes.len();
    let mut waiting = vec![0u32; count];
    for edge in &compiled.edges {
        waiting[edge.to as usize] += 1;
    }
    let key = |node: usize| {
        let task = compiled.nodes[node].task as usize;
        Reverse((tasks[task].map(|dates| dates.early_start), network.tasks[task].id, node))
    };
    let mut ready: BinaryHeap<_> = (0..count).filter(|node| waiting[*node] == 0).map(key).collect();
    let mut path = Vec::new();
    while let Some(Reverse((_, _, node))) = ready.pop() {
        let task = compiled.nodes[node].task as usize;
        if compiled.is_leaf(node) && tasks[task].is_some_and(|dates| dates.critical) {
            path.push(task);
        }
        for to in compiled.successors(node) {
            waiting[to] -= 1;
            if waiting[to] == 0 {
                ready.push(key(to));
            }
        }
    }
    path
}
