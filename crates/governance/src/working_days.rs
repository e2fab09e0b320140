//! Counts the working days between two dates quickly, for many pairs of dates on one calendar.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use chrono::NaiveDate;
use planwright_domain::ids::CalendarId;
use planwright_engine::{Calendar, Day};
use planwright_plan::schedule::network::day;

/// The working days of a stretch of days, added up.
#[derive(Clone, Debug)]
pub struct WorkingDays {
    first: i32,
    /// How many working days lie before each day of the stretch.
    before: Vec<i64>,
}

impl WorkingDays {
    /// The working days of a calendar on every day that these dates span.
    pub fn spanning(calendar: &Calendar, dates: impl IntoIterator<Item = NaiveDate>) -> Self {
        Self::over(calendar, span(dates))
    }

    fn over(calendar: &Calendar, days: RangeInclusive<i32>) -> Self {
        let first = *days.start();
        let mut sum = 0;
        let mut before = vec![0];
        for at in days {
            sum += i64::from(calendar.is_working(Day(at)));
            before.push(sum);
        }
        Self { first, before }
    }

    /// How many working days a date lies after another: negative when it lies before.
    pub fn between(&self, from: NaiveDate, to: NaiveDate) -> i64 {
        self.until(to) - self.until(from)
    }

    /// How many working days lie in the days from one date to another, both included.
    pub fn within(&self, from: NaiveDate, to: NaiveDate) -> i64 {
        self.before[self.place(day(to).0 + 1)] - self.until(from)
    }

    fn until(&self, date: NaiveDate) -> i64 {
        self.before[self.place(day(date).0)]
    }

    fn place(&self, day: i32) -> usize {
        usize::try_from(day - self.first).unwrap_or_default().min(self.before.len() - 1)
    }
}

/// The first and the last of some days.
fn span(dates: impl IntoIterator<Item = NaiveDate>) -> RangeInclusive<i32> {
    let days = dates.into_iter().map(|date| day(date).0);
    let wider = |(first, last): (i32, i32), at: i32| (first.min(at), last.max(at));
    let (first, last) =
        days.map(|at| (at, at)).reduce(|so_far, (at, _)| wider(so_far, at)).unwrap_or_default();
    first..=last
}

/// The working days of a project, and those of its tasks that have a calendar of their own.
#[derive(Clone, Debug)]
pub struct WorkingDaysOfTasks {
    of_project: WorkingDays,
    own: HashMap<CalendarId, WorkingDays>,
}

impl WorkingDaysOfTasks {
    /// The working days of the calendar of a project and of those of its tasks, on every day that these dates span.
    pub fn spanning(
        of_project: &Calendar,
        own: &[(CalendarId, Calendar)],
        dates: impl IntoIterator<Item = NaiveDate>,
    ) -> Self {
        let days = span(dates);
        let own = own.iter().map(|(id, calendar)| (*id, WorkingDays::over(calendar, days.clone()))).collect();
        Self { of_project: WorkingDays::over(of_project, days), own }
    }

    /// Those of the project.
    pub fn of_project(&self) -> &WorkingDays {
        &self.of_project
    }

    /// Those of a task with this calendar, or with none.
    pub fn of(&self, calendar: Option<CalendarId>) -> &WorkingDays {
        calendar.and_then(|id| self.own.get(&id)).unwrap_or(&self.of_project)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn a_weekend_counts_in_calendar_days_only() {
        let (friday, monday, tuesday) = (date("2026-03-06"), date("2026-03-09"), date("2026-03-10"));
        let days = WorkingDays::spanning(&Calendar::default(), [friday, tuesday]);
        assert_eq!(days.between(friday, monday), 1);
        assert_eq!(days.between(tuesday, friday), -2);
        assert_eq!(days.within(friday, tuesday), 3);
        assert_eq!(days.within(friday, friday), 1);
    }
}
