//! Counts the working days between two dates quickly, for many pairs of dates on one calendar.

use chrono::NaiveDate;
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
        let days: Vec<i32> = dates.into_iter().map(|date| day(date).0).collect();
        let first = days.iter().copied().min().unwrap_or_default();
        let last = days.iter().copied().max().unwrap_or_default();
        let mut sum = 0;
        let mut before = vec![0];
        for at in first..=last {
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
