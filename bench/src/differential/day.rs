//! Days, and the moments at which work begins or ends on them. There are no hours, because a day is always worked as
//! a whole.

use anyhow::{Context, Result, bail};

/// 5 January 2026, a Monday, in days since 1 January 1970.
pub(crate) const MONDAY: i32 = 20_458;

/// The date of a day counted from 1 January 1970.
pub(crate) fn date(day: i32) -> String {
    // Years begin in March here, so that the day that some of them have more is their last.
    let shifted = day + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i32::from(month <= 2);
    format!("{year:04}-{month:02}-{of_month:02}")
}

/// The day of a date like `2026-01-05`.
pub(crate) fn day(date: &str) -> Result<i32> {
    let mut parts = date.split('-').map(str::parse::<i32>);
    let mut next = || parts.next().context("too short")?.context("not a number");
    let mut read = || -> Result<[i32; 3]> { Ok([next()?, next()?, next()?]) };
    let [year, month, of_month] = read().with_context(|| format!("`{date}` is no date"))?;
    let year = year - i32::from(month <= 2);
    let month = if month > 2 { month - 3 } else { month + 9 };
    let of_year = (153 * month + 2) / 5 + of_month - 1;
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    Ok(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

/// The morning of a day, when its work begins, or its evening, when it is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(i32);

impl Moment {
    /// When the work of a day begins.
    pub(crate) fn morning(day: i32) -> Self {
        Self(2 * day)
    }

    /// When the work of a day is over.
    pub(crate) fn evening(day: i32) -> Self {
        Self(2 * day + 1)
    }

    /// Reads a time like `2026-01-05T08:00`.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        match text.split_once('T') {
            Some((date, "08:00")) => Ok(Self::morning(day(date)?)),
            Some((date, "16:00")) => Ok(Self::evening(day(date)?)),
            _ => bail!("`{text}` is neither a morning nor an evening"),
        }
    }

    /// The day it belongs to.
    pub(crate) fn day(self) -> i32 {
        self.0.div_euclid(2)
    }

    /// The boundary between days that it stands for: the first day that is wholly after it.
    pub(crate) fn boundary(self) -> i32 {
        (self.0 + 1).div_euclid(2)
    }

    /// The moment of a number: twice the day, and one more in the evening.
    pub(crate) fn of(number: i32) -> Self {
        Self(number)
    }

    /// Its number.
    pub(crate) fn number(self) -> i32 {
        self.0
    }

    /// Whether it is an evening.
    pub(crate) fn is_evening(self) -> bool {
        self == Self::evening(self.day())
    }

    /// Hours since a time long ago; days are worked from 8 to 16 o'clock.
    pub(crate) fn hours(self) -> i32 {
        24 * self.day() + if self == Self::morning(self.day()) { 8 } else { 16 }
    }

    /// So many days later, at the same time.
    pub(crate) fn plus(self, days: i32) -> Self {
        Self(self.0 + 2 * days)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_they_are_written() {
        assert_eq!(date(MONDAY), "2026-01-05");
        for number in MONDAY - 1_000..MONDAY + 2_000 {
            assert_eq!(day(&date(number)).unwrap(), number);
        }
    }
}
