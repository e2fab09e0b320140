//! The source of a bound: the day from which it counts, the leaf of a summary, and the days that no calendar counts.
//! `explain` computes the bound.

use crate::axis::is_morning;
use crate::bridge::Shift;
use crate::compiled::Kind;
use crate::day::Day;
use crate::ends::{End, ends};
use crate::graph::Role;
use crate::inputs::{PINNED, STARTED};
use crate::passes::Late;
use crate::range::UNBOUND;
use crate::report::late_as_shown;

use super::{Contribution, View};

impl View<'_> {
    /// A bound with the predecessor that it comes from; `source` is the node at the other end.
    pub(super) fn with_predecessor(&self, bound: Contribution, link: usize, source: usize) -> Contribution {
        let task = Some(self.network.links[link].predecessor);
        let bound = Contribution { link: Some(link), task, ..bound };
        let (end, target) = ends(self.network.links[link].kind);
        let Some(leaf) = self.deciding(source, end) else { return bound };
        let place = self.early.start(self.inputs, leaf);
        let edge = match end {
            End::Start => place - self.inputs.done[leaf],
            End::Finish => self.early.end(leaf, End::Finish),
        };
        let (from, boundary) = self.seen(leaf, end, edge);
        let days_off =
            Some(self.edge_of(&bound, target).saturating_sub(boundary).saturating_sub(self.days_of(link)));
        let leaf = self.behind(source, leaf);
        Contribution { from: Some(from), days_off, leaf, ..bound }
    }

    /// A bound with the successor that it comes from; `target` is the node at the other end.
    pub(super) fn with_successor(
        &self,
        bound: Contribution,
        late: &Late,
        link: usize,
        target: usize,
    ) -> Contribution {
        let task = Some(self.network.links[link].successor);
        let bound = Contribution { link: Some(link), task, ..bound };
        let (source, end) = ends(self.network.links[link].kind);
        let leaf = self.limiting(late, target, end).filter(|leaf| late.start(*leaf) < UNBOUND / 2);
        let Some(leaf) = leaf else { return bound };
        let start = match self.compiled.kind[leaf] {
            Kind::Point => late_as_shown(self.early.start(self.inputs, leaf), late.start(leaf)),
            _ => late.start(leaf),
        };
        let edge = start + if end == End::Finish { self.inputs.remaining[leaf] } else { 0 };
        let (from, boundary) = self.seen(leaf, end, edge);
        let days_off =
            Some(boundary.saturating_sub(self.days_of(link)).saturating_sub(self.edge_of(&bound, source)));
        let leaf = self.behind(target, leaf);
        Contribution { from: Some(from), days_off, leaf, ..bound }
    }

    fn row(&self, node: usize) -> usize {
        self.compiled.nodes[node].task as usize
    }

    /// The row of a leaf, if it stands behind a summary.
    fn behind(&self, node: usize, leaf: usize) -> Option<usize> {
        (!self.compiled.is_leaf(node)).then(|| self.row(leaf))
    }

    /// An end of a leaf at a place: the day that shows it, and its boundary.
    fn seen(&self, leaf: usize, end: End, place: i32) -> (Day, i32) {
        let flags = self.inputs.flags[leaf];
        if flags & PINNED != 0 || flags & STARTED != 0 && end == End::Start {
            let boundary = self.inputs.fact[leaf][end as usize];
            return (Day(boundary - i32::from(end == End::Finish)), boundary);
        }
        let own = self.compiled.axis_of(leaf);
        let (boundary, at_day_end) = match (self.compiled.kind[leaf], end) {
            (Kind::Point, _) => (own.point_boundary(place), !is_morning(place)),
            (_, End::Start) => (own.start(place), false),
            (_, End::Finish) => (own.finish(place), true),
        };
        (Day(boundary - i32::from(at_day_end)), boundary)
    }

    /// The boundary of an end of the row that a bound gives it.
    fn edge_of(&self, bound: &Contribution, end: End) -> i32 {
        let [first, last] = bound.shown;
        let point = self.compiled.kind[self.node] == Kind::Point;
        let at_day_end = if point { bound.shown[0] != bound.start } else { end == End::Finish };
        if at_day_end { last.0 + 1 } else { first.0 }
    }

    /// Days that a link adds.
    fn days_of(&self, link: usize) -> i32 {
        match self.compiled.shift_of(self.network, link as u32) {
            Shift::None => 0,
            Shift::Elapsed(days) | Shift::ShownDays(days) | Shift::Working { days, .. } => days,
        }
    }

    /// The leaf below what gathers a summary's ends that gives it its value; a leaf is its own.
    fn deciding(&self, node: usize, end: End) -> Option<usize> {
        self.pick(node, |leaf| {
            let place = self.early.end(leaf, end);
            let (_, boundary) = self.seen(leaf, end, place);
            if end == End::Start { boundary } else { -boundary }
        })
    }

    /// The leaf below what hands a bound down to a summary that lets it go the least far.
    fn limiting(&self, late: &Late, node: usize, end: End) -> Option<usize> {
        self.pick(node, |leaf| {
            let work = if end == End::Finish { self.inputs.remaining[leaf] } else { 0 };
            match late.start(leaf) {
                start if start < UNBOUND / 2 => self.seen(leaf, end, start + work).1,
                _ => i32::MAX,
            }
        })
    }

    /// The leaf at or below a node with the least key.
    fn pick(&self, node: usize, key: impl Fn(usize) -> i32) -> Option<usize> {
        let (mut pending, mut found) = (vec![node], Vec::new());
        while let Some(node) = pending.pop() {
            match self.compiled.nodes[node].role {
                Role::Leaf => found.push(node),
                Role::From(_) => pending.extend(self.compiled.predecessors(node)),
                Role::Into(_) => pending.extend(self.compiled.successors(node)),
                Role::Gone => {}
            }
        }
        found.into_iter().min_by_key(|leaf| (key(*leaf), self.row(*leaf)))
    }
}
