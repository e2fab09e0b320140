//! Work that is interrupted in the file: worked days that a row, or what is assigned to it, passes over.
//! A plan has no such breaks, so they are only found and named.

use chrono::{NaiveDateTime, Timelike};
use planwright_engine as engine;

use super::codes;
use crate::seed::engine_day;
use crate::xml::Element;

/// How many days of a break are looked at; the first one that is worked says enough.
const MOST_DAYS: usize = 1_000;

/// Whether worked days lie between what is done of a row and what remains.
pub(super) fn pauses(row: &Element, calendar: &engine::Calendar) -> bool {
    let moment = |name: &str| row.text(name).and_then(codes::moment);
    let ends = moment("Stop").zip(moment("Resume"));
    ends.is_some_and(|(stop, resume)| passes_over(stop, resume, &[calendar]))
}

/// Whether an assignment has no work on days that all calendars work, between others on which it has some.
pub(super) fn leaves_out_days(assignment: &Element, calendars: &[&engine::Calendar]) -> bool {
    // Work that remains, and work that was done.
    let parts = assignment.all("TimephasedData").filter(|part| matches!(part.text("Type"), Some("1" | "2")));
    let worked = parts.filter(|part| part.text("Value").and_then(codes::minutes) > Some(0.0));
    let mut worked: Vec<(NaiveDateTime, NaiveDateTime)> = worked
        .filter_map(|part| {
            let moment = |name: &str| part.text(name).and_then(codes::moment);
            moment("Start").zip(moment("Finish"))
        })
        .collect();
    worked.sort_unstable();
    worked.windows(2).any(|pair| passes_over(pair[0].1, pair[1].0, calendars))
}

/// Whether a day that all calendars work lies between two instants. The day of the first one counts if it ends before noon.
fn passes_over(from: NaiveDateTime, to: NaiveDateTime, calendars: &[&engine::Calendar]) -> bool {
    let days = from.date().iter_days().skip(usize::from(from.hour() >= 12)).take(MOST_DAYS);
    let is_worked = |day| calendars.iter().all(|calendar| calendar.is_working(engine_day(day)));
    days.take_while(|day| *day < to.date()).any(is_worked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml;

    fn assignment(parts: &[(&str, &str, &str)]) -> Element {
        let part = |(start, finish, work): &(&str, &str, &str)| {
            format!(
                "<TimephasedData><Type>1</Type><Start>2026-01-{start}</Start><Finish>2026-01-{finish}</Finish><Value>{work}</Value></TimephasedData>"
            )
        };
        let text = format!("<Assignment>{}</Assignment>", parts.iter().map(part).collect::<String>());
        xml::read(text.as_bytes(), "Assignment").unwrap()
    }

    #[test]
    fn a_day_without_work_between_others_is_a_break_and_a_weekend_is_none() {
        let office = engine::Calendar::default();
        let day = "PT8H0M0S";
        let weekend = [("09T08:00:00", "10T08:00:00", day), ("12T08:00:00", "13T08:00:00", day)];
        assert!(!leaves_out_days(&assignment(&weekend), &[&office]));
        let none = ("07T08:00:00", "08T08:00:00", "PT0H0M0S");
        let broken = [("06T08:00:00", "06T17:00:00", day), none, ("08T08:00:00", "08T17:00:00", day)];
        assert!(leaves_out_days(&assignment(&broken), &[&office]));
        let free = engine::CalendarException {
            first: engine::Day(20_460),
            last: engine::Day(20_460),
            working: false,
        };
        assert_eq!(engine_day(chrono::NaiveDate::from_ymd_opt(2026, 1, 7).unwrap()), free.first);
        let own = engine::Calendar { exceptions: vec![free], ..engine::Calendar::default() };
        assert!(!leaves_out_days(&assignment(&broken), &[&office, &own]), "the resource is away");
        assert!(!leaves_out_days(&assignment(&[none, broken[2]]), &[&office]), "it only begins later");
    }

    #[test]
    fn what_remains_may_begin_in_the_morning_after_what_is_done() {
        let row = |stop: &str, resume: &str| {
            let text = format!("<Task><Stop>2026-01-{stop}</Stop><Resume>2026-01-{resume}</Resume></Task>");
            pauses(&xml::read(text.as_bytes(), "Task").unwrap(), &engine::Calendar::default())
        };
        assert!(!row("07T17:00:00", "08T08:00:00"));
        assert!(!row("09T17:00:00", "12T08:00:00"), "over a weekend");
        assert!(row("07T17:00:00", "09T08:00:00"));
        assert!(row("07T08:00:00", "08T08:00:00"), "nothing was done on the day");
        assert!(!row("NA", "08T08:00:00"));
    }
}
