//! Which days a calendar of the document works, as far as placing `A±N` dates needs it. Schedules are computed by
//! the engine with calendars of its own.

use chrono::{Datelike, NaiveDate};

use super::model::Calendar;

/// A calendar made quick to ask.
#[derive(Debug, Clone)]
pub(crate) struct WorkWeek {
    mask: u8,
    closed: Vec<(NaiveDate, NaiveDate)>,
    worked: Vec<(NaiveDate, NaiveDate)>,
}

impl Default for WorkWeek {
    fn default() -> Self {
        Self { mask: 31, closed: Vec::new(), worked: Vec::new() }
    }
}

impl WorkWeek {
    /// The week and exceptions of `calendar`.
    pub(crate) fn of(calendar: &Calendar) -> Self {
        let ranges = |working: bool| {
            let chosen = calendar.exceptions.iter().filter(|exception| exception.working == working);
            merged(chosen.map(|exception| (exception.start, exception.end)).collect())
        };
        Self { mask: calendar.working_days, closed: ranges(false), worked: ranges(true) }
    }

    /// Whether `day` is worked: a working exception wins over a closed one, either over the week.
    pub(crate) fn works(&self, day: NaiveDate) -> bool {
        let in_week = self.mask >> day.weekday().num_days_from_monday() & 1 == 1;
        holding(&self.worked, day).is_some() || (in_week && holding(&self.closed, day).is_none())
    }

    /// The first working day on or after `day`; `day` itself when none follows within a hundred years.
    pub(crate) fn on_or_after(&self, day: NaiveDate) -> NaiveDate {
        let mut candidate = day;
        while (candidate - day).num_days() < 36_600 {
            if self.works(candidate) {
                return candidate;
            }
            let Some(next) = self.next_candidate(candidate) else { return day };
            candidate = next;
        }
        day
    }

    /// Leaps over a closed range, so that a range of decades costs one step.
    fn next_candidate(&self, day: NaiveDate) -> Option<NaiveDate> {
        let tomorrow = day.succ_opt()?;
        let Some((_, end)) = holding(&self.closed, day) else { return Some(tomorrow) };
        let after = end.succ_opt()?;
        let reopening = self.worked.iter().map(|(start, _)| *start).find(|start| *start > day);
        Some(reopening.map_or(after, |start| start.min(after)))
    }
}

fn holding(ranges: &[(NaiveDate, NaiveDate)], day: NaiveDate) -> Option<(NaiveDate, NaiveDate)> {
    let after = ranges.partition_point(|(start, _)| *start <= day);
    after.checked_sub(1).map(|index| ranges[index]).filter(|(_, end)| *end >= day)
}

fn merged(mut ranges: Vec<(NaiveDate, NaiveDate)>) -> Vec<(NaiveDate, NaiveDate)> {
    ranges.sort_unstable();
    let mut out: Vec<(NaiveDate, NaiveDate)> = Vec::with_capacity(ranges.len());
    for (start, end) in ranges {
        match out.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => out.push((start, end)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::model::CalendarException;

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
