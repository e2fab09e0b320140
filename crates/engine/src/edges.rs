//! Edges as the passes read them: packed, grouped by node, with lags resolved to days on an axis.

use std::ops::Range;

use crate::bridge::{Bridge, Shift};
use crate::calendars::Calendars;
use crate::ends::End;
use crate::graph::CONTAINMENT;
use crate::network::{LagCalendar, LagUnit, Link, LinkKind, Network};

/// An edge that is plain addition: of ordinals between nodes of one axis whose lag counts on it, or of
/// boundaries where it crosses calendars without counting days of any (a *crossing*).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    /// `other node << 3 | crossing << 2 | target end << 1 | source end`.
    packed: u32,
    /// The node in whose group this is: the passes read edges as one list and have to know whose they are.
    here: u32,
    pub(crate) lag: i32,
}

const CROSSING: u32 = 0b100;
const TARGET: u32 = 0b010;
const SOURCE: u32 = 0b001;

impl Step {
    /// A step as `here` sees it; `source` and `target` are ends of the predecessor and the successor.
    pub(crate) fn new(here: u32, other: u32, (source, target): (End, End), lag: i32) -> Step {
        Step { packed: other << 3 | (target as u32) << 1 | source as u32, here, lag }
    }

    /// A step that adds boundaries.
    pub(crate) fn crossing(self) -> Step {
        Step { packed: self.packed | CROSSING, ..self }
    }

    #[inline]
    pub(crate) fn is_crossing(self) -> bool {
        self.packed & CROSSING != 0
    }

    /// All bits for a crossing, none for a step that adds ordinals.
    #[inline]
    pub(crate) fn crossing_mask(self) -> i32 {
        -i32::from(self.is_crossing())
    }

    #[inline]
    pub(crate) fn here(self) -> usize {
        self.here as usize
    }

    #[inline]
    pub(crate) fn other(self) -> usize {
        (self.packed >> 3) as usize
    }

    /// The end of the predecessor that this step leaves from.
    #[inline]
    pub(crate) fn source(self) -> End {
        if self.packed & SOURCE == 0 { End::Start } else { End::Finish }
    }

    /// The end of the successor that this step leads to.
    #[inline]
    pub(crate) fn target(self) -> End {
        if self.packed & TARGET == 0 { End::Start } else { End::Finish }
    }

    /// All bits if the predecessor's finish holds, none for its start.
    #[inline]
    pub(crate) fn source_mask(self) -> i32 {
        -((self.packed & SOURCE) as i32)
    }

    /// All bits if the successor's finish is held, none for its start.
    #[inline]
    pub(crate) fn target_mask(self) -> i32 {
        -((self.packed >> 1 & 1) as i32)
    }

    /// Where a list of two ends a node holds what this step leaves from.
    #[inline]
    pub(crate) fn source_of_two(self) -> usize {
        (self.packed >> 3 << 1 | self.packed & SOURCE) as usize
    }

    /// Where a list of two ordinals and two boundaries a node holds what this step leaves from.
    #[inline]
    pub(crate) fn source_of_four(self) -> usize {
        (self.packed >> 3 << 2 | self.packed >> 1 & 0b10 | self.packed & SOURCE) as usize
    }

    /// Where a list of two ordinals and two boundaries a node holds what this step leads to.
    #[inline]
    pub(crate) fn target_of_four(self) -> usize {
        (self.packed >> 1) as usize
    }

    /// A crossing as the bridge that says the same.
    pub(crate) fn as_bridge(self) -> Bridge {
        Bridge {
            other: self.packed >> 3,
            source: self.source(),
            target: self.target(),
            shift: if self.lag == 0 { Shift::None } else { Shift::Elapsed(self.lag) },
        }
    }
}

/// Edges grouped by node.
#[derive(Debug, Clone)]
pub(crate) struct Grouped<T> {
    /// Where the items of a node begin, and an end; nodes behind the last of these have none.
    start: Vec<u32>,
    items: Vec<T>,
    /// The link that each item came from, or `CONTAINMENT`.
    origin: Vec<u32>,
}

