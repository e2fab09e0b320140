//! What a working calendar is: a weekday mask plus dated exceptions, and how overlays compose.
//! Counting working days is `axis`, which turns a calendar into a table.

use crate::day::Day;

/// Monday to Friday, the mask of the built-in calendar.
pub const MONDAY_TO_FRIDAY: u8 = 0b001_1111;

/// A working calendar of whole days.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Calendar {
    /// Working weekdays: bit 0 is Monday … bit 6 is Sunday. Bit 7 is ignored.
    pub working_weekdays: u8,
    /// Dated exceptions. Where several cover a day the last one in the list wins.
    pub exceptions: Vec<CalendarException>,
}

/// A range of days that departs from the weekday mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    /// A non-working exception of any layer wins over a working one of any other, so that a holiday
    /// layer closes a day that another layer opened. Within one layer its own order decides.
    pub fn with_overlays<'a>(&self, overlays: impl IntoIterator<Item = &'a Calendar>) -> Calendar {
        let mut composed = self.clone();
        for overlay in overlays {
            composed.working_weekdays &= overlay.working_weekdays;
            composed.exceptions.extend(overlay.exceptions.iter().copied());
        }
        // A stable sort keeps the order inside each kind; the last one in the list wins.
        composed.exceptions.sort_by_key(|exception| !exception.working);
        composed
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
}
