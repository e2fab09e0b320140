//! Edges between calendars, and edges with elapsed days: from the end of a predecessor to the bound on its successor,
//! and the exact inverse for the backward pass.

use crate::axis::{Axis, is_morning};
use crate::ends::End;
use crate::range::{UNBOUND, UNSET};

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

/// What holds the other end of an edge, or limits it: a morning and an evening, each as the boundary that it
/// lies at. A morning holds a finish only to the last working day before; an evening is not left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Instants {
    pub(crate) morning: i32,
    pub(crate) evening: i32,
}

impl Instants {
    /// Nothing is held.
    pub(crate) const NONE: Instants = Instants { morning: UNSET, evening: UNSET };
    /// Nothing is limited.
    pub(crate) const FREE: Instants = Instants { morning: UNBOUND, evening: UNBOUND };

    pub(crate) fn morning(boundary: i32) -> Instants {
        Instants { morning: boundary, evening: UNSET }
    }

    pub(crate) fn evening(boundary: i32) -> Instants {
        Instants { morning: UNSET, evening: boundary }
    }

    pub(crate) fn both(boundary: i32) -> Instants {
        Instants { morning: boundary, evening: boundary }
    }

    /// A point at a place of its calendar. From the morning of its day it holds a finish as well as the evening
    /// before does.
    pub(crate) fn of_point(own: &Axis, place: i32) -> Instants {
        let evening = own.finish(place >> 1);
        if is_morning(place) {
            Instants { morning: own.start(place >> 1), evening }
        } else {
            Instants::evening(evening)
        }
    }

    /// The later of the two.
    pub(crate) fn last(self) -> i32 {
        self.morning.max(self.evening)
    }

    pub(crate) fn is_none(self) -> bool {
        self.last() <= UNSET / 2
    }

    /// What is there of both, the later ones.
    pub(crate) fn max(self, other: Instants) -> Instants {
        let (morning, evening) = (self.morning.max(other.morning), self.evening.max(other.evening));
        Instants { morning, evening }
    }

    /// The tighter of two limits.
    pub(crate) fn min(self, other: Instants) -> Instants {
        let (morning, evening) = (self.morning.min(other.morning), self.evening.min(other.evening));
        Instants { morning, evening }
    }

    /// Whether something is later than a limit.
    pub(crate) fn exceeds(self, limit: Instants) -> bool {
        self.morning > limit.morning || self.evening > limit.evening
    }

    fn map(self, change: impl Fn(i32) -> i32) -> Instants {
        let changed = |at: i32| if at.abs() < UNBOUND / 2 { change(at) } else { at };
        Instants { morning: changed(self.morning), evening: changed(self.evening) }
    }

    /// The least ordinal at which work may start.
    pub(crate) fn start_of_work(self, axis: &Axis) -> i32 {
        if self.is_none() { UNSET } else { axis.ordinal(self.last()) }
    }

    /// The least ordinal at which work may finish.
    pub(crate) fn finish_of_work(self, axis: &Axis) -> i32 {
        let morning = if self.morning > UNSET / 2 { axis.ordinal(self.morning) } else { UNSET };
        let evening = if self.evening > UNSET / 2 { axis.ordinal_finishing_at(self.evening) } else { UNSET };
        morning.max(evening)
    }

    /// The least place of a point.
    pub(crate) fn place_of_point(self, axis: &Axis) -> i32 {
        let morning = if self.morning > UNSET / 2 { axis.point_from_morning(self.morning) } else { UNSET };
        let evening = if self.evening > UNSET / 2 { axis.point_from_evening(self.evening) } else { UNSET };
        morning.max(evening)
    }

    /// The limit of work that must not start after an ordinal.
    pub(crate) fn of_latest_start(axis: &Axis, ordinal: i32) -> Instants {
        Instants::both(axis.start(ordinal))
    }

    /// The limit of work that must not finish after an ordinal.
    pub(crate) fn of_latest_finish(axis: &Axis, ordinal: i32) -> Instants {
        Instants { morning: axis.start(ordinal), evening: axis.finish(ordinal) }
    }

    /// The limit of a point that must not be after a place.
    pub(crate) fn of_latest_point(axis: &Axis, place: i32) -> Instants {
        let ordinal = place >> 1;
        match is_morning(place) {
            true => Instants::both(axis.start(ordinal)),
            false => {
                Instants { morning: axis.start(ordinal.saturating_sub(1)), evening: axis.finish(ordinal) }
            }
        }
    }

    /// The last place of a point that keeps a limit.
    pub(crate) fn latest_point(self, axis: &Axis) -> i32 {
        let ordinal = axis.ordinal(self.evening);
        2 * ordinal + i32::from(axis.start(ordinal) <= self.morning)
    }
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
    /// What the source's end holds, moved on by what this bridge adds.
    pub(crate) fn forward(&self, axes: &[Axis], from: Instants) -> Instants {
        if from.is_none() {
            return from;
        }
        match self.shift {
            Shift::None => from,
            Shift::Elapsed(days) => from.map(|boundary| boundary.saturating_add(days)),
            Shift::ShownDays(days) => Instants::evening(from.last().saturating_add(days)),
            Shift::Working { days, axis } => {
                let axis = &axes[axis as usize];
                let ordinal = axis.ordinal(from.last()).saturating_add(days);
                match days < 0 && self.leads_to_start() {
                    true => Instants::morning(axis.start(ordinal)),
                    false => Instants::evening(axis.finish(ordinal)),
                }
            }
        }
    }

