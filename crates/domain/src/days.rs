//! Days as numbers from 1970-01-01, as schedules are computed and stored.

use chrono::{Datelike, NaiveDate};

/// The number of 1970-01-01 when days are counted from the first day of the year 1.
const EPOCH: i32 = 719_163;

/// The number of a date.
pub fn to_day_number(date: NaiveDate) -> i32 {
    date.num_days_from_ce() - EPOCH
}

/// The date of a number; none outside the years 1 to 9999, which have no place in an answer.
pub fn from_day_number(day: i32) -> Option<NaiveDate> {
    let date = NaiveDate::from_num_days_from_ce_opt(day.checked_add(EPOCH)?)?;
    (1..=9999).contains(&date.year()).then_some(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_from_1970_and_have_dates_in_the_years_1_to_9999() {
        let date = |text: &str| text.parse::<NaiveDate>().unwrap();
        assert_eq!(to_day_number(date("1970-01-01")), 0);
        for text in ["0001-01-01", "1969-12-31", "2026-01-05", "9999-12-31"] {
            assert_eq!(from_day_number(to_day_number(date(text))), Some(date(text)));
        }
        assert_eq!(from_day_number(to_day_number(date("9999-12-31")) + 1), None);
        assert_eq!(from_day_number(i32::MAX), None);
    }
}
