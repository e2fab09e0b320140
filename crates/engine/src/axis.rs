//! Tables between boundaries (days) and working-day ordinals of one calendar, with one load for each look-up. Outside
//! the table a list of exceptions is used (`beyond`).

use crate::beyond::{Stretches, Week};
use crate::calendar::Calendar;
use crate::day::Day;
use crate::ends::End;
use crate::range::FAR;

/// Fractions of a day below this are rounding.
pub(crate) const ROUNDING: f64 = 1.0 / 1024.0;

/// The instant in which the day behind a boundary begins. An instant is twice the day, and one more in the
/// evening; the evening before a boundary comes before the morning behind it.
#[inline]
pub(crate) fn morning(boundary: i32) -> i32 {
    2 * boundary
}

/// The instant in which the day before a boundary ends.
#[inline]
pub(crate) fn evening(boundary: i32) -> i32 {
    2 * boundary - 1
}

/// The boundary that an instant lies at.
#[inline]
pub(crate) fn boundary_of(instant: i32) -> i32 {
    (instant + 1) >> 1
}

/// Whether a point lies in the morning behind its ordinal, not in the evening before it: the place of a point
/// is twice its ordinal, and one more in the morning.
#[inline]
pub(crate) fn is_morning(place: i32) -> bool {
    place & 1 == 1
}

/// One calendar as a table. Ordinal `k` is the place at which `k` working days of the window have
/// passed; several boundaries share an ordinal when no working day lies between them.
#[derive(Debug, Clone)]
pub(crate) struct Axis {
    first: i32,
    /// Working days in `[first, first + index)`.
    before: Vec<i32>,
    /// The working days of the window.
    working: Vec<i32>,
    /// The days before the window, and those after it.
    below: Stretches,
    above: Stretches,
    /// Some work on it may be held up for more than `LONGEST_STANDSTILL` days.
    pub(crate) stands_still: bool,
}

/// Days off, beyond those of every week, for which nobody means a calendar to hold work up.
pub(crate) const LONGEST_STANDSTILL: i64 = 50 * 365;

/// The days that a table has to cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) first: i32,
    pub(crate) last: i32,
}

impl Axis {
    /// The table of a calendar, `None` if no weekday is worked. Exceptions count within `reach`, whether
    /// they lie in the window or not.
    pub(crate) fn new(calendar: &Calendar, window: Window, reach: Window) -> Option<Axis> {
        let week = Week::of(calendar.working_weekdays);
        if week.is_empty() {
            return None;
        }
        let (first, end) = (window.first, window.last.max(window.first - 1) + 1);
        let ranges: Vec<_> = calendar.settled_within(reach.first, reach.last);
        let mut open: Vec<bool> =
            (first..end.min(first + 7)).map(|day| week.is_worked(i64::from(day))).collect();
        (7..(end - first) as usize).for_each(|index| open.push(open[index - 7]));
        for range in ranges.iter().filter(|range| range.first.0 < end && range.last.0 >= first) {
            let (from, to) = (range.first.0.max(first), range.last.0.min(end - 1) + 1);
            open[(from - first) as usize..(to - first) as usize].fill(range.working);
        }
        let mut before = Vec::with_capacity(open.len() + 1);
        let mut working = Vec::with_capacity(open.iter().filter(|open| **open).count());
        before.push(0);
        for (index, open) in open.iter().enumerate() {
            if *open {
                working.push(first + index as i32);
            }
            before.push(working.len() as i32);
        }
        let below = Stretches::below(&ranges, week, first, 0);
        let above = Stretches::above(&ranges, week, end, working.len() as i64);
        let off = ranges.iter().filter(|range| !range.working);
        let days_off: i64 = off.map(|range| i64::from(range.last.0) - i64::from(range.first.0) + 1).sum();
        let stands_still = days_off > LONGEST_STANDSTILL;
        Some(Axis { first, before, working, below, above, stands_still })
    }

    /// Working days that lie before a boundary.
    #[inline]
    pub(crate) fn ordinal(&self, boundary: i32) -> i32 {
        self.ordinal_where(-1, boundary)
    }