impl<T: Copy> Grouped<T> {
    pub(crate) fn empty() -> Grouped<T> {
        Grouped { start: Vec::new(), items: Vec::new(), origin: Vec::new() }
    }

    /// Room for as many items a node as `counts` says; `blank` fills it until `put` is called.
    pub(crate) fn with_counts(counts: Vec<u32>, blank: T) -> Filling<T> {
        let mut start = counts;
        let mut sum = 0;
        for place in &mut start {
            sum += std::mem::replace(place, sum);
        }
        start.push(sum);
        if sum == 0 {
            return Filling(Grouped::empty());
        }
        let (items, origin) = (vec![blank; sum as usize], vec![CONTAINMENT; sum as usize]);
        Filling(Grouped { start, items, origin })
    }

    /// Whether a node has any item.
    #[inline]
    pub(crate) fn has(&self, node: usize) -> bool {
        self.start.get(node..node + 2).is_some_and(|range| range[0] < range[1])
    }

    #[inline]
    pub(crate) fn of(&self, node: usize) -> &[T] {
        &self.items[self.range(node)]
    }

    /// Items of a node, each with its link.
    pub(crate) fn with_origin(&self, node: usize) -> impl Iterator<Item = (T, u32)> {
        let range = self.range(node);
        self.items[range.clone()].iter().copied().zip(self.origin[range].iter().copied())
    }

    /// All items, group after group.
    pub(crate) fn all(&self) -> &[T] {
        &self.items
    }

    /// The same, each with its link.
    pub(crate) fn all_with_origin(&self) -> impl Iterator<Item = (T, u32)> {
        self.items.iter().copied().zip(self.origin.iter().copied())
    }

    /// Items of nodes that follow one another.
    #[inline]
    pub(crate) fn slice(&self, nodes: Range<usize>) -> &[T] {
        let place = |node: usize| self.start.get(node).map_or(self.items.len(), |start| *start as usize);
        &self.items[place(nodes.start)..place(nodes.end)]
    }

    /// Where in the list of all the items of a node are.
    #[inline]
    pub(crate) fn range(&self, node: usize) -> Range<usize> {
        let end = self.items.len();
        self.start.get(node..node + 2).map_or(end..end, |range| range[0] as usize..range[1] as usize)
    }

    /// Adds an item behind the others of its node.
    pub(crate) fn insert(&mut self, node: usize, item: T, origin: u32) {
        if self.start.len() < node + 2 {
            self.start.resize(node + 2, self.items.len() as u32);
        }
        let place = self.start[node + 1] as usize;
        self.items.insert(place, item);
        self.origin.insert(place, origin);
        self.start[node + 1..].iter_mut().for_each(|start| *start += 1);
    }

    /// Takes out the item of a link.
    pub(crate) fn remove(&mut self, node: usize, origin: u32) -> Option<T> {
        let place = self.place_of(node, origin)?;
        self.origin.remove(place);
        self.start[node + 1..].iter_mut().for_each(|start| *start -= 1);
        Some(self.items.remove(place))
    }

    /// The item of a link, to change.
    pub(crate) fn item_mut(&mut self, node: usize, origin: u32) -> Option<&mut T> {
        let place = self.place_of(node, origin)?;
        self.items.get_mut(place)
    }

    /// Gives an item another link.
    pub(crate) fn rename(&mut self, node: usize, from: u32, to: u32) {
        if let Some(place) = self.place_of(node, from) {
            self.origin[place] = to;
        }
    }

    fn place_of(&self, node: usize, origin: u32) -> Option<usize> {
        let range = self.range(node);
        let found = self.origin[range.clone()].iter().position(|known| *known == origin);
        found.map(|place| range.start + place)
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        4 * (self.start.capacity() + self.origin.capacity()) + size_of::<T>() * self.items.capacity()
    }
}

/// Nodes whose steps are put in their places together, so that all of that lies in the nearest memory.
const TOGETHER: usize = 2_048;

