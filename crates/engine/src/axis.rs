//! Tables between boundaries (days) and working-day ordinals of one calendar, one load a look-up.
//! Outside the tabled window the weekly pattern goes on without exceptions.

use crate::calendar::Calendar;
use crate::day::Day;
use crate::graph::End;

/// Boundaries and ordinals never leave ±`FAR`, so sums of a few of them cannot overflow.
pub(crate) const FAR: i32 = 1 << 28;

/// Fractions of a day below this are rounding.
pub(crate) const ROUNDING: f64 = 1.0 / 1024.0;

/// One calendar as a table. Ordinal `k` is the place at which `k` working days of the window have
/// passed; several boundaries share an ordinal when no working day lies between them.
#[derive(Debug, Clone)]
pub(crate) struct Axis {
    /// Every day counts, from day 0: ordinals are boundaries.
    continuous: bool,
    first: i32,
    /// Working days in `[first, first + index)`.
    before: Vec<i32>,
    /// The working days of the window.
    working: Vec<i32>,
    mask: u8,
    per_week: i64,
}

/// The days that a table has to cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) first: i32,
    pub(crate) last: i32,
}

impl Axis {
    /// The axis on which every day counts.
    pub(crate) fn continuous() -> Axis {
        Axis { continuous: true, first: 0, before: vec![0], working: Vec::new(), mask: 0x7f, per_week: 7 }
    }

    /// The table of a calendar, `None` if no weekday is worked. The window grows to the calendar's
    /// exceptions, as far as `reach`.
    pub(crate) fn new(calendar: &Calendar, window: Window, reach: Window) -> Option<Axis> {
        let mask = calendar.working_weekdays & 0x7f;
        if mask == 0 {
            return None;
        }
        let ranges = || {
            let clip = |day: Day| day.0.clamp(reach.first, reach.last);
            calendar
                .exceptions
                .iter()
                .filter(|range| range.first <= range.last)
                .filter(|range| range.first.0 <= reach.last && range.last.0 >= reach.first)
                .map(move |range| (clip(range.first), clip(range.last), range.working))
        };
        let first = ranges().map(|range| range.0).fold(window.first, i32::min);
        let last = ranges().map(|range| range.1).fold(window.last, i32::max);
        let length = (last - first + 1).max(0) as usize;
        let week: Vec<bool> = (0..7).map(|offset| is_weekday_of(mask, i64::from(first) + offset)).collect();
        let mut open: Vec<bool> = (0..length).map(|index| week[index % 7]).collect();
        for (from, to, working) in ranges() {
            open[(from - first) as usize..=(to - first) as usize].fill(working);
        }
        let mut before = Vec::with_capacity(length + 1);
        let mut working = Vec::with_capacity(length * mask.count_ones() as usize / 7 + 8);
        before.push(0);
        for (index, open) in open.iter().enumerate() {
            if *open {
                working.push(first + index as i32);
            }
            before.push(working.len() as i32);
        }
        Some(Axis { continuous: false, first, before, working, mask, per_week: i64::from(mask.count_ones()) })
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

    #[inline(never)]
    fn ordinal_outside(&self, boundary: i32) -> i32 {
        if self.continuous {
            return boundary;
        }
        let end = i64::from(self.first) + self.before.len() as i64 - 1;
        let boundary = i64::from(boundary);
        if boundary < i64::from(self.first) {
            far(-self.weekly_between(boundary, i64::from(self.first)))
        } else {
            far(self.working.len() as i64 + self.weekly_between(end, boundary))
        }
    }

    /// Working days in `[from, to)` by the weekly pattern alone.
    fn weekly_between(&self, from: i64, to: i64) -> i64 {
        let weeks = (to - from) / 7;
        let rest = (from + weeks * 7..to).filter(|day| is_weekday_of(self.mask, *day)).count();
        weeks * self.per_week + rest as i64
    }

    #[inline(never)]
    fn start_outside(&self, ordinal: i32) -> i32 {
        if self.continuous {
            return ordinal;
        }
        let ordinal = i64::from(ordinal);
        let count = self.working.len() as i64;
        let (anchor, steps) = if ordinal < 0 {
            (i64::from(self.first), ordinal)
        } else {
            (i64::from(self.first) + self.before.len() as i64 - 1, ordinal - count)
        };
        let mut left = steps.rem_euclid(self.per_week);
        let mut day = anchor + steps.div_euclid(self.per_week) * 7;
        // At most two weeks: some weekday is worked.
        loop {
            if is_weekday_of(self.mask, day) {
                if left == 0 {
                    return far(day);
                }
                left -= 1;
            }
            day += 1;
        }
    }
}

fn far(value: i64) -> i32 {
    value.clamp(i64::from(-FAR) * 4, i64::from(FAR) * 4) as i32
}

fn is_weekday_of(mask: u8, day: i64) -> bool {
    mask >> (day + 3).rem_euclid(7) & 1 == 1
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