    /// The same where a mask has all bits, without a branch on it; some ordinal where it has none.
    #[inline(always)]
    pub(crate) fn ordinal_where(&self, mask: i32, boundary: i32) -> i32 {
        let index = boundary.wrapping_sub(self.first) & mask;
        match self.before.get(index as u32 as usize) {
            Some(count) => *count,
            None => self.ordinal_outside(boundary),
        }
    }

    /// The latest boundary of an ordinal: where its working day begins.
    #[inline]
    pub(crate) fn start(&self, ordinal: i32) -> i32 {
        match self.working.get(ordinal as u32 as usize) {
            Some(day) => *day,
            None => self.start_outside(ordinal),
        }
    }

    /// The earliest boundary of an ordinal: where the working day before it ends.
    #[inline]
    pub(crate) fn finish(&self, ordinal: i32) -> i32 {
        self.start(ordinal.saturating_sub(1)) + 1
    }

    /// The least ordinal that finishes at or after a boundary.
    #[inline]
    pub(crate) fn ordinal_finishing_at(&self, boundary: i32) -> i32 {
        self.ordinal(boundary.saturating_sub(1)).saturating_add(1)
    }

    /// The greatest ordinal that starts at or before a boundary.
    #[inline]
    pub(crate) fn ordinal_starting_by(&self, boundary: i32) -> i32 {
        self.ordinal(boundary.saturating_add(1)).saturating_sub(1)
    }

    /// The place of a point in the morning in which the first working day at or after a boundary begins.
    #[inline]
    pub(crate) fn point_from_morning(&self, boundary: i32) -> i32 {
        2 * self.ordinal(boundary) + 1
    }

    /// The first place of a point that is no earlier than an evening: that evening, or the next morning that
    /// begins a working day.
    #[inline]
    pub(crate) fn point_from_evening(&self, boundary: i32) -> i32 {
        let ordinal = self.ordinal(boundary);
        2 * ordinal + i32::from(self.finish(ordinal) != boundary)
    }

    /// The last place of a point that is no later than an instant.
    #[inline]
    pub(crate) fn point_by(&self, instant: i32) -> i32 {
        let ordinal = self.ordinal(boundary_of(instant));
        2 * ordinal + i32::from(morning(self.start(ordinal)) <= instant)
    }

    /// The boundary that a point lies at.
    #[inline]
    pub(crate) fn point_boundary(&self, place: i32) -> i32 {
        if is_morning(place) { self.start(place >> 1) } else { self.finish(place >> 1) }
    }

    /// The instant that a point lies at.
    #[inline]
    pub(crate) fn point_instant(&self, place: i32) -> i32 {
        if is_morning(place) { morning(self.start(place >> 1)) } else { evening(self.finish(place >> 1)) }
    }

    /// The boundary of a place between ordinals; within a working day it lies inside that day.
    pub(crate) fn fraction_boundary(&self, place: f64, end: End) -> f64 {
        let whole = (place + ROUNDING).floor();
        let rest = place - whole;
        let ordinal = whole as i32;
        if rest > ROUNDING {
            return f64::from(self.start(ordinal)) + rest;
        }
        f64::from(if end == End::Start { self.start(ordinal) } else { self.finish(ordinal) })
    }

    /// The ordinal of a boundary that may lie inside a day; the hours of a day off count nothing.
    pub(crate) fn fraction_ordinal(&self, boundary: f64) -> f64 {
        let whole = (boundary + ROUNDING).floor();
        let rest = boundary - whole;
        let before = self.ordinal(whole as i32);
        let worked = rest > ROUNDING && self.ordinal((whole as i32).saturating_add(1)) > before;
        f64::from(before) + if worked { rest } else { 0.0 }
    }

    /// Bytes of the table on the heap.
    #[cfg(test)]
    pub(crate) fn table_bytes(&self) -> usize {
        size_of::<i32>() * (self.before.capacity() + self.working.capacity())
    }

    #[inline(never)]
    fn ordinal_outside(&self, boundary: i32) -> i32 {
        let side = if boundary < self.first { &self.below } else { &self.above };
        far(side.ordinal(i64::from(boundary)))
    }

