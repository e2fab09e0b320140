//! The graph of rows and links: which new links would lead back to where they come from, through phases as well, and
//! what lies downstream.
//! Pure and linear in rows and links; what it is asked about is loaded once by `queries.rs`.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use planwright_domain::ids::TaskId;

/// The place of a row that is not there.
const NOWHERE: u32 = u32::MAX;

/// Rows and links that new links are held against.
///
/// A row is two nodes, its entry and its exit. A link leads from the exit of one row to the entry of another, whatever
/// ends it ties; a row that holds others is entered and left through them.
#[derive(Debug, Default)]
pub struct Precedence {
    rows: Vec<TaskId>,
    place: HashMap<TaskId, u32>,
    edges: Vec<(u32, u32)>,
}

/// A new link that closes a cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Offence {
    /// Its place among the new links.
    pub link: usize,
    /// The rows of a cycle through it, the first repeated at the end.
    pub cycle: Arc<[TaskId]>,
}

const fn entry(row: u32) -> u32 {
    2 * row
}

const fn exit(row: u32) -> u32 {
    2 * row + 1
}

impl Precedence {
    /// The graph of rows, each with the row above it, and of links as predecessor and successor.
    pub fn of(rows: &[(TaskId, Option<TaskId>)], links: &[(TaskId, TaskId)]) -> Self {
        let place: HashMap<TaskId, u32> = rows.iter().map(|(id, _)| *id).zip(0..).collect();
        let above = |parent: Option<TaskId>| parent.and_then(|parent| place.get(&parent).copied());
        let parents: Vec<Option<u32>> = rows.iter().map(|(_, parent)| above(*parent)).collect();
        let mut is_leaf = vec![true; rows.len()];
        parents.iter().flatten().for_each(|parent| is_leaf[*parent as usize] = false);
        let mut edges = Vec::with_capacity(2 * rows.len() + links.len());
        for (row, parent) in (0..).zip(&parents) {
            if is_leaf[row as usize] {
                edges.push((entry(row), exit(row)));
            }
            if let Some(parent) = parent {
                edges.push((entry(*parent), entry(row)));
                edges.push((exit(row), exit(*parent)));
            }
        }
        let mut graph = Self { rows: rows.iter().map(|(id, _)| *id).collect(), place, edges };
        let known: Vec<(u32, u32)> = links.iter().filter_map(|link| graph.edge(*link)).collect();
        graph.edges.extend(known);
        graph
    }

    fn edge(&self, (predecessor, successor): (TaskId, TaskId)) -> Option<(u32, u32)> {
        Some((exit(*self.place.get(&predecessor)?), entry(*self.place.get(&successor)?)))
    }

    /// Which of the new links lie on a cycle once all of them are there, each with such a cycle.
    ///
    /// A link with an end that is no row of the graph lies on none.
    pub fn offending_edges(&self, new: &[(TaskId, TaskId)]) -> Vec<Offence> {
        let added: Vec<Option<(u32, u32)>> = new.iter().map(|link| self.edge(*link)).collect();
        let distinct: HashSet<(u32, u32)> = added.iter().flatten().copied().collect();
        let all = self.edges.iter().copied().chain(added.iter().flatten().copied());
        let outgoing = Outgoing::of(2 * self.rows.len(), all);
        let knots = outgoing.knots(added.iter().flatten().map(|(_, to)| *to));
        let entangled = |edge: &(u32, u32)| knots[edge.0 as usize] == knots[edge.1 as usize];
        let mut search = Search::new(2 * self.rows.len());
        let mut found: HashMap<(u32, u32), Arc<[TaskId]>> = HashMap::new();
        let mut offences = Vec::new();
        for (link, edge) in added.iter().enumerate() {
            let Some(edge) = edge.filter(entangled) else { continue };
            if !found.contains_key(&edge) {
                let way = search.shortest(&outgoing, &knots, edge.1, edge.0);
                let cycle: Arc<[TaskId]> = self.spelled(edge.0, &way).into();
                // Other new links on the same way share its cycle, so that a long knot is not searched for each.
                let steps =
                    way.windows(2).map(|step| (step[0], step[1])).filter(|step| distinct.contains(step));
                found.extend(steps.chain([edge]).map(|step| (step, cycle.clone())));
            }
            offences.push(Offence { link, cycle: found[&edge].clone() });
        }
        offences
    }

