//! Which old snapshots may go: after a quarter one a week is enough, after a year one a month.

use std::collections::HashMap;

use chrono::{DateTime, Datelike, Duration, Utc};
use uuid::Uuid;

/// Every snapshot is kept for so many days.
pub const EVERY_ONE_DAYS: i64 = 90;

/// The last of each week is kept for so many days; after that, the last of each month for good.
const WEEKLY_DAYS: i64 = 365;

/// A stretch of time of which one snapshot is kept.
#[derive(PartialEq, Eq, Hash)]
enum Stretch {
    Week(i32, u32),
    Month(i32, u32),
}

/// The snapshots that may go; `old` is in order of time and holds none that every one is kept of.
pub fn surplus(old: &[(Uuid, DateTime<Utc>)], now: DateTime<Utc>) -> Vec<Uuid> {
    let weekly_since = now - Duration::days(WEEKLY_DAYS);
    let mut last: HashMap<Stretch, Uuid> = HashMap::new();
    let mut surplus = Vec::new();
    for (id, at) in old {
        let day = at.date_naive();
        let stretch = match *at >= weekly_since {
            true => Stretch::Week(day.iso_week().year(), day.iso_week().week()),
            false => Stretch::Month(day.year(), day.month()),
        };
        surplus.extend(last.insert(stretch, *id));
    }
    surplus
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_a_week_is_kept_and_after_a_year_one_a_month() {
        let now: DateTime<Utc> = "2026-06-01T00:00:00Z".parse().unwrap();
        let at = |text: &str| format!("{text}T12:00:00Z").parse::<DateTime<Utc>>().unwrap();
        let days = ["2025-01-06", "2025-01-30", "2025-02-01", "2026-01-05", "2026-01-11", "2026-01-12"];
        let old: Vec<(Uuid, DateTime<Utc>)> =
            (1u128..).map(Uuid::from_u128).zip(days.into_iter().map(at)).collect();
        let gone: Vec<u128> = surplus(&old, now).iter().map(Uuid::as_u128).collect();
        assert_eq!(gone, [1, 4]);
    }
}
