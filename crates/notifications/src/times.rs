//! The clock of a person: their time zone, nine o'clock tomorrow, and the hours in which they get no mail.

use chrono::{DateTime, Datelike, Days, Duration, NaiveDateTime, NaiveTime, TimeZone, Timelike, Utc};
use chrono_tz::Tz;

/// The time zone of a name; UTC for people who leave it to their device.
pub fn zone(name: &str) -> Tz {
    name.parse().unwrap_or(Tz::UTC)
}

/// Nine o'clock of the next day of a place.
pub fn tomorrow_at_nine(now: DateTime<Utc>, zone: Tz) -> DateTime<Utc> {
    let today = now.with_timezone(&zone).date_naive();
    let nine = NaiveTime::from_hms_opt(9, 0, 0).unwrap_or_default();
    let tomorrow = today.checked_add_days(Days::new(1)).unwrap_or(today);
    instant(tomorrow.and_time(nine), zone)
}

/// The end of the quiet hours in which an instant lies; none outside of them. They may include midnight.
pub fn end_of_quiet(
    now: DateTime<Utc>,
    zone: Tz,
    (from, until): (NaiveTime, NaiveTime),
) -> Option<DateTime<Utc>> {
    let local = now.with_timezone(&zone).naive_local();
    let (today, time) = (local.date(), local.time());
    let is_quiet = match from <= until {
        true => from <= time && time < until,
        false => from <= time || time < until,
    };
    let ends_on = if time < until { today } else { today.checked_add_days(Days::new(1)).unwrap_or(today) };
    is_quiet.then(|| instant(ends_on.and_time(until), zone))
}

/// The instant at which a clock of the place shows a time: the later one where it shows it twice, an hour later where it
/// skips it.
fn instant(local: NaiveDateTime, zone: Tz) -> DateTime<Utc> {
    let found = zone.from_local_datetime(&local).latest();
    let found = found.or_else(|| zone.from_local_datetime(&(local + Duration::hours(1))).latest());
    found.map_or_else(|| local.and_utc(), |time| time.with_timezone(&Utc))
}

/// Whether an hour of a week has begun at a place: its weekday counts from 0 for Monday.
pub fn is_in_hour(now: DateTime<Utc>, zone: Tz, (weekday, hour): (i64, i64)) -> bool {
    let local = now.with_timezone(&zone);
    i64::from(local.weekday().num_days_from_monday()) == weekday && i64::from(local.hour()) == hour
}

/// A time of day as it is written, such as `20:00`. Seconds may only be zero.
pub fn time_of_day(text: &str) -> Option<NaiveTime> {
    let hours_and_minutes = text.strip_suffix(":00").filter(|rest| rest.contains(':')).unwrap_or(text);
    let is_whole = hours_and_minutes.len() == 5;
    NaiveTime::parse_from_str(hours_and_minutes, "%H:%M").ok().filter(|_| is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn end(now: &str, from: &str, until: &str) -> Option<DateTime<Utc>> {
        end_of_quiet(at(now), Tz::Europe__Berlin, (time_of_day(from).unwrap(), time_of_day(until).unwrap()))
    }

    #[test]
    fn quiet_hours_may_include_midnight_and_end_by_the_clock_of_the_place() {
        assert_eq!(end("2026-01-05T12:00:00Z", "20:00", "07:00"), None);
        assert_eq!(end("2026-01-05T19:00:00Z", "20:00", "07:00"), Some(at("2026-01-06T06:00:00Z")));
        assert_eq!(end("2026-01-06T05:59:00Z", "20:00", "07:00"), Some(at("2026-01-06T06:00:00Z")));
        assert_eq!(end("2026-01-06T06:00:00Z", "20:00", "07:00"), None);
        assert_eq!(end("2026-01-06T11:30:00Z", "12:00", "13:00"), Some(at("2026-01-06T12:00:00Z")));
        assert_eq!(end("2026-01-06T11:30:00Z", "12:00", "12:00"), None, "no hours at all");
        let spring = end("2026-03-28T23:00:00Z", "20:00", "02:30");
        assert_eq!(spring, Some(at("2026-03-29T01:30:00Z")), "the clocks skip half past two");
    }

    #[test]
    fn tomorrow_is_that_of_the_place() {
        let evening = at("2026-01-05T23:30:00Z");
        assert_eq!(tomorrow_at_nine(evening, Tz::UTC), at("2026-01-06T09:00:00Z"));
        assert_eq!(tomorrow_at_nine(evening, Tz::Europe__Berlin), at("2026-01-07T08:00:00Z"));
    }

    #[test]
    fn a_time_of_day_has_hours_and_minutes() {
        for right in ["20:00", "07:30", "00:00", "00:00:00"] {
            assert!(time_of_day(right).is_some(), "{right}");
        }
        for wrong in ["", "7:30", "24:00", "20", "20:00:30", "20:00 "] {
            assert!(time_of_day(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn an_hour_of_the_week_is_that_of_the_place() {
        let monday_at_seven = "2026-01-05T07:30:00Z".parse().unwrap();
        assert!(is_in_hour(monday_at_seven, Tz::UTC, (0, 7)));
        assert!(is_in_hour(monday_at_seven, zone("Europe/Berlin"), (0, 8)));
        assert!(is_in_hour(monday_at_seven, zone("Pacific/Auckland"), (0, 20)));
        assert!(!is_in_hour(monday_at_seven, zone("Pacific/Honolulu"), (0, 7)));
    }
}
