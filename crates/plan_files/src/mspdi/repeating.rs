//! Exceptions of calendars that repeat, as the single days that they are. Those by a position in the month, such as every
//! second Friday, are not known here. Source: the schema `mspdi_pj12.xsd` that Microsoft publishes.

use chrono::{Datelike, Days, Months, NaiveDate};

use crate::xml::Element;

/// How often an exception may repeat.
const MOST_TIMES: usize = 400;
/// How many months are looked at: an exception lasts a hundred years at most.
const MOST_MONTHS: u32 = 1_212;

/// The days of an exception that repeats, from one day to another. `None` for a kind that is not known, or one that repeats
/// too often.
pub(super) fn days(exception: &Element, start: NaiveDate, end: NaiveDate) -> Option<Vec<NaiveDate>> {
    let every = exception.value::<u32>("Period").unwrap_or(1).clamp(1, 99);
    let times = exception.value::<usize>("Occurrences").unwrap_or(MOST_TIMES + 1);
    let of_month = |step: u32| {
        let day = exception.value::<u32>("MonthDay").unwrap_or(start.day());
        let first = start.with_day(1);
        (0..MOST_MONTHS)
            .map_while(move |at| first?.checked_add_months(Months::new(at * step)))
            .filter_map(move |month| month.with_day(day))
    };
    let all = match exception.value::<u8>("Type")? {
        2 => {
            let month =
                exception.value::<u32>("Month").map_or(start.month(), |month| month.saturating_add(1));
            within(of_month(1).filter(move |day| day.month() == month), start, end)
        }
        4 => within(of_month(every), start, end),
        6 => {
            let mask: u32 = exception.value("DaysOfWeek").filter(|mask| mask & 127 != 0)?;
            let back = u64::from(start.weekday().num_days_from_sunday());
            let sunday = start.checked_sub_days(Days::new(back))?;
            let weeks =
                (0u64..).map_while(|at| sunday.checked_add_days(Days::new(at * 7 * u64::from(every))));
            let in_week = |week: NaiveDate| {
                let on = (0u64..7).filter(move |day| mask >> day & 1 == 1);
                on.filter_map(move |day| week.checked_add_days(Days::new(day)))
            };
            within(weeks.flat_map(in_week), start, end)
        }
        7 => {
            let step = u64::from(every);
            within((0u64..).map_while(|at| start.checked_add_days(Days::new(at * step))), start, end)
        }
        _ => return None,
    };
    let all: Vec<NaiveDate> = all.into_iter().take(times).collect();
    (!all.is_empty() && all.len() <= MOST_TIMES).then_some(all)
}

/// The days from one to another, with one more than may be kept.
fn within(days: impl Iterator<Item = NaiveDate>, start: NaiveDate, end: NaiveDate) -> Vec<NaiveDate> {
    days.skip_while(|day| *day < start).take_while(|day| *day <= end).take(MOST_TIMES + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml;

    fn found(inside: &str, end: (i32, u32, u32)) -> Option<Vec<String>> {
        let element = xml::read(format!("<Exception>{inside}</Exception>").as_bytes(), "Exception").unwrap();
        let day = |(year, month, day)| NaiveDate::from_ymd_opt(year, month, day).unwrap();
        let days = days(&element, day((2026, 2, 1)), day(end))?;
        Some(days.iter().map(NaiveDate::to_string).collect())
    }

    #[test]
    fn months_years_weeks_and_days_repeat() {
        let end = (2026, 4, 30);
        let monthly =
            found("<Type>4</Type><Period>1</Period><MonthDay>2</MonthDay><Occurrences>10</Occurrences>", end);
        assert_eq!(monthly.unwrap(), ["2026-02-02", "2026-03-02", "2026-04-02"]);
        let yearly = found(
            "<Type>2</Type><Month>4</Month><MonthDay>1</MonthDay><Occurrences>2</Occurrences>",
            (2029, 1, 1),
        );
        assert_eq!(yearly.unwrap(), ["2026-05-01", "2027-05-01"]);
        // The second of February is a Monday, the first a Sunday.
        let weekly = found(
            "<Type>6</Type><Period>2</Period><DaysOfWeek>2</DaysOfWeek><Occurrences>2</Occurrences>",
            end,
        );
        assert_eq!(weekly.unwrap(), ["2026-02-02", "2026-02-16"]);
        let daily = found("<Type>7</Type><Period>3</Period><Occurrences>3</Occurrences>", end);
        assert_eq!(daily.unwrap(), ["2026-02-01", "2026-02-04", "2026-02-07"]);
    }

    #[test]
    fn positions_in_a_month_and_endless_repetition_are_not_known() {
        assert_eq!(found("<Type>5</Type><Occurrences>3</Occurrences>", (2026, 4, 30)), None);
        assert_eq!(found("<Type>7</Type>", (2999, 1, 1)), None);
        assert_eq!(found("<Type>4</Type><MonthDay>0</MonthDay>", (2026, 4, 30)), None);
    }
}
