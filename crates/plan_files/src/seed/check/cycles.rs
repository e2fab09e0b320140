//! Finds dependencies that chase their own tail, through phases as well: a link into a phase reaches all its rows, a
//! link out of it waits for all of them. One problem per knot of rows, with a shortest cycle through its first link.

use std::collections::{HashMap, HashSet, VecDeque};

use super::names::Names;
use crate::seed::model::{Dependency, Document};
use crate::seed::outline::Outline;
use crate::seed::problems::Problems;

/// At most this many names are spelled out of one cycle.
const MAX_NAMED: usize = 20;

/// Two nodes a row, its entry and its exit; a row without rows below it leads from entry to exit.
struct Graph {
    edges: Vec<Vec<usize>>,
    links: Vec<Link>,
}

struct Link {
    project: usize,
    place: usize,
    from: usize,
    to: usize,
}

/// Takes out every dependency that is part of a cycle, and hands them over.
pub(in crate::seed) fn cut(document: &mut Document) -> Vec<Dependency> {
    let (first_row, rows) = first_rows(document);
    let graph = graph(document, &Names::of(document), &first_row, rows);
    let knots = components(&graph.edges);
    let tied: HashSet<(usize, usize)> = graph
        .links
        .iter()
        .filter(|link| knots[link.from] == knots[link.to])
        .map(|link| (link.project, link.place))
        .collect();
    let mut cut = Vec::new();
    for (project, owner) in document.projects.iter_mut().enumerate() {
        let mut places = 0..;
        let is_tied =
            |_: &mut Dependency| places.next().is_some_and(|place| tied.contains(&(project, place)));
        cut.extend(owner.dependencies.extract_if(.., is_tied));
    }
    cut
}

/// The place of the first row of each project among the rows of all, and how many rows there are.
fn first_rows(document: &Document) -> (Vec<usize>, usize) {
    let mut first_row = Vec::with_capacity(document.projects.len());
    let mut rows = 0;
    for project in &document.projects {
        first_row.push(rows);
        rows += project.tasks.len();
    }
    (first_row, rows)
}

/// Notes one problem per knot of dependencies.
pub(super) fn dependencies(document: &Document, names: &Names<'_>, problems: &mut Problems) {
    let (first_row, rows) = first_rows(document);
    let graph = graph(document, names, &first_row, rows);
    let knots = components(&graph.edges);
    let mut reported = HashSet::new();
    for link in &graph.links {
        let knot = knots[link.from];
        if knot != knots[link.to] || link.from == link.to || !reported.insert(knot) {
            continue;
        }
        let at = format!("$.projects[{}].dependencies[{}]", link.project, link.place);
        let nodes = way_back(&graph.edges, &knots, link.to, link.from);
        problems.add(&at, format_args!("closes a cycle: {}", spelled(document, &first_row, &nodes, link)));
    }
}

fn graph(document: &Document, names: &Names<'_>, first_row: &[usize], rows: usize) -> Graph {
    let mut edges = vec![Vec::new(); 2 * rows];
    let (entry, exit) = (|row: usize| 2 * row, |row: usize| 2 * row + 1);
    for (project, first) in document.projects.iter().zip(first_row) {
        let outline = Outline::of(project.tasks.iter().map(|task| task.wbs_path.as_str()));
        for index in 0..project.tasks.len() {
            if !outline.has_children(index) {
                edges[entry(first + index)].push(exit(first + index));
            }
            if let Some(parent) = outline.parent(index) {
                edges[entry(first + parent)].push(entry(first + index));
                edges[exit(first + index)].push(exit(first + parent));
            }
        }
    }
    let mut links = Vec::new();
    for (project, owner) in document.projects.iter().enumerate() {
        for (place, dependency) in owner.dependencies.iter().enumerate() {
            let ends = (names.row_index(&dependency.predecessor), names.row_index(&dependency.successor));
            let (Some((p, from)), Some((s, to))) = ends else { continue };
            let (from, to) = (exit(first_row[p] + from), entry(first_row[s] + to));
            // A row that depends on itself has been reported as such.
            if from != to + 1 {
                edges[from].push(to);
                links.push(Link { project, place, from, to });
            }
        }
    }
    Graph { edges, links }
}

/// Numbers the strongly connected components (Tarjan), without recursion: chains may be as long as the document.
fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let count = edges.len();
    let (mut order, mut low, mut component) = (vec![UNSEEN; count], vec![0; count], vec![UNSEEN; count]);
    let (mut next_order, mut next_component) = (0, 0);
    let mut open = Vec::new();
    let mut calls: Vec<(usize, usize)> = Vec::new();
    for root in 0..count {
        if order[root] != UNSEEN {
            continue;
        }
        calls.push((root, 0));
        while let Some((node, child)) = calls.pop() {
            if child == 0 {
                (order[node], low[node]) = (next_order, next_order);
                next_order += 1;
                open.push(node);
            }
            match edges[node].get(child) {
                Some(target) => {
                    calls.push((node, child + 1));
                    if order[*target] == UNSEEN {
                        calls.push((*target, 0));
                    } else if component[*target] == UNSEEN {
                        low[node] = low[node].min(order[*target]);
                    }
                }
                None => {
                    if low[node] == order[node] {
                        while let Some(member) = open.pop() {
                            component[member] = next_component;
                            if member == node {
                                break;
                            }
                        }
                        next_component += 1;
                    }
                    if let Some((caller, _)) = calls.last() {
                        low[*caller] = low[*caller].min(low[node]);
                    }
                }
            }
        }
    }
    component
}

/// A shortest way from `start` to `goal` inside their common component.
fn way_back(edges: &[Vec<usize>], knots: &[usize], start: usize, goal: usize) -> Vec<usize> {
    let mut came_from: HashMap<usize, usize> = HashMap::from([(start, start)]);
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        if node == goal {
            break;
        }
        for target in edges[node].iter().filter(|target| knots[**target] == knots[start]) {
            if !came_from.contains_key(target) {
                came_from.insert(*target, node);
                queue.push_back(*target);
            }
        }
    }
    let mut way = vec![goal];
    while let Some(previous) =
        way.last().and_then(|node| came_from.get(node)).filter(|_| way.last() != Some(&start))
    {
        way.push(*previous);
    }
    way.reverse();
    way
}

/// `1.1 → 1.2 → 1.1`: the rows on the way, each once, the first again at the end.
fn spelled(document: &Document, first_row: &[usize], nodes: &[usize], link: &Link) -> String {
    let home = &document.projects[link.project].slug;
    let mut rows: Vec<usize> =
        std::iter::once(link.from / 2).chain(nodes.iter().map(|node| node / 2)).collect();
    rows.dedup();
    let name = |row: &usize| {
        let project = first_row.partition_point(|first| first <= row) - 1;
        let project_rows = &document.projects[project];
        let path = &project_rows.tasks[row - first_row[project]].wbs_path;
        if project_rows.slug == *home { path.clone() } else { format!("{}:{path}", project_rows.slug) }
    };
    let mut named: Vec<String> = rows.iter().take(MAX_NAMED).map(name).collect();
    if rows.len() > MAX_NAMED {
        named.push(format!("… {} more", rows.len() - MAX_NAMED));
    }
    named.join(" → ")
}