    /// The rows that are entered after one of the sources, or are one or below one, each with the place of a nearest source.
    pub fn downstream(&self, sources: &[TaskId]) -> HashMap<TaskId, usize> {
        let outgoing = Outgoing::of(2 * self.rows.len(), self.edges.iter().copied());
        let mut reached: HashMap<u32, usize> = HashMap::new();
        let mut queue = VecDeque::new();
        for (source, row) in sources.iter().enumerate() {
            let Some(row) = self.place.get(row) else { continue };
            reached.entry(entry(*row)).or_insert_with(|| {
                queue.push_back((entry(*row), source));
                source
            });
        }
        while let Some((node, source)) = queue.pop_front() {
            for target in outgoing.from(node) {
                reached.entry(*target).or_insert_with(|| {
                    queue.push_back((*target, source));
                    source
                });
            }
        }
        let entered = reached.into_iter().filter(|(node, _)| node % 2 == 0);
        entered.map(|(node, source)| (self.rows[(node / 2) as usize], source)).collect()
    }

    /// The rows on the way from the exit of a row back to it, each once, the first again at the end.
    fn spelled(&self, from: u32, way: &[u32]) -> Vec<TaskId> {
        // A link of a row to itself needs no way through the rows below it.
        let way = if way.first().is_some_and(|to| to / 2 == from / 2) { &way[..0] } else { way };
        let mut rows: Vec<u32> = way.iter().map(|node| node / 2).collect();
        rows.dedup();
        rows.insert(0, from / 2);
        if rows.len() == 1 {
            rows.push(from / 2);
        }
        rows.into_iter().map(|row| self.rows[row as usize]).collect()
    }
}

/// Edges grouped by the node they leave.
struct Outgoing {
    start: Vec<u32>,
    to: Vec<u32>,
}

impl Outgoing {
    fn of(nodes: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut start = vec![0u32; nodes + 1];
        edges.clone().for_each(|(from, _)| start[from as usize + 1] += 1);
        for node in 0..nodes {
            start[node + 1] += start[node];
        }
        let mut next = start.clone();
        let mut to = vec![0u32; start[nodes] as usize];
        for (from, target) in edges {
            to[next[from as usize] as usize] = target;
            next[from as usize] += 1;
        }
        Self { start, to }
    }

    fn from(&self, node: u32) -> &[u32] {
        &self.to[self.start[node as usize] as usize..self.start[node as usize + 1] as usize]
    }

    /// Numbers the strongly connected components (Tarjan) that can be reached from the roots, without recursion; every
    /// node elsewhere keeps a number of its own.
    fn knots(&self, roots: impl Iterator<Item = u32>) -> Vec<u32> {
        let nodes = self.start.len() - 1;
        let (mut order, mut low) = (vec![NOWHERE; nodes], vec![0u32; nodes]);
        // Numbers above the nodes' own ones tell components that are complete.
        let mut knot: Vec<u32> = (0..nodes as u32).collect();
        let is_placed = |knot: u32| knot as usize >= nodes;
        let (mut next_order, mut next_knot) = (0, nodes as u32);
        let (mut open, mut calls): (Vec<u32>, Vec<(u32, usize)>) = (Vec::new(), Vec::new());
        for root in roots {
            if order[root as usize] == NOWHERE {
                calls.push((root, 0));
            }
            while let Some((node, taken)) = calls.pop() {
                let at = node as usize;
                if taken == 0 {
                    (order[at], low[at]) = (next_order, next_order);
                    next_order += 1;
                    open.push(node);
                }
                if let Some(target) = self.from(node).get(taken).copied() {
                    calls.push((node, taken + 1));
                    if order[target as usize] == NOWHERE {
                        calls.push((target, 0));
                    } else if !is_placed(knot[target as usize]) {
                        low[at] = low[at].min(order[target as usize]);
                    }
                    continue;
                }
                if low[at] == order[at] {
                    while let Some(member) = open.pop() {
                        knot[member as usize] = next_knot;
                        if member == node {
                            break;
                        }
                    }
                    next_knot += 1;
                }
                if let Some((caller, _)) = calls.last() {
                    low[*caller as usize] = low[*caller as usize].min(low[at]);
                }
            }
        }
        knot
    }
}

