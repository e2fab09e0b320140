//! How many periods work takes, told from how much was done in past periods: a bootstrap.
//! Each run draws a past period at random, again and again, until the work is done. Periods in which nothing was done count.

use super::sampling::Key;

/// A run that is not done after so many periods ends there.
const LONGEST_PERIODS: u32 = 1_000;

/// What a bootstrap over past periods found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Periods {
    /// The periods of each run, the shortest run first.
    sorted: Vec<u32>,
}

impl Periods {
    /// The number of periods within which so many percent of the runs were done, 0..=100: the nearest rank.
    pub fn percentile(&self, percent: f64) -> u32 {
        let rank = (percent / 100.0 * self.sorted.len() as f64).ceil() as usize;
        self.sorted[rank.clamp(1, self.sorted.len()) - 1]
    }
}

/// Simulates how many periods `work` takes when each period does as much as one of `samples`, drawn at random.
///
/// None when the samples tell nothing: there is none, none is above zero, or there is no run. The same seed gives the
/// same answer. A run ends after 1 000 periods at the latest.
pub fn periods_until_done(samples: &[f64], work: f64, runs: u32, seed: u64) -> Option<Periods> {
    let is_usable = runs > 0 && samples.iter().any(|done| *done > 0.0);
    if !is_usable {
        return None;
    }
    let mut sorted: Vec<u32> = (0..runs).map(|run| length(samples, work, run, seed)).collect();
    sorted.sort_unstable();
    Some(Periods { sorted })
}

fn length(samples: &[f64], work: f64, run: u32, seed: u64) -> u32 {
    let key = Key::of_seed(seed);
    let mut left = work;
    let mut periods = 0;
    while left > 0.0 && periods < LONGEST_PERIODS {
        let drawn = (key.further(periods).share(run) * samples.len() as f64) as usize;
        left -= samples[drawn.min(samples.len() - 1)].max(0.0);
        periods += 1;
    }
    periods
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn periods_of_one_size_take_work_divided_by_that_size() {
        let found = periods_until_done(&[5.0, 5.0], 21.0, 100, 7).unwrap();
        assert_eq!([0.0, 50.0, 100.0].map(|percent| found.percentile(percent)), [5, 5, 5]);
    }

    #[test]
    fn work_that_is_done_takes_no_period() {
        assert_eq!(periods_until_done(&[5.0], 0.0, 10, 1).unwrap().percentile(95.0), 0);
    }

    #[test]
    fn a_past_without_work_tells_nothing() {
        assert_eq!(periods_until_done(&[], 5.0, 10, 1), None);
        assert_eq!(periods_until_done(&[0.0, 0.0], 5.0, 10, 1), None);
    }

    #[test]
    fn periods_without_work_make_the_work_take_longer() {
        let steady = periods_until_done(&[10.0], 100.0, 2_000, 3).unwrap().percentile(50.0);
        let halting = periods_until_done(&[10.0, 0.0], 100.0, 2_000, 3).unwrap().percentile(50.0);
        assert_eq!(steady, 10);
        assert!((17..=21).contains(&halting), "the mean is 20, the median 19: {halting}");
    }

    proptest! {
        #[test]
        fn a_higher_percentile_is_never_earlier_and_every_run_is_possible(
            samples in prop::collection::vec(0.0..20.0_f64, 1..8), work in 0.0..200.0_f64, seed: u64,
        ) {
            let Some(found) = periods_until_done(&samples, work, 200, seed) else {
                prop_assert!(samples.iter().all(|done| *done <= 0.0));
                return Ok(());
            };
            let best = samples.iter().copied().fold(0.0, f64::max);
            let least = ((work / best).ceil() as u32).min(LONGEST_PERIODS);
            let told = [0.0, 50.0, 80.0, 95.0, 100.0].map(|percent| found.percentile(percent));
            prop_assert!(told.is_sorted() && told[0] + 1 >= least, "{told:?} {least}");
            prop_assert_eq!(Some(found), periods_until_done(&samples, work, 200, seed));
        }
    }
}
