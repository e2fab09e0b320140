//! Which days a calendar of the document works, as far as placing `A±N` dates needs it. Schedules are computed by
//! the engine with calendars of its own.

use chrono::{Datelike, NaiveDate};

use super::model::{Calendar, CalendarException};

/// A calendar made quick to ask.
#[derive(Debug, Clone)]
pub(crate) struct WorkWeek {
    mask: u8,
    /// Ranges that differ from the week, apart from one another and in order.
    ranges: Vec<Range>,
}

#[derive(Debug, Clone, Copy)]
struct Range {
    start: NaiveDate,
    end: NaiveDate,
    working: bool,
}

impl Default for WorkWeek {
    fn default() -> Self {
        Self { mask: 31, ranges: Vec::new() }
    }
}

impl WorkWeek {
    /// The week and exceptions of `calendar`. Where exceptions overlap the last one in the list wins.
    pub(crate) fn of(calendar: &Calendar) -> Self {
        let exceptions = &calendar.exceptions;
        let after = |exception: &CalendarException| exception.end.succ_opt().unwrap_or(NaiveDate::MAX);
        let mut cuts: Vec<NaiveDate> = exceptions.iter().flat_map(|e| [e.start, after(e)]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let ranges = cuts.windows(2).filter_map(|cut| {
            let covers = |e: &&CalendarException| e.start <= cut[0] && cut[0] <= e.end;
            let last = exceptions.iter().rev().find(covers)?;
            Some(Range { start: cut[0], end: cut[1].pred_opt()?, working: last.working })
        });
        Self { mask: calendar.working_days, ranges: ranges.collect() }
    }

    /// Whether `day` is worked.
    pub(crate) fn works(&self, day: NaiveDate) -> bool {
        match self.range_around(day) {
            Some(range) => range.working,
            None => self.mask >> day.weekday().num_days_from_monday() & 1 == 1,
        }
    }

    /// The first working day on or after `day`; `day` itself when none follows within a hundred years.
    pub(crate) fn on_or_after(&self, day: NaiveDate) -> NaiveDate {
        let mut candidate = day;
        while (candidate - day).num_days() < 36_600 {
            if self.works(candidate) {
                return candidate;
            }
            // A closed range is leapt over, so that decades of it cost one step.
            let last_closed = self.range_around(candidate).map_or(candidate, |range| range.end);
            let Some(next) = last_closed.succ_opt() else { break };
            candidate = next;
        }
        day
    }

    fn range_around(&self, day: NaiveDate) -> Option<Range> {
        let after = self.ranges.partition_point(|range| range.start <= day);
        after.checked_sub(1).map(|index| self.ranges[index]).filter(|range| range.end >= day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(month: u32, day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, month, day).unwrap()
    }

    #[test]
    fn a_date_moves_over_weekends_and_holidays_but_stops_at_a_worked_saturday() {
        let exception = |start, end, working| CalendarException { start, end, working, ..Default::default() };
        let calendar = Calendar {
            working_days: 31,
            exceptions: vec![
                exception(day(1, 5), day(1, 6), false),
                exception(day(1, 6), day(1, 9), false),
                exception(day(1, 17), day(1, 17), true),
            ],
            ..Default::default()
        };
        let week = WorkWeek::of(&calendar);
        assert_eq!(week.on_or_after(day(1, 3)), day(1, 12));
        assert_eq!(week.on_or_after(day(1, 17)), day(1, 17));
        assert_eq!(week.on_or_after(day(1, 18)), day(1, 19));
    }

    #[test]
    fn a_calendar_that_never_works_leaves_the_date_alone() {
        let calendar = Calendar { working_days: 0, ..Default::default() };
        assert_eq!(WorkWeek::of(&calendar).on_or_after(day(1, 3)), day(1, 3));
    }
}
