//! The days of instants in files: on which day work begins, and on which it ends.

use chrono::{NaiveDate, NaiveDateTime, Timelike};

/// The day on which work that begins at an instant is done: the evening belongs to the next one.
pub(super) fn morning(moment: NaiveDateTime) -> NaiveDate {
    let day = moment.date();
    if moment.hour() >= 16 { day.succ_opt().unwrap_or(day) } else { day }
}

/// The day on which work that ends at an instant is done: midnight belongs to the day before.
pub(super) fn evening(moment: NaiveDateTime) -> NaiveDate {
    let day = moment.date();
    if moment.hour() == 0 && moment.minute() == 0 { day.pred_opt().unwrap_or(day) } else { day }
}

/// The first and the last day of work. Work that ends when it begins has one day.
pub(super) fn days(
    start: Option<NaiveDateTime>,
    finish: Option<NaiveDateTime>,
) -> (Option<NaiveDate>, Option<NaiveDate>) {
    let first = start.map(|start| start.date());
    let last = match (start, finish) {
        (Some(start), Some(finish)) if start <= finish => Some(evening(finish).max(start.date())),
        (_, finish) => finish.map(evening),
    };
    (first, last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finish_at_midnight_is_the_end_of_the_day_before() {
        let day = |day| NaiveDate::from_ymd_opt(2026, 1, day);
        let at = |on, hour| day(on).and_then(|day| day.and_hms_opt(hour, 0, 0));
        assert_eq!(days(at(5, 0), at(6, 0)), (day(5), day(5)));
        assert_eq!(days(at(5, 0), at(8, 0)), (day(5), day(7)));
        assert_eq!(days(at(5, 8), at(5, 17)), (day(5), day(5)));
        assert_eq!(days(at(6, 0), at(6, 0)), (day(6), day(6)), "no work ends before it begins");
        assert_eq!(days(None, at(6, 0)), (None, day(5)));
        assert_eq!(
            days(at(9, 8), at(6, 8)),
            (day(9), day(6)),
            "what is wrong stays so, and is named elsewhere"
        );
    }
}
