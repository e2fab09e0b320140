//! Where a sprint stands against a straight line from its commitment to nothing: ahead of it, behind it, and when it ends.
//! What is left on a day is counted elsewhere.

use chrono::{Days, NaiveDate};
use planwright_domain::words::BurnStatus;

/// So far, as a share of the commitment, may a sprint be off its line and still be on track.
const TOLERANCE: f64 = 0.1;

/// What the position of a running sprint follows from.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    pub start: NaiveDate,
    pub finish: NaiveDate,
    /// Points at activation; none for a sprint without commitment.
    pub committed: Option<i64>,
    pub remaining: i64,
    pub today: NaiveDate,
}

/// How a sprint burns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Burn {
    pub status: BurnStatus,
    /// Points ahead of the line; negative behind it. None without a commitment.
    pub trend_points: Option<i64>,
    /// When nothing is left at the pace so far; none before anything was burnt.
    pub projected_finish: Option<NaiveDate>,
}

impl Position {
    /// The days of the sprint.
    pub fn total_days(&self) -> i64 {
        ((self.finish - self.start).num_days() + 1).max(1)
    }

    /// Which day of the sprint it is, from 1; the last one once it is over.
    pub fn day(&self) -> i64 {
        ((self.today - self.start).num_days() + 1).clamp(1, self.total_days())
    }

    /// How it burns.
    pub fn burn(&self) -> Burn {
        let Some(committed) = self.committed.filter(|points| *points > 0) else {
            return Burn { status: BurnStatus::NoData, trend_points: None, projected_finish: None };
        };
        let share = self.day() as f64 / self.total_days() as f64;
        let trend = (committed as f64 * (1.0 - share) - self.remaining as f64).round() as i64;
        let tolerance = ((committed as f64 * TOLERANCE).round() as i64).max(1);
        let status = match trend {
            _ if trend > tolerance => BurnStatus::Ahead,
            _ if trend < -tolerance => BurnStatus::Behind,
            _ => BurnStatus::OnTrack,
        };
        Burn { status, trend_points: Some(trend), projected_finish: self.projection(committed) }
    }

    fn projection(&self, committed: i64) -> Option<NaiveDate> {
        let burnt = committed - self.remaining;
        if self.remaining == 0 {
            return Some(self.today);
        }
        let days = (burnt > 0).then(|| (self.remaining * self.day() + burnt - 1) / burnt)?;
        self.today.checked_add_days(Days::new(u64::try_from(days).ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 1, day).unwrap()
    }

    fn position(committed: Option<i64>, remaining: i64, today: u32) -> Position {
        Position { start: date(5), finish: date(14), committed, remaining, today: date(today) }
    }

    #[test]
    fn a_sprint_is_on_track_within_a_tenth_of_its_commitment() {
        let burn = |remaining| position(Some(40), remaining, 9).burn();
        let status = |remaining| (burn(remaining).status, burn(remaining).trend_points);
        assert_eq!(status(20), (BurnStatus::OnTrack, Some(0)), "half of the days, half of the points");
        assert_eq!(status(24), (BurnStatus::OnTrack, Some(-4)));
        assert_eq!(status(25), (BurnStatus::Behind, Some(-5)));
        assert_eq!(status(15), (BurnStatus::Ahead, Some(5)));
    }

    #[test]
    fn the_projection_goes_on_at_the_pace_so_far() {
        assert_eq!(position(Some(40), 20, 9).burn().projected_finish, Some(date(14)), "4 a day, 20 left");
        assert_eq!(position(Some(40), 40, 9).burn().projected_finish, None, "nothing was burnt");
        assert_eq!(position(Some(40), 0, 9).burn().projected_finish, Some(date(9)));
    }

    #[test]
    fn a_sprint_without_commitment_has_no_line() {
        for committed in [None, Some(0)] {
            let burn = position(committed, 3, 9).burn();
            assert_eq!((burn.status, burn.trend_points), (BurnStatus::NoData, None));
        }
    }

    #[test]
    fn days_are_counted_from_one_and_end_with_the_sprint() {
        let day = |today| position(None, 0, today).day();
        assert_eq!([1, 5, 14, 30].map(day), [1, 1, 10, 10]);
    }
}