    /// The latest that the source's end may hold so that what this bridge makes of it keeps a limit: the exact
    /// inverse of `forward`.
    pub(crate) fn backward(&self, axes: &[Axis], limit: Instants) -> Instants {
        match self.shift {
            Shift::None => limit,
            Shift::Elapsed(days) => limit.map(|boundary| boundary.saturating_sub(days)),
            Shift::ShownDays(days) => {
                Instants::both(limit.evening).map(|boundary| boundary.saturating_sub(days))
            }
            Shift::Working { days, axis } => {
                let axis = &axes[axis as usize];
                let by_morning =
                    |boundary: i32| axis.start(axis.ordinal_starting_by(boundary).saturating_sub(days));
                let by_evening = |boundary: i32| axis.start(axis.ordinal(boundary).saturating_sub(days));
                match days < 0 && self.leads_to_start() {
                    true => Instants::both(limit.morning).map(by_morning),
                    false => Instants::both(limit.evening).map(by_evening),
                }
            }
        }
    }

    /// A lead from or to a start ends in a morning; one between finishes, as all other lag, in an evening.
    fn leads_to_start(&self) -> bool {
        self.target == End::Start || self.source == End::Start
    }

    /// A boundary inside a day, as simulated durations make them, moved on by what this bridge adds.
    pub(crate) fn forward_fraction(&self, axes: &[Axis], boundary: f64) -> f64 {
        match self.shift {
            Shift::None => boundary,
            Shift::Elapsed(days) | Shift::ShownDays(days) => boundary + f64::from(days),
            Shift::Working { days, axis } => {
                let axis = &axes[axis as usize];
                axis.fraction_boundary(axis.fraction_ordinal(boundary) + f64::from(days), End::Finish)
            }
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
            Calendar::weekly(0b111_1111),
        ]
        .iter()
        .filter_map(|calendar| Axis::new(calendar, window, window))
        .collect()
    }

    /// An end of work, or a point, as a source: what it holds at a place, and the last place within a limit.
    #[derive(Debug, Clone, Copy)]
    enum Kind {
        Start,
        Finish,
        Point,
    }

    fn holds(kind: Kind, axis: &Axis, place: i32) -> Instants {
        match kind {
            Kind::Start => Instants::morning(axis.start(place)),
            Kind::Finish => Instants::evening(axis.finish(place)),
            Kind::Point => Instants::of_point(axis, place),
        }
    }

    fn bound(kind: Kind, axis: &Axis, instants: Instants) -> i32 {
        match kind {
            Kind::Start => instants.start_of_work(axis),
            Kind::Finish => instants.finish_of_work(axis),
            Kind::Point => instants.place_of_point(axis),
        }
    }

    fn limit(kind: Kind, axis: &Axis, place: i32) -> Instants {
        match kind {
            Kind::Start => Instants::of_latest_start(axis, place),
            Kind::Finish => Instants::of_latest_finish(axis, place),
            Kind::Point => Instants::of_latest_point(axis, place),
        }
    }

    fn latest(kind: Kind, axis: &Axis, limit: Instants) -> i32 {
        match kind {
            Kind::Start => axis.ordinal_starting_by(limit.morning),
            Kind::Finish => axis.ordinal(limit.evening),
            Kind::Point => limit.latest_point(axis),
        }
    }

    #[test]
    fn backward_is_the_exact_inverse_of_forward() {
        let axes = axes();
        let lags = [-7, -2, -1, 1, 2, 6];
        let mut shifts = vec![Shift::None];
        shifts.extend(lags.map(Shift::Elapsed));
        for axis in 0..axes.len() as u32 {
            shifts.extend(lags.map(|days| Shift::Working { days, axis }));
        }
        let kinds = |end: End| [if end == End::Start { Kind::Start } else { Kind::Finish }, Kind::Point];
        let ends = [End::Start, End::Finish];
        let pairs = || axes.iter().flat_map(|source| axes.iter().map(move |target| (source, target)));
        for (source, target) in ends.iter().flat_map(|source| ends.map(|target| (*source, target))) {
            let mut shifts = shifts.clone();
            if (source, target) == (End::Start, End::Finish) {
                shifts.extend([Shift::ShownDays(3), Shift::ShownDays(-2)]);
            }
            for shift in &shifts {
                let bridge = Bridge { other: 0, source, target, shift: *shift };
                for (from, to) in kinds(source).iter().flat_map(|from| kinds(target).map(|to| (*from, to))) {
                    for (own, other) in pairs() {
                        let map = |place| bound(to, other, bridge.forward(&axes, holds(from, own, place)));
                        for place in 0..40 {
                            assert!(map(place) <= map(place + 1), "{bridge:?} {from:?} {to:?} at {place}");
                            let allowed = bridge.backward(&axes, limit(to, other, place));
                            let last = latest(from, own, allowed);
                            assert!(map(last) <= place, "{bridge:?} {from:?} {to:?} {place} {last}");
                            assert!(map(last + 1) > place, "{bridge:?} {from:?} {to:?} {place} {last}");
                        }
                    }
                }
            }
        }
    }
}
