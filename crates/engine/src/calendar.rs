//! A working calendar: a mask of weekdays and dated exceptions, and the rule for overlays. `axis` turns a calendar
//! into a table and counts working days.

use std::collections::BTreeSet;

use crate::day::Day;

/// Monday to Friday, the mask of the built-in calendar.
pub const MONDAY_TO_FRIDAY: u8 = 0b001_1111;

/// A working calendar of whole days.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Calendar {
    /// Working weekdays: bit 0 is Monday … bit 6 is Sunday. Bit 7 is ignored.
    pub working_weekdays: u8,
    /// Dated exceptions. If several cover a day, the last one in the list wins. In a schedule they count from 100
    /// years before the first project starts until 300 years after.
    pub exceptions: Vec<CalendarException>,
}

/// A range of days that differs from the weekday mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CalendarException {
    /// First day of the range.
    pub first: Day,
    /// Last day of the range, included. A range that ends before it begins covers nothing.
    pub last: Day,
    /// `true` makes the days working (a worked Saturday), `false` non-working (a holiday).
    pub working: bool,
}

impl Default for Calendar {
    fn default() -> Calendar {
        Calendar { working_weekdays: MONDAY_TO_FRIDAY, exceptions: Vec::new() }
    }
}

impl Calendar {
    /// A calendar of a weekday mask without exceptions.
    pub fn weekly(working_weekdays: u8) -> Calendar {
        Calendar { working_weekdays, exceptions: Vec::new() }
    }

    /// This calendar narrowed by overlays: weekday masks are intersected, exceptions united.
    ///
    /// In each layer, the later of two overlapping exceptions wins. Then a day off in any layer wins over a worked
    /// day of another layer. A holiday therefore wins over a shift plan.
    pub fn with_overlays<'a>(&self, overlays: impl IntoIterator<Item = &'a Calendar>) -> Calendar {
        let mut composed = Calendar { working_weekdays: self.working_weekdays, exceptions: self.settled() };
        for overlay in overlays {
            composed.working_weekdays &= overlay.working_weekdays;
            composed.exceptions.extend(overlay.settled());
        }
        // The last one in the list wins, so days off go to its end.
        composed.exceptions.sort_by_key(|exception| !exception.working);
        composed
    }

    /// The exceptions as ranges that do not overlap.
    fn settled(&self) -> Vec<CalendarException> {
        let mut edges: Vec<(i64, bool, usize)> = Vec::with_capacity(2 * self.exceptions.len());
        for (index, range) in
            self.exceptions.iter().enumerate().filter(|(_, range)| range.first <= range.last)
        {
            edges.push((i64::from(range.first.0), true, index));
            edges.push((i64::from(range.last.0) + 1, false, index));
        }
        edges.sort_unstable();
        let mut open = BTreeSet::new();
        let mut settled = Vec::new();
        for (place, (day, opens, index)) in edges.iter().enumerate() {
            if *opens {
                open.insert(*index);
            } else {
                open.remove(index);
            }
            let next = edges.get(place + 1).map_or(*day, |edge| edge.0);
            if let Some(winner) = open.last().filter(|_| next > *day) {
                let (first, last) = (Day(*day as i32), Day((next - 1) as i32));
                settled.push(CalendarException { first, last, working: self.exceptions[*winner].working });
            }
        }
        settled
    }

    /// The exceptions as ranges that do not overlap, in the order of days, cut to a span of days.
    pub(crate) fn settled_within(&self, first: i32, last: i32) -> Vec<CalendarException> {
        let within = |range: CalendarException| CalendarException {
            first: range.first.max(Day(first)),
            last: range.last.min(Day(last)),
            ..range
        };
        let mut ranges = self.settled();
        ranges.retain(|range| range.first.0 <= last && range.last.0 >= first);
        ranges.into_iter().map(within).collect()
    }

    /// Whether a day is worked.
    pub fn is_working(&self, day: Day) -> bool {
        let covering = |exception: &&CalendarException| exception.first <= day && day <= exception.last;
        match self.exceptions.iter().rev().find(covering) {
            Some(exception) => exception.working,
            None => self.working_weekdays >> (day.weekday() as u8) & 1 == 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlays_narrow_weekdays_and_holidays_win() {
        let saturday = Day::from_ymd(2026, 1, 10).unwrap_or_default();
        let worked = CalendarException { first: saturday, last: saturday, working: true };
        let closed = CalendarException { working: false, ..worked };
        let base = Calendar { working_weekdays: 0b011_1111, exceptions: vec![worked] };
        assert!(base.is_working(saturday));
        assert!(base.with_overlays(&[Calendar::default()]).is_working(saturday));
        let holidays = Calendar { working_weekdays: 0b111_1111, exceptions: vec![closed] };
        assert!(!base.with_overlays(&[holidays]).is_working(saturday));
    }
    #[test]
    fn each_layer_settles_its_own_exceptions_first() {
        let range = |first, last, working| CalendarException { first: Day(first), last: Day(last), working };
        let exceptions = vec![range(0, 9, false), range(3, 4, true), range(4, 6, false), range(8, 2, true)];
        let layer = Calendar { working_weekdays: 0b111_1111, exceptions };
        let composed = Calendar::weekly(0b111_1111).with_overlays([&layer]);
        for day in -2..12 {
            assert_eq!(composed.is_working(Day(day)), layer.is_working(Day(day)), "day {day}");
        }
        let holiday = Calendar { working_weekdays: 0b111_1111, exceptions: vec![range(3, 3, false)] };
        assert!(!layer.with_overlays(&[holiday]).is_working(Day(3)));
    }
}
