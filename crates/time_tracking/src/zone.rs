//! The days of a person: in which time zone they begin, and in which week they lie.

use chrono::{DateTime, Datelike, Days, NaiveDate, Utc};
use chrono_tz::Tz;
use planwright_domain::ids::UserId;
use planwright_store::{Read, Result, sql};

/// The time zone of a person's profile; UTC for those who leave it to their device.
pub async fn of_person(db: &dyn Read, person: UserId) -> Result<Tz> {
    let zone: Option<String> =
        db.scalar(sql!("SELECT timezone FROM users WHERE id = :person", person = person)).await?;
    Ok(zone.and_then(|zone| zone.parse().ok()).unwrap_or(Tz::UTC))
}

/// The day of an instant in a time zone.
pub fn day(instant: DateTime<Utc>, zone: Tz) -> NaiveDate {
    instant.with_timezone(&zone).date_naive()
}

/// The Monday of the week in which a day lies.
pub fn monday(day: NaiveDate) -> NaiveDate {
    let days = Days::new(day.weekday().num_days_from_monday().into());
    day.checked_sub_days(days).unwrap_or(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn a_day_begins_at_midnight_of_the_place_on_both_sides_of_a_change_of_clocks() {
        let day_of = |instant: &str, zone: Tz| day(instant.parse().unwrap(), zone).to_string();
        assert_eq!(
            day_of("2026-03-28T22:59:59Z", Tz::Europe__Berlin),
            "2026-03-28",
            "an hour ahead in winter"
        );
        assert_eq!(day_of("2026-03-28T23:00:00Z", Tz::Europe__Berlin), "2026-03-29");
        assert_eq!(
            day_of("2026-03-29T21:59:59Z", Tz::Europe__Berlin),
            "2026-03-29",
            "two hours ahead in summer"
        );
        assert_eq!(day_of("2026-03-29T22:00:00Z", Tz::Europe__Berlin), "2026-03-30");
        assert_eq!(day_of("2026-01-05T08:00:00Z", Tz::Pacific__Kiritimati), "2026-01-05");
        assert_eq!(day_of("2026-01-05T10:00:00Z", Tz::Pacific__Kiritimati), "2026-01-06");
    }

    #[test]
    fn a_week_begins_on_its_monday() {
        for day in ["2026-01-05", "2026-01-07", "2026-01-11"] {
            assert_eq!(monday(date(day)), date("2026-01-05"));
        }
        assert_eq!(monday(date("2026-01-12")), date("2026-01-12"));
        assert_eq!(
            monday(NaiveDate::MIN).weekday().num_days_from_monday() == 0,
            NaiveDate::MIN.weekday().num_days_from_monday() == 0
        );
    }
}
