//! Weeks of MSPDI that differ for a time, as the days that they change: our calendars have one week and exceptions.

use chrono::{Datelike, Days, NaiveDate};

use super::codes;
use crate::seed::model::CalendarException;
use crate::xml::Element;

/// So many days may be changed by one such week.
const MOST_DAYS: usize = 2_000;
/// A time that is longer is no time that differs.
const MOST_LOOKED_AT: usize = 36_600;

/// The days on which a week differs from the usual one, whose Monday is the first bit. Days that follow each other are one
/// exception. `None` when there are no dates, or too many days.
pub(super) fn changed_days(week: &Element, usual: u8) -> Option<Vec<CalendarException>> {
    let period = week.child("TimePeriod")?;
    let bound = |name: &str| period.text(name).and_then(codes::day);
    let (start, end) = (bound("FromDate")?, bound("ToDate")?);
    let wanted = wanted(week, usual);
    let name: String = week.text("Name").unwrap_or_default().chars().take(255).collect();
    let days = (0..=MOST_LOOKED_AT as u64).map_while(|at| start.checked_add_days(Days::new(at)));
    let (mut found, mut count): (Vec<CalendarException>, usize) = (Vec::new(), 0);
    for (at, day) in days.take_while(|day| *day <= end).enumerate() {
        let bit = 1u8 << day.weekday().num_days_from_monday();
        let working = wanted & bit != 0;
        if working == (usual & bit != 0) {
            continue;
        }
        count += 1;
        if count > MOST_DAYS || at == MOST_LOOKED_AT {
            return None;
        }
        match found.last_mut().filter(|last| last.working == working && last.end.succ_opt() == Some(day)) {
            Some(last) => last.end = day,
            None => {
                found.push(CalendarException { start: day, end: day, description: name.clone(), working })
            }
        }
    }
    Some(found)
}

/// The days on which such a week is worked; a day that it does not name is as usual.
fn wanted(week: &Element, usual: u8) -> u8 {
    let days = week.child("WeekDays").map(|days| days.all("WeekDay")).into_iter().flatten();
    days.fold(usual, |mask, day| match day.value::<u32>("DayType") {
        Some(number @ 1..=7) => {
            let bit = 1u8 << ((number + 5) % 7);
            if day.flag("DayWorking") { mask | bit } else { mask & !bit }
        }
        _ => mask,
    })
}

/// The parts of an exception that no other exception covers.
pub(super) fn outside(new: CalendarException, others: &[CalendarException]) -> Vec<CalendarException> {
    let is_free = |day: NaiveDate| others.iter().all(|other| day < other.start || other.end < day);
    let mut parts: Vec<CalendarException> = Vec::new();
    for day in new.start.iter_days().take_while(|day| *day <= new.end).filter(|day| is_free(*day)) {
        match parts.last_mut().filter(|last| last.end.succ_opt() == Some(day)) {
            Some(last) => last.end = day,
            None => parts.push(CalendarException { start: day, end: day, ..new.clone() }),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml;

    fn changed(from: &str, to: &str) -> Option<Vec<(String, String, bool)>> {
        let text = format!(
            "<WorkWeek><Name>Rush</Name><TimePeriod><FromDate>{from}T00:00:00</FromDate><ToDate>{to}T23:59:00</ToDate>\
             </TimePeriod><WeekDays><WeekDay><DayType>7</DayType><DayWorking>1</DayWorking></WeekDay>\
             <WeekDay><DayType>1</DayType><DayWorking>1</DayWorking></WeekDay>\
             <WeekDay><DayType>4</DayType><DayWorking>0</DayWorking></WeekDay></WeekDays></WorkWeek>"
        );
        let element = xml::read(text.as_bytes(), "WorkWeek").unwrap();
        let days = changed_days(&element, 31)?;
        Some(days.into_iter().map(|one| (one.start.to_string(), one.end.to_string(), one.working)).collect())
    }

    #[test]
    fn a_week_that_differs_for_a_time_changes_only_the_days_that_differ() {
        let day = |text: &str| text.to_owned();
        // The 7th and the 14th are Wednesdays.
        let found = changed("2026-01-05", "2026-01-16").unwrap();
        assert_eq!(
            found,
            [
                (day("2026-01-07"), day("2026-01-07"), false),
                (day("2026-01-10"), day("2026-01-11"), true),
                (day("2026-01-14"), day("2026-01-14"), false),
            ]
        );
        assert_eq!(changed("2026-01-16", "2026-01-05"), Some(Vec::new()));
        assert_eq!(changed("1990-01-01", "2089-12-31"), None);
    }

    #[test]
    fn an_exception_of_the_calendar_comes_before_such_a_week() {
        let day = |day| NaiveDate::from_ymd_opt(2026, 1, day).unwrap();
        let one = |start, end, working| CalendarException {
            start: day(start),
            end: day(end),
            description: String::new(),
            working,
        };
        let parts = outside(one(10, 14, true), &[one(11, 12, false)]);
        assert_eq!(parts, [one(10, 10, true), one(13, 14, true)]);
        assert!(outside(one(10, 10, true), &[one(9, 12, false)]).is_empty());
    }
}