impl Grouped<Step> {
    /// Steps by the node that each belongs to, of one node in the order in which they come; `rough` is memory to
    /// work in. First they are shared out among ranges of nodes, then each range is put in order.
    pub(crate) fn of_steps<I: Iterator<Item = (Step, u32)>>(
        nodes: usize,
        steps: impl Fn() -> I,
        rough: &mut Vec<(Step, u32)>,
    ) -> Grouped<Step> {
        let mut ends = vec![0u32; nodes / TOGETHER + 2];
        steps().for_each(|(step, _)| ends[step.here() / TOGETHER + 1] += 1);
        for range in 1..ends.len() {
            ends[range] += ends[range - 1];
        }
        let count = ends[ends.len() - 1] as usize;
        if count == 0 {
            return Grouped::empty();
        }
        let blank = Step::new(0, 0, (End::Start, End::Start), 0);
        rough.resize(count, (blank, 0));
        for (step, origin) in steps() {
            let place = &mut ends[step.here() / TOGETHER];
            rough[*place as usize] = (step, origin);
            *place += 1;
        }
        let mut start = Vec::with_capacity(nodes + 1);
        let (mut items, mut origin) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut next = [0u32; TOGETHER];
        for first in (0..nodes).step_by(TOGETHER) {
            let range = &rough[items.len()..ends[first / TOGETHER] as usize];
            next.fill(0);
            range.iter().for_each(|(step, _)| next[step.here() - first] += 1);
            let mut sum = items.len() as u32;
            for place in &mut next[..TOGETHER.min(nodes - first)] {
                start.push(sum);
                sum += std::mem::replace(place, sum);
            }
            items.resize(sum as usize, blank);
            origin.resize(sum as usize, CONTAINMENT);
            for (step, link) in range {
                let place = &mut next[step.here() - first];
                (items[*place as usize], origin[*place as usize]) = (*step, *link);
                *place += 1;
            }
        }
        start.push(count as u32);
        Grouped { start, items, origin }
    }
}

/// Groups that are being filled; the start of a group moves on with every item.
pub(crate) struct Filling<T>(Grouped<T>);

impl<T: Copy> Filling<T> {
    #[inline]
    pub(crate) fn put(&mut self, node: u32, item: T, origin: u32) {
        let place = self.0.start[node as usize] as usize;
        self.0.start[node as usize] += 1;
        self.0.items[place] = item;
        self.0.origin[place] = origin;
    }

    /// The groups, once every announced item is in.
    pub(crate) fn done(mut self) -> Grouped<T> {
        // Every start stands at the end of its group, which is the start of the next one.
        let turn = 1.min(self.0.start.len());
        self.0.start.rotate_right(turn);
        if let Some(first) = self.0.start.first_mut() {
            *first = 0;
        }
        if let Some(last) = self.0.start.last_mut() {
            *last = self.0.items.len() as u32;
        }
        self.0
    }
}

/// What a link adds on its way.
pub(crate) fn shift_of(network: &Network, calendars: &Calendars, link: &Link) -> Shift {
    let days = match link.lag_unit {
        LagUnit::Percent => {
            let hundredths = i64::from(link.lag) * i64::from(network.tasks[link.predecessor].duration.max(0));
            ((hundredths + 50 * hundredths.signum()) / 100).clamp(-1_000_000, 1_000_000) as i32
        }
        LagUnit::Elapsed if link.lag == 0 => return Shift::None,
        LagUnit::Elapsed => return Shift::Elapsed(link.lag),
        LagUnit::Working => link.lag,
    };
    let project = || network.project_of_row(link.successor);
    let axis = match link.lag_calendar.unwrap_or_else(|| network.projects[project()].lag_calendar) {
        // Shown dates count here, so from a start to a finish even no lag is one boundary on.
        LagCalendar::Elapsed if link.kind == LinkKind::StartToFinish => return Shift::ShownDays(days + 1),
        LagCalendar::Elapsed if days != 0 => return Shift::Elapsed(days),
        _ if days == 0 => return Shift::None,
        LagCalendar::Predecessor => calendars.of_task[link.predecessor],
        LagCalendar::Project => calendars.of_project(network, project()),
        LagCalendar::Successor | LagCalendar::Elapsed => calendars.of_task[link.successor],
    };
    Shift::Working { days, axis }
}
