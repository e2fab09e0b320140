//! Edges as the passes read them: packed, grouped by node, with lags resolved to days on an axis.

use crate::bridge::Shift;
use crate::calendars::Calendars;
use crate::graph::{CONTAINMENT, Edge, End};
use crate::network::{LagCalendar, LagUnit, Link, LinkKind, Network};

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
    pub(crate) fn empty() -> Grouped<T> {
        Grouped { start: Vec::new(), items: Vec::new(), origin: Vec::new() }
    }

    /// Groups items by the node they were given with, keeping their order.
    pub(crate) fn by_node(count: usize, items: &[(u32, u32, T)]) -> Grouped<T> {
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

/// What an edge adds on its way.
pub(crate) fn shift_of(network: &Network, calendars: &Calendars, edge: &Edge) -> Shift {
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