    #[inline(never)]
    fn start_outside(&self, ordinal: i32) -> i32 {
        let side = if ordinal < 0 { &self.below } else { &self.above };
        far(side.start(i64::from(ordinal)))
    }
}

impl Calendar {
    /// Working days from a day to another, both included, 0 if the other comes before or no weekday is
    /// worked. Days beyond those that a [`Network`](crate::Network) may name count as the last of these.
    pub fn working_days(&self, first: Day, last: Day) -> i32 {
        let within = |day: Day| day.0.clamp(-FAR / 64, FAR / 64);
        let (first, last) = (within(first), within(last));
        let reach = Window { first, last };
        match Axis::new(self, Window { first, last: first }, reach) {
            Some(axis) if first <= last => axis.ordinal(last + 1) - axis.ordinal(first),
            _ => 0,
        }
    }
}

/// Boundaries stay so near that they can be doubled.
fn far(value: i64) -> i32 {
    value.clamp(i64::from(-FAR) * 3, i64::from(FAR) * 3) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::CalendarException;

    #[test]
    fn tables_agree_with_the_calendar_inside_and_outside_the_window() {
        let calendar = Calendar {
            working_weekdays: 0b001_0111,
            exceptions: vec![
                CalendarException { first: Day(40), last: Day(49), working: false },
                CalendarException { first: Day(44), last: Day(44), working: true },
                CalendarException { first: Day(60), last: Day(61), working: true },
            ],
        };
        let reach = Window { first: -1000, last: 1000 };
        let Some(axis) = Axis::new(&calendar, Window { first: 0, last: 30 }, reach) else {
            panic!("some weekday is worked");
        };
        let mut count = axis.ordinal(-90);
        for day in -90..200 {
            assert_eq!(axis.ordinal(day), count, "before day {day}");
            if calendar.is_working(Day(day)) {
                assert_eq!(axis.start(count), day);
                assert_eq!(axis.finish(count + 1), day + 1);
                count += 1;
            }
        }
    }

    #[test]
    fn small_tables_answer_as_large_ones_do() {
        let range = |first, last, working| CalendarException { first: Day(first), last: Day(last), working };
        let exceptions = vec![
            range(-700, -690, true),
            range(-300, -250, false),
            range(-251, -240, true),
            range(-3, 4, false),
            range(90, 150, true),
            range(120, 130, false),
            range(151, 400, false),
            range(900, 2_000, true),
        ];
        let reach = Window { first: -650, last: 1_000 };
        for mask in [0b001_1111, 0b000_0001, 0b111_1111, 0b101_0110] {
            let calendar = Calendar { working_weekdays: mask, exceptions: exceptions.clone() };
            let axis = |first, last| match Axis::new(&calendar, Window { first, last }, reach) {
                Some(axis) => axis,
                None => panic!("some weekday is worked"),
            };
            let large = axis(-1_500, 2_500);
            for (first, last) in [(0, -1), (0, 0), (-10, 100), (125, 127), (-260, -245), (1_200, 1_300)] {
                let small = axis(first, last);
                // Both count from the beginning of their own windows.
                let apart = large.ordinal(first);
                for day in -1_490..2_490 {
                    assert_eq!(small.ordinal(day) + apart, large.ordinal(day), "{first} {last}: {day}");
                }
                for ordinal in large.ordinal(-1_490)..large.ordinal(2_490) {
                    assert_eq!(small.start(ordinal - apart), large.start(ordinal), "{first} {last}");
                    assert_eq!(small.finish(ordinal - apart), large.finish(ordinal), "{first} {last}");
                }
            }
        }
    }

    #[test]
    fn a_calendar_without_weekdays_has_no_axis() {
        let window = Window { first: 0, last: 0 };
        assert!(Axis::new(&Calendar::weekly(0), window, window).is_none());
    }

    #[test]
    fn extreme_places_do_not_overflow() {
        let window = Window { first: 0, last: 10 };
        let Some(axis) = Axis::new(&Calendar::weekly(1), window, window) else {
            panic!("Mondays are worked")
        };
        for place in [i32::MIN, -FAR, FAR, i32::MAX] {
            axis.ordinal(place);
            axis.start(place);
            axis.finish(place);
            axis.ordinal_finishing_at(place);
        }
    }
}
