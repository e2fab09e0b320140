//! Late dates of linked projects, each measured only against its own finish: demands of other projects through their
//! finishes do not reduce its float. The passes are in `passes`.

use std::collections::BTreeSet;

use crate::compiled::Compiled;
use crate::engine::Finishes;
use crate::network::Network;
use crate::passes::{Forward, Late, Outside};
use crate::range::UNBOUND;

/// Which projects links join, and their nodes; as long as the structure stays.
#[derive(Debug, Clone, Default)]
pub(crate) struct Joined {
    /// The group of the project of each node. Projects of a group lead to one another in a circle; most groups
    /// are one project.
    group_of: Vec<u32>,
    /// Nodes of joined projects that are their own group, the last ones first.
    single: Vec<u32>,
    /// Groups of several projects: the projects, and their nodes, the last ones first.
    circles: Vec<(Vec<usize>, Vec<u32>)>,
}

impl Joined {
    /// `None` where no link joins two projects.
    pub(crate) fn of(network: &Network, compiled: &Compiled) -> Option<Joined> {
        let edges = edges_between(network, compiled);
        if edges.is_empty() {
            return None;
        }
        let count = network.projects.len();
        let group = groups(count, &edges);
        let mut joined = vec![false; count];
        edges.iter().for_each(|(from, to)| (joined[*from], joined[*to]) = (true, true));
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
        (0..count).filter(|project| joined[*project]).for_each(|project| {
            members[group[project] as usize].push(project);
        });
        let mut circle_of = vec![usize::MAX; count];
        let mut circles: Vec<(Vec<usize>, Vec<u32>)> = Vec::new();
        for (place, projects) in members.into_iter().enumerate().filter(|(_, projects)| projects.len() > 1) {
            circle_of[place] = circles.len();
            circles.push((projects, Vec::new()));
        }
        let mut single = Vec::new();
        for node in compiled.sequence.iter().rev() {
            let project = compiled.project_of(network, *node as usize);
            match circles.get_mut(circle_of[group[project] as usize]) {
                Some((_, nodes)) => nodes.push(*node),
                None if joined[project] => single.push(*node),
                None => {}
            }
        }
        let group_of =
            (0..compiled.nodes.len()).map(|node| group[compiled.project_of(network, node)]).collect();
        Some(Joined { group_of, single, circles })
    }

    /// Late starts of all nodes, those of joined projects against their own finishes alone.
    pub(crate) fn late_starts(&self, forward: &Forward<'_>, finishes: &Finishes, all: &Late) -> Vec<i32> {
        let mut starts: Vec<i32> = (0..self.group_of.len()).map(|node| all.start(node)).collect();
        // What dated limits ask for, whoever's they are, counts everywhere.
        let limited = forward.inputs.high.iter().any(|high| *high < UNBOUND / 2);
        let dated = match limited {
            true => Late::pass(forward, &vec![None; finishes.of_project.len()]),
            false => Late::unlimited(self.group_of.len()),
        };
        let outside = Outside { late: &dated, group_of: &self.group_of };
        let mut own = Late::default();
        own.run_inside(forward, &finishes.of_project, &outside, &self.single);
        self.single.iter().for_each(|node| starts[*node as usize] = own.start(*node as usize));
        for (projects, nodes) in &self.circles {
            for project in projects {
                own.run_inside(forward, &finishes.of_alone(*project), &outside, nodes);
                let mine =
                    |node: &&u32| forward.compiled.project_of(forward.network, **node as usize) == *project;
                nodes.iter().filter(mine).for_each(|node| starts[*node as usize] = own.start(*node as usize));
            }
        }
        starts
    }
}

/// Pairs of projects of which one leads to the other.
fn edges_between(network: &Network, compiled: &Compiled) -> BTreeSet<(usize, usize)> {
    if network.projects.len() < 2 {
        return BTreeSet::new();
    }
    let of = |node: usize| compiled.project_of(network, node);
    let edges = (0..compiled.nodes.len())
        .flat_map(|node| compiled.successors(node).map(move |to| (of(node), of(to))));
    edges.filter(|(from, to)| from != to).collect()
}

/// The group of each project: projects that lead to one another have the same. Kosaraju's algorithm.
fn groups(count: usize, edges: &BTreeSet<(usize, usize)>) -> Vec<u32> {
    let (mut ahead, mut back) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for (from, to) in edges {
        ahead[*from].push(*to);
        back[*to].push(*from);
    }
    let mut seen = vec![false; count];
    let mut finished = Vec::new();
    for root in 0..count {
        // A project, and how many of what it leads to were taken.
        let mut way = vec![(root, 0)];
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        while let Some((project, taken)) = way.last_mut() {
            let next = ahead[*project].get(*taken).copied();
            *taken += 1;
            match next {
                Some(to) if !std::mem::replace(&mut seen[to], true) => way.push((to, 0)),
                Some(_) => {}
                None => {
                    finished.push(*project);
                    way.pop();
                }
            }
        }
    }
    let mut group = vec![u32::MAX; count];
    for root in finished.into_iter().rev() {
        let mut pending = vec![root];
        while let Some(project) = pending.pop() {
            if group[project] == u32::MAX {
                group[project] = root as u32;
                pending.extend(back[project].iter().filter(|from| group[**from] == u32::MAX));
            }
        }
    }
    group
}
