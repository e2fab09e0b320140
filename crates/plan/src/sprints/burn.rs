//! Whether a sprint burns as it should: what is left of it on a day against an even pace.

use chrono::{Days, NaiveDate};
use planwright_domain::words::BurnStatus;

/// How a sprint burns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Burn {
    /// Against an even pace.
    pub status: BurnStatus,
    /// By how many points it is ahead, or behind when negative.
    pub trend_points: Option<i64>,
    /// The day on which nothing would be left at the pace so far.
    pub projected_finish: Option<NaiveDate>,
}

/// How a sprint burns of which so many points were promised and so many are left on a day.
pub fn burn(
    committed: Option<i64>,
    remaining: i64,
    (start, finish): (NaiveDate, NaiveDate),
    today: NaiveDate,
) -> Burn {
    let Some(committed) = committed.filter(|committed| *committed > 0) else {
        return Burn { status: BurnStatus::NoData, trend_points: None, projected_finish: None };
    };
    let window = (finish - start).num_days() + 1;
    let elapsed = ((today - start).num_days() + 1).clamp(1, window);
    let ideal = committed as f64 * (1.0 - elapsed as f64 / window as f64);
    let trend = (ideal - remaining as f64).round() as i64;
    let tolerance = ((committed as f64 * 0.1).round() as i64).max(1);
    let status = match trend {
        trend if trend > tolerance => BurnStatus::Ahead,
        trend if trend < -tolerance => BurnStatus::Behind,
        _ => BurnStatus::OnTrack,
    };
    let pace = (committed - remaining) as f64 / elapsed as f64;
    let left = (remaining as f64 / pace).ceil();
    let projected_finish = match remaining {
        0 => Some(today),
        _ if pace > 0.0 && left < 36_525.0 => today.checked_add_days(Days::new(left as u64)),
        _ => None,
    };
    Burn { status, trend_points: Some(trend), projected_finish }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 1, day).unwrap()
    }

    #[test]
    fn a_sprint_is_on_track_within_a_tenth_of_its_promise() {
        let at = |remaining| burn(Some(20), remaining, (on(1), on(10)), on(5));
        assert_eq!((at(10).status, at(10).trend_points), (BurnStatus::OnTrack, Some(0)));
        assert_eq!(at(12).status, BurnStatus::OnTrack);
        assert_eq!(at(13).status, BurnStatus::Behind);
        assert_eq!(at(7).status, BurnStatus::Ahead);
        assert_eq!(at(10).projected_finish, Some(on(10)));
        assert_eq!(at(20).projected_finish, None, "nothing was done, so there is no pace");
        assert_eq!(at(0).projected_finish, Some(on(5)));
        assert_eq!(burn(Some(0), 0, (on(1), on(10)), on(5)).status, BurnStatus::NoData);
    }
}
