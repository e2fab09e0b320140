//! Edges that cross calendars or add elapsed days: the forward map from a predecessor's end to the
//! bound on its successor, and its exact inverse for the way back.

use crate::axis::Axis;
use crate::graph::End;

/// What an edge adds to the boundary it starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shift {
    None,
    /// Calendar days.
    Elapsed(i32),
    /// Calendar days from a shown start to a shown finish; the finish lands on a working day.
    ShownDays(i32),
    /// Working days of an axis, not zero.
    Working {
        days: i32,
        axis: u32,
    },
}

/// What an edge leaves from: work, or the beginning of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Work,
    DayStart,
}

/// A general edge as one of its nodes sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bridge {
    /// The node at the other side.
    pub(crate) other: u32,
    pub(crate) source: End,
    pub(crate) target: End,
    pub(crate) shift: Shift,
}

impl Bridge {
    /// The least ordinal of the target's end that this bridge allows, from the boundary of the
    /// source's end.
    pub(crate) fn forward(&self, axes: &[Axis], target: &Axis, boundary: i32, from: Source) -> i32 {
        let reached = match self.shift {
            Shift::None => boundary,
            Shift::Elapsed(days) | Shift::ShownDays(days) => boundary.saturating_add(days),
            Shift::Working { days, axis } => {
                let axis = &axes[axis as usize];
                let ordinal = axis.ordinal(boundary).saturating_add(days);
                if days > 0 || !self.leads_to_start(from) {
                    axis.finish(ordinal)
                } else {
                    axis.start(ordinal)
                }
            }
        };
        if self.rounds_down(from) { target.ordinal(reached) } else { target.ordinal_finishing_at(reached) }
    }

    /// The forward map for boundaries inside days, as simulated durations make them.
    pub(crate) fn forward_fraction(&self, axes: &[Axis], target: &Axis, boundary: f64) -> f64 {
        let reached = match self.shift {
            Shift::None => boundary,
            Shift::Elapsed(days) | Shift::ShownDays(days) => boundary + f64::from(days),
            Shift::Working { days, axis } => {
                let axis = &axes[axis as usize];
                axis.fraction_boundary(axis.fraction_ordinal(boundary) + f64::from(days), End::Finish)
            }
        };
        target.fraction_ordinal(reached)
    }

    /// The latest boundary of the source's end that keeps the bound at or below an ordinal of the
    /// target's end: the exact inverse of `forward`.
    pub(crate) fn backward(&self, axes: &[Axis], target: &Axis, ordinal: i32, from: Source) -> i32 {
        let reached = if self.rounds_down(from) { target.start(ordinal) } else { target.finish(ordinal) };
        match self.shift {
            Shift::None => reached,
            Shift::Elapsed(days) | Shift::ShownDays(days) => reached.saturating_sub(days),
            Shift::Working { days, axis } => {
                let axis = &axes[axis as usize];
                if days > 0 || !self.leads_to_start(from) {
                    axis.start(axis.ordinal(reached).saturating_sub(days))
                } else {
                    axis.start(axis.ordinal_starting_by(reached).saturating_sub(days))
                }
            }
        }
    }

    /// A lead from or to a start, or from a point that begins a day, ends where a working day begins; one between
    /// finishes ends where one ends.
    fn leads_to_start(&self, from: Source) -> bool {
        self.target == End::Start || self.source == End::Start || from == Source::DayStart
    }

    /// A start waits for the next working day by itself. A finish held by a finish must not end before
    /// it; one held by a start, or by a point that begins a day, may end with the last working day before.
    fn rounds_down(&self, from: Source) -> bool {
        match self.shift {
            _ if self.target == End::Start => true,
            Shift::ShownDays(_) => false,
            Shift::Working { days, .. } if days > 0 => false,
            _ => self.source == End::Start || from == Source::DayStart,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::Window;
    use crate::calendar::{Calendar, CalendarException};
    use crate::day::Day;

    fn axes() -> Vec<Axis> {
        let window = Window { first: -60, last: 90 };
        let holidays = vec![CalendarException { first: Day(11), last: Day(19), working: false }];
        [
            Calendar::weekly(0b001_1111),
            Calendar::weekly(0b101_0110),
            Calendar { working_weekdays: 0b011_1111, exceptions: holidays },
        ]
        .iter()
        .filter_map(|calendar| Axis::new(calendar, window, window))
        .chain([Axis::continuous()])
        .collect()
    }

    #[test]
    fn backward_is_the_exact_inverse_of_forward() {
        let axes = axes();
        let ends = [End::Start, End::Finish];
        let lags = [-7, -2, -1, 1, 2, 6];
        let mut shifts = vec![Shift::None, Shift::ShownDays(3), Shift::ShownDays(-2)];
        shifts.extend(lags.map(Shift::Elapsed));
        for axis in 0..axes.len() as u32 {
            shifts.extend(lags.map(|days| Shift::Working { days, axis }));
        }
        for (source, target) in ends.iter().flat_map(|source| ends.map(|target| (*source, target))) {
            for shift in &shifts {
                let bridge = Bridge { other: 0, source, target, shift: *shift };
                let sources = [Source::Work, Source::DayStart];
                for (axis, from) in axes.iter().flat_map(|axis| sources.map(|from| (axis, from))) {
                    let map = |boundary| bridge.forward(&axes, axis, boundary, from);
                    for boundary in 0..40 {
                        assert!(map(boundary) <= map(boundary + 1), "{bridge:?} falls at {boundary}");
                    }
                    for ordinal in axis.ordinal(0)..axis.ordinal(40) {
                        let latest = bridge.backward(&axes, axis, ordinal, from);
                        assert!(map(latest) <= ordinal, "{bridge:?} {ordinal} {latest}");
                        assert!(map(latest + 1) > ordinal, "{bridge:?} {ordinal} {latest}");
                    }
                }
            }
        }
    }
}
