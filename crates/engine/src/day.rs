//! Calendar days as plain numbers: conversion to and from year-month-day, ISO text and weekdays. It knows nothing
//! about working time, see `calendar`.

use std::fmt;
use std::str::FromStr;

/// A day of the proleptic Gregorian calendar, counted from 1970-01-01 (day 0). Negative before.
///
/// Used for dates that people see. Inside the engine the same number names the *boundary* at which
/// that day begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Day(pub i32);

/// Day of the week; the discriminant is the bit of a calendar's weekday mask (Monday is bit 0).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Weekday {
    /// Bit 0.
    Monday,
    /// Bit 1.
    Tuesday,
    /// Bit 2.
    Wednesday,
    /// Bit 3.
    Thursday,
    /// Bit 4.
    Friday,
    /// Bit 5.
    Saturday,
    /// Bit 6.
    Sunday,
}

/// Text that is not an ISO date `YYYY-MM-DD`, or names a day that does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidDay;

impl fmt::Display for InvalidDay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("expected a date as YYYY-MM-DD")
    }
}

impl std::error::Error for InvalidDay {}

impl Day {
    /// The day of a year (any), month (1–12) and day of month; `None` if there is no such day.
    pub fn from_ymd(year: i32, month: u32, day: u32) -> Option<Day> {
        if !(1..=12).contains(&month) || day == 0 || day > days_in_month(year, month) {
            return None;
        }
        // Years run from March so that the leap day is the last of its year.
        let shifted = i64::from(year) - i64::from(month <= 2);
        let era = shifted.div_euclid(400);
        let year_of_era = shifted.rem_euclid(400);
        let day_of_year = (153 * ((i64::from(month) + 9) % 12) + 2) / 5 + i64::from(day) - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        i32::try_from(era * 146_097 + day_of_era - 719_468).ok().map(Day)
    }

    /// Year, month (1–12) and day of month (1–31).
    pub fn to_ymd(self) -> (i32, u32, u32) {
        let shifted = i64::from(self.0) + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        (year as i32, month as u32, day as u32)
    }

    /// The day of the week.
    pub fn weekday(self) -> Weekday {
        const WEEK: [Weekday; 7] = [
            Weekday::Monday,
            Weekday::Tuesday,
            Weekday::Wednesday,
            Weekday::Thursday,
            Weekday::Friday,
            Weekday::Saturday,
            Weekday::Sunday,
        ];
        // 1970-01-01 was a Thursday.
        WEEK[(i64::from(self.0) + 3).rem_euclid(7) as usize]
    }

    /// This day moved by a number of calendar days; stops at the ends of the number range.
    pub fn plus(self, days: i32) -> Day {
        Day(self.0.saturating_add(days))
    }
}

fn days_in_month(year: i32, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.to_ymd();
        write!(formatter, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Day {
    type Err = InvalidDay;

    fn from_str(text: &str) -> Result<Day, InvalidDay> {
        let bytes = text.as_bytes();
        let separated = bytes.len() == 10 && bytes[4] == b'-' && bytes[7] == b'-';
        let number = |from: usize, to: usize| {
            bytes[from..to].iter().try_fold(0u32, |sum, byte| {
                byte.is_ascii_digit().then(|| sum * 10 + u32::from(byte - b'0')).ok_or(InvalidDay)
            })
        };
        if !separated {
            return Err(InvalidDay);
        }
        Day::from_ymd(number(0, 4)? as i32, number(5, 7)?, number(8, 10)?).ok_or(InvalidDay)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_round_trip_through_dates_and_text() {
        for number in (-800_000..800_000).step_by(17) {
            let day = Day(number);
            let (year, month, dom) = day.to_ymd();
            assert_eq!(Day::from_ymd(year, month, dom), Some(day));
            if (0..=9999).contains(&year) {
                assert_eq!(day.to_string().parse(), Ok(day));
            }
        }
        assert_eq!("1970-01-01".parse(), Ok(Day(0)));
        assert_eq!("2026-01-05".parse::<Day>().map(Day::weekday), Ok(Weekday::Monday));
    }

    #[test]
    fn text_that_is_no_day_is_refused() {
        for text in ["", "2026-1-05", "2026-02-29", "2026-13-01", "2026-00-10", "2026/01/05", "２０２６-1"]
        {
            assert_eq!(text.parse::<Day>(), Err(InvalidDay), "{text}");
        }
        assert!("2024-02-29".parse::<Day>().is_ok());
    }
}
