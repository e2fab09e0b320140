//! Statistics of simulated finishes: percentiles, mean and spread, histogram, S-curve, and rank
//! correlation.

use crate::day::Day;

use super::Confidence;

/// The distribution of a finish over all runs.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct FinishForecast {
    /// The days on which runs finished, in ascending order, each with the number of runs. A part of a day counts as a
    /// day.
    pub counts: Vec<(Day, u32)>,
    /// Runs in all.
    pub runs: u32,
    /// Mean span in working days of the project's calendar from its start, before rounding up.
    pub mean_days: f64,
    /// Standard deviation of that span.
    pub sd_days: f64,
}

impl FinishForecast {
    pub(crate) fn new(mut days: Vec<Day>, spans: &[f64]) -> FinishForecast {
        days.sort_unstable();
        let runs = days.len() as u32;
        let mut counts: Vec<(Day, u32)> = Vec::new();
        for day in days {
            match counts.last_mut() {
                Some((last, count)) if *last == day => *count += 1,
                _ => counts.push((day, 1)),
            }
        }
        let (mean_days, sd_days) = moments(spans);
        FinishForecast { counts, runs, mean_days, sd_days }
    }

    /// The first day by whose end at least a percentage (0.0..=100.0) of the runs had finished.
    pub fn percentile(&self, percent: f64) -> Day {
        let wanted = (percent / 100.0 * f64::from(self.runs)).max(1.0);
        let mut sum = 0;
        for (day, count) in &self.counts {
            sum += count;
            // Half a run of room: a percentage of a number of runs need not come out exact.
            if f64::from(sum) + 1e-6 >= wanted {
                return *day;
            }
        }
        self.counts.last().map_or(Day(0), |(day, _)| *day)
    }

    /// Share of the runs, 0.0..=1.0, that had finished by the end of a day.
    pub fn confidence(&self, day: Day) -> f64 {
        let finished: u32 = self.counts.iter().filter(|(on, _)| *on <= day).map(|(_, count)| count).sum();
        f64::from(finished) / f64::from(self.runs.max(1))
    }

    /// The S-curve: for every day on which a run finished, the share finished by its end.
    pub fn s_curve(&self) -> Vec<Confidence> {
        let mut sum = 0;
        let point = |(day, count): &(Day, u32)| {
            sum += count;
            Confidence { day: *day, share: f64::from(sum) / f64::from(self.runs.max(1)) }
        };
        self.counts.iter().map(point).collect()
    }

    /// The runs in ranges of calendar days of equal length, at most `buckets` of them. Each range has its first day.
    /// Empty ranges are kept, so that a picture has a correct axis.
    pub fn histogram(&self, buckets: usize) -> Vec<(Day, u32)> {
        let (Some((first, _)), Some((last, _))) = (self.counts.first(), self.counts.last()) else {
            return Vec::new();
        };
        let buckets = buckets.max(1) as i64;
        let length = i64::from(last.0) - i64::from(first.0) + 1;
        let width = (length + buckets - 1) / buckets;
        let mut bars: Vec<(Day, u32)> =
            (0..(length + width - 1) / width).map(|bar| (first.plus((bar * width) as i32), 0)).collect();
        for (day, count) in &self.counts {
            bars[((i64::from(day.0) - i64::from(first.0)) / width) as usize].1 += count;
        }
        bars
    }
}

/// Sums that are kept side by side, so that they can be added at once.
const SUMS: usize = 8;

/// The sum of a function of every value, always in the same order.
fn sum_of(values: &[f64], of: impl Fn(usize, f64) -> f64) -> f64 {
    let mut sums = [0.0; SUMS];
    let mut index = 0;
    let (whole, rest) = values.as_chunks::<SUMS>();
    for values in whole {
        for (sum, (offset, value)) in sums.iter_mut().zip(values.iter().enumerate()) {
            *sum += of(index + offset, *value);
        }
        index += SUMS;
    }
    let rest = rest.iter().enumerate().map(|(offset, value)| of(index + offset, *value));
    sums.iter().sum::<f64>() + rest.sum::<f64>()
}

/// Mean and standard deviation.
pub(crate) fn moments(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = sum_of(values, |_, value| value) / count;
    let square = sum_of(values, |_, value| (value - mean) * (value - mean));
    (mean, (square / count).sqrt())
}

/// Ranks from 0, equal values sharing the mean of their places.
pub(crate) fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.sort_unstable_by(|one, other| values[*one as usize].total_cmp(&values[*other as usize]));
    let mut ranks = vec![0.0; values.len()];
    let mut from = 0;
    while from < order.len() {
        let value = values[order[from] as usize];
        let same = order[from..].iter().take_while(|index| values[**index as usize] == value).count();
        let rank = from as f64 + (same - 1) as f64 / 2.0;
        order[from..from + same].iter().for_each(|index| ranks[*index as usize] = rank);
        from += same;
    }
    ranks
}

/// Ranks that others are correlated with, one after another.
pub(crate) struct Ranked {
    /// Distances from the mean.
    centred: Vec<f64>,
    sd: f64,
}

impl Ranked {
    pub(crate) fn of(values: &[f64]) -> Ranked {
        let ranks = ranks(values);
        let (mean, sd) = moments(&ranks);
        Ranked { centred: ranks.into_iter().map(|rank| rank - mean).collect(), sd }
    }

    /// Pearson correlation with other ranks; 0 where one side does not vary.
    pub(crate) fn correlation(&self, other: &[f64]) -> f64 {
        let (mean, sd) = moments(other);
        if other.len() != self.centred.len() || sd == 0.0 || self.sd == 0.0 {
            return 0.0;
        }
        let products = sum_of(other, |index, value| (value - mean) * self.centred[index]);
        products / (other.len() as f64 * sd * self.sd)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forecast() -> FinishForecast {
        FinishForecast::new([3, 1, 1, 5, 2, 3, 3, 3, 4, 9].map(Day).to_vec(), &[0.0; 10])
    }

    #[test]
    fn percentiles_are_days_by_whose_end_enough_runs_are_done() {
        let forecast = forecast();
        assert_eq!(
            [10.0, 20.0, 21.0, 70.0, 71.0, 95.0].map(|p| forecast.percentile(p).0),
            [1, 1, 2, 3, 4, 9]
        );
        assert_eq!(forecast.confidence(Day(3)), 0.7);
        assert_eq!(forecast.s_curve().last().map(|point| point.share), Some(1.0));
    }

    #[test]
    fn bars_of_a_histogram_hold_every_run() {
        let bars = forecast().histogram(4);
        assert_eq!(bars, [(Day(1), 7), (Day(4), 2), (Day(7), 1)]);
    }

    #[test]
    fn ranks_share_ties() {
        assert_eq!(ranks(&[5.0, 1.0, 5.0, 2.0]), [2.5, 0.0, 2.5, 1.0]);
        assert!((Ranked::of(&[0.0, 1.0, 2.0]).correlation(&[2.0, 1.0, 0.0]) + 1.0).abs() < 1e-12);
    }
}
