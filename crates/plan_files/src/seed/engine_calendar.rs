//! Days and calendars of a document as the engine takes them. Networks of whole documents are made elsewhere.

use chrono::NaiveDate;
use planwright_domain::days::to_day_number;
use planwright_engine as engine;

use super::model::Calendar;

/// The engine's number of a day.
pub fn engine_day(date: NaiveDate) -> engine::Day {
    engine::Day(to_day_number(date))
}

/// A calendar as the engine takes it.
pub fn engine_calendar(calendar: &Calendar) -> engine::Calendar {
    let exceptions = calendar.exceptions.iter().map(|exception| engine::CalendarException {
        first: engine_day(exception.start),
        last: engine_day(exception.end),
        working: exception.working,
    });
    engine::Calendar { working_weekdays: calendar.working_days, exceptions: exceptions.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engine_days_are_the_same_days() {
        for text in ["1969-12-31", "1970-01-01", "2026-01-05", "2000-02-29", "9999-12-31"] {
            assert_eq!(engine_day(text.parse().unwrap()).to_string(), text);
        }
    }
}
