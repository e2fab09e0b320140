//! When a milestone would be reached at the pace of the team: pure. The past sprints are drawn again and again, and the share
//! of draws that are done by a day is the probability of that day.

use chrono::{Datelike, Days, NaiveDate};
use planwright_domain::words::ForecastConfidence;
use planwright_plan::sprints::velocity::{Completed, Velocity};

/// How often the remaining work is drawn.
const DRAWS: usize = 2000;

/// The same draws come every time, so that the same history gives the same dates.
const SEED: u64 = 0x5EED_0F5B_9121_7AB3;

/// A delay is never longer than ten years.
const LONGEST_DELAY: f64 = 3650.0;

/// What a forecast is made from.
#[derive(Clone, Debug)]
pub struct Work {
    /// The day that the schedule gives the milestone.
    pub cpm_finish: Option<NaiveDate>,
    /// The points that are left in the sprints that aim at it.
    pub remaining: i64,
    /// How many days a sprint has.
    pub sprint_days: i64,
    /// The last sprints that count.
    pub past: Vec<Completed>,
}

/// When a milestone would be reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// By this day in half of the draws.
    pub p50: Option<NaiveDate>,
    /// By this day in eighty of a hundred.
    pub p80: Option<NaiveDate>,
    /// By this day in ninety-five of a hundred.
    pub p95: Option<NaiveDate>,
    /// The band of the velocity, when there are sprints enough to tell it.
    pub band: Option<(i64, i64)>,
    /// By how much the velocity varies, as a share of its mean.
    pub variation: Option<f64>,
}

/// The forecast of a milestone. The schedule assumes the mean pace; a slower one delays it, and a faster one does not bring it
/// forward, since other tasks hold it too.
pub fn forecast(work: &Work) -> Forecast {
    let velocity = Velocity::of(&work.past).filter(|velocity| velocity.average > 0.0);
    let band = velocity.and_then(|velocity| velocity.band());
    let variation = velocity.and_then(|velocity| Some(velocity.deviation? / velocity.average));
    let delays = match (velocity, band) {
        (Some(velocity), Some(_)) if work.remaining > 0 => delays(work, velocity.average),
        _ => vec![0; DRAWS],
    };
    let later = |percent: usize| {
        let place = (DRAWS * percent).div_ceil(100) - 1;
        let date = work.cpm_finish.and_then(|finish| finish.checked_add_days(Days::new(delays[place])));
        date.filter(|date| date.year() <= 9999)
    };
    Forecast { p50: later(50), p80: later(80), p95: later(95), band, variation }
}

/// By how many days each draw is later than the mean pace, in order.
fn delays(work: &Work, average: f64) -> Vec<u64> {
    let remaining = work.remaining as f64;
    let sprints = (remaining / average).ceil().max(1.0) as usize;
    let days = |velocity: f64| remaining / velocity * work.sprint_days as f64;
    let mut draws = Draws(SEED);
    let delay = |_| {
        let points = (0..sprints.min(1000)).map(|_| work.past[draws.below(work.past.len())].points);
        let (count, sum) = points.fold((0.0, 0.0), |(count, sum), points| (count + 1.0, sum + points as f64));
        let velocity: f64 = sum / count;
        let late = if velocity > 0.0 { days(velocity) - days(average) } else { LONGEST_DELAY };
        late.clamp(0.0, LONGEST_DELAY).round() as u64
    };
    let mut delays: Vec<u64> = (0..DRAWS).map(delay).collect();
    delays.sort_unstable();
    delays
}

/// A stream of numbers that looks random (SplitMix64).
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % bound.max(1) as u64) as usize
    }
}

/// How sure a forecast is.
pub fn confidence(forecast: &Forecast, has_unmodeled: bool, has_drifted: bool) -> ForecastConfidence {
    match forecast.variation {
        _ if has_unmodeled || has_drifted => ForecastConfidence::Low,
        Some(variation) if variation <= 0.2 => ForecastConfidence::High,
        Some(variation) if variation <= 0.5 => ForecastConfidence::Medium,
        _ => ForecastConfidence::Low,
    }
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::SprintId;
    use uuid::Uuid;

    use super::*;

    fn work(points: &[i64], remaining: i64) -> Work {
        let day = NaiveDate::default();
        let past = points.iter().map(|points| Completed {
            id: SprintId(Uuid::nil()),
            start_date: day,
            finish_date: day,
            points: *points,
        });
        let cpm_finish = NaiveDate::from_ymd_opt(2026, 3, 2);
        Work { cpm_finish, remaining, sprint_days: 14, past: past.collect() }
    }

    fn dates(work: &Work) -> [String; 3] {
        let forecast = forecast(work);
        [forecast.p50, forecast.p80, forecast.p95].map(|date| date.unwrap().to_string())
    }

    #[test]
    fn without_a_band_or_without_work_all_dates_are_that_of_the_schedule() {
        let same = ["2026-03-02", "2026-03-02", "2026-03-02"].map(str::to_owned);
        assert_eq!(dates(&work(&[], 20)), same);
        assert_eq!(dates(&work(&[10], 20)), same);
        assert_eq!(dates(&work(&[10, 20], 0)), same);
        assert_eq!(dates(&work(&[10, 10, 10], 40)), same, "an even pace delays nothing");
    }

    #[test]
    fn a_team_of_changing_pace_is_late_more_or_less_often() {
        let [p50, p80, p95] = dates(&work(&[5, 10, 15], 20));
        assert!(p50 <= p80 && p80 < p95, "{p50} {p80} {p95}");
        assert_eq!([p50, p80, p95], dates(&work(&[5, 10, 15], 20)), "the same every time");
        let exact = forecast(&work(&[5, 15], 5));
        // One sprint is drawn: in half of the cases it takes 14 days in place of 7.
        assert_eq!(exact.p80.unwrap().to_string(), "2026-03-09");
    }

    #[test]
    fn an_even_pace_is_trusted_unless_something_is_missing() {
        let even = forecast(&work(&[10, 10, 11], 20));
        assert_eq!(confidence(&even, false, false), ForecastConfidence::High);
        assert_eq!(confidence(&even, true, false), ForecastConfidence::Low);
        assert_eq!(confidence(&forecast(&work(&[10], 20)), false, false), ForecastConfidence::Low);
        assert_eq!(confidence(&forecast(&work(&[5, 10, 15], 20)), false, false), ForecastConfidence::Medium);
    }
}