/// A search by breadth that can be repeated without clearing what it noted.
struct Search {
    came_from: Vec<u32>,
    seen_in: Vec<u32>,
    round: u32,
}

impl Search {
    fn new(nodes: usize) -> Self {
        Self { came_from: vec![NOWHERE; nodes], seen_in: vec![0; nodes], round: 0 }
    }

    /// A shortest way between two nodes of one knot, both included.
    fn shortest(&mut self, outgoing: &Outgoing, knots: &[u32], start: u32, goal: u32) -> Vec<u32> {
        self.round += 1;
        self.seen_in[start as usize] = self.round;
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front().filter(|node| *node != goal) {
            for target in outgoing.from(node) {
                let is_new = self.seen_in[*target as usize] != self.round;
                if is_new && knots[*target as usize] == knots[start as usize] {
                    self.seen_in[*target as usize] = self.round;
                    self.came_from[*target as usize] = node;
                    queue.push_back(*target);
                }
            }
        }
        let mut way = vec![goal];
        while let Some(node) = way.last().copied().filter(|node| *node != start) {
            way.push(self.came_from[node as usize]);
        }
        way.reverse();
        way
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn id(number: u8) -> TaskId {
        TaskId(Uuid::from_u128(number.into()))
    }

    fn graph(rows: &[(u8, Option<u8>)], links: &[(u8, u8)]) -> Precedence {
        let rows: Vec<_> = rows.iter().map(|(row, parent)| (id(*row), parent.map(id))).collect();
        Precedence::of(&rows, &pairs(links))
    }

    fn pairs(links: &[(u8, u8)]) -> Vec<(TaskId, TaskId)> {
        links.iter().map(|(from, to)| (id(*from), id(*to))).collect()
    }

    /// The cycles of the offending links, by the links' places.
    fn cycles(graph: &Precedence, new: &[(u8, u8)]) -> Vec<(usize, Vec<u8>)> {
        let short = |cycle: &[TaskId]| cycle.iter().map(|id| id.0.as_u128() as u8).collect();
        graph.offending_edges(&pairs(new)).iter().map(|found| (found.link, short(&found.cycle))).collect()
    }

    const FLAT: [(u8, Option<u8>); 4] = [(1, None), (2, None), (3, None), (4, None)];

    #[test]
    fn a_link_back_names_the_rows_between_and_its_own_first() {
        let plan = graph(&FLAT, &[(1, 2), (2, 3)]);
        assert_eq!(cycles(&plan, &[(3, 1)]), [(0, vec![3, 1, 2, 3])]);
        assert_eq!(cycles(&plan, &[(1, 3), (3, 4)]), []);
        assert_eq!(cycles(&plan, &[(2, 2)]), [(0, vec![2, 2])]);
    }

    #[test]
    fn a_row_may_not_be_linked_with_what_holds_it() {
        let plan = graph(&[(1, None), (2, Some(1)), (3, Some(2))], &[]);
        assert_eq!(cycles(&plan, &[(3, 1)]), [(0, vec![3, 1, 2, 3])]);
        assert_eq!(cycles(&plan, &[(1, 3)]), [(0, vec![1, 3, 2, 1])]);
        assert_eq!(cycles(&plan, &[(1, 1)]), [(0, vec![1, 1])]);
    }

    #[test]
    fn a_phase_is_entered_and_left_through_its_rows() {
        // Phase 1 holds 2 and 3, phase 4 holds 5.
        let rows = [(1, None), (2, Some(1)), (3, Some(1)), (4, None), (5, Some(4))];
        let plan = graph(&rows, &[(1, 4)]);
        assert_eq!(cycles(&plan, &[(5, 3)]), [(0, vec![5, 3, 1, 4, 5])]);
        let plan = graph(&rows, &[(2, 5)]);
        assert_eq!(cycles(&plan, &[(5, 3), (2, 3)]), [], "two rows of a phase are two ways");
    }

    #[test]
    fn of_many_new_links_those_of_the_cycle_offend_and_the_others_do_not() {
        let plan = graph(&FLAT, &[(1, 2)]);
        let found = cycles(&plan, &[(2, 3), (3, 1), (3, 4)]);
        assert_eq!(found.iter().map(|(link, _)| *link).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(cycles(&plan, &[(9, 1), (1, 9)]), [], "what is no row is on no cycle");
    }

    #[test]
    fn downstream_is_what_comes_after_a_source_through_phases_too_by_its_nearest_source() {
        // Phase 1 holds 2 and 3; 4 follows it, 5 follows 4, 6 follows nothing.
        let rows = [(1, None), (2, Some(1)), (3, Some(1)), (4, None), (5, None), (6, None)];
        let plan = graph(&rows, &[(1, 4), (4, 5)]);
        let reached = |sources: &[u8]| {
            let sources: Vec<TaskId> = sources.iter().copied().map(id).collect();
            let mut found: Vec<(u8, usize)> =
                plan.downstream(&sources).into_iter().map(|(row, at)| (row.0.as_u128() as u8, at)).collect();
            found.sort_unstable();
            found
        };
        assert_eq!(reached(&[2]), [(2, 0), (4, 0), (5, 0)]);
        assert_eq!(reached(&[1, 5]), [(1, 0), (2, 0), (3, 0), (4, 0), (5, 1)]);
        assert_eq!(reached(&[9]), []);
    }

    /// The rows without rows below them, below a row or it.
    fn leaves(rows: &[(u8, Option<u8>)], of: u8) -> Vec<u8> {
        let below: Vec<u8> =
            rows.iter().filter(|(_, parent)| *parent == Some(of)).map(|(row, _)| *row).collect();
        match below.is_empty() {
            true => vec![of],
            false => below.into_iter().flat_map(|row| leaves(rows, row)).collect(),
        }
    }

    /// Whether a link closes a cycle, by following every pair of leaves.
    fn closes(rows: &[(u8, Option<u8>)], links: &[(u8, u8)], (from, to): (u8, u8)) -> bool {
        let mut seen = vec![false; 256];
        let mut open = leaves(rows, to);
        while let Some(row) = open.pop() {
            if std::mem::replace(&mut seen[row as usize], true) {
                continue;
            }
            let onwards = links.iter().filter(|(from, _)| leaves(rows, *from).contains(&row));
            open.extend(onwards.flat_map(|(_, to)| leaves(rows, *to)));
        }
        leaves(rows, from).into_iter().any(|row| seen[row as usize])
    }

    proptest! {
        #[test]
        fn the_guard_says_what_a_walk_over_every_pair_of_leaves_says(
            parents in proptest::collection::vec(proptest::option::of(0u8..12), 12),
            known in proptest::collection::vec((0u8..12, 0u8..12), 0..8),
            new in proptest::collection::vec((0u8..12, 0u8..12), 0..6),
        ) {
            // A row hangs below one that stands before it, so that the rows are trees.
            let rows: Vec<(u8, Option<u8>)> =
                (0u8..).zip(parents).map(|(row, parent)| (row, parent.filter(|parent| *parent < row))).collect();
            let plan = graph(&rows, &known);
            let all: Vec<(u8, u8)> = known.iter().chain(&new).copied().collect();
            let expected: Vec<usize> =
                (0..new.len()).filter(|link| closes(&rows, &all, new[*link])).collect();
            let found = cycles(&plan, &new);
            prop_assert_eq!(found.iter().map(|(link, _)| *link).collect::<Vec<_>>(), expected);
            for (link, cycle) in found {
                prop_assert_eq!(cycle.first(), cycle.last());
                // A link of a phase with itself is passed wherever the phase is left and entered again, which shows as one row.
                let to_itself = new[link].0 == new[link].1 && cycle.contains(&new[link].0);
                let through = to_itself || cycle.windows(2).any(|step| (step[0], step[1]) == new[link]);
                prop_assert!(through, "{:?} does not go through {:?}", cycle, new[link]);
                for step in cycle.windows(2).filter(|step| !all.contains(&(step[0], step[1]))) {
                    let holds = |above: u8, row: u8| rows[row as usize].1 == Some(above);
                    prop_assert!(holds(step[0], step[1]) || holds(step[1], step[0]), "{:?} is no step", step);
                }
            }
        }
    }
}
