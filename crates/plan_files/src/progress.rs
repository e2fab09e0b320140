//! How much of a row is done, as a percentage that leaves the days that a file says are left.
//! A file often has a percentage that was cut or divided; taken as it stands it would leave a day too much.

use chrono::NaiveDate;

use super::Losses;

/// Decimals of a percentage that are kept.
const STEPS: f64 = 10_000.0;

/// The whole days of a duration that count as done.
pub(super) fn days_done(duration: u32, percent: f64) -> u32 {
    (f64::from(duration) * percent / 100.0).floor() as u32
}

/// The percentage (0.0..=100.0) that a file says, if it leaves so many of the days of a row; otherwise the smallest one that does.
pub(super) fn percent_that_leaves(left: u32, duration: u32, said: f64) -> f64 {
    // One division of whole steps, since sums of such numbers have noise behind the last decimal.
    let percent = |steps: f64| steps / STEPS;
    let said = percent((said.clamp(0.0, 100.0) * STEPS).round());
    let done = duration.saturating_sub(left);
    if duration == 0 || days_done(duration, said) == done {
        return said;
    }
    let near = (100.0 * f64::from(done) / f64::from(duration) * STEPS).round();
    match days_done(duration, percent(near)) < done {
        true => percent(near + 1.0),
        false => percent(near),
    }
}

/// The percentage of a row whose work has ended says so, whatever else the file says.
pub(super) fn percent_of_ended(
    percent: f64,
    actual_finish: Option<NaiveDate>,
    losses: &mut Losses,
    mark: &str,
) -> f64 {
    match actual_finish {
        Some(_) if percent < 100.0 => {
            losses.note("percent_complete", "A row with an actual finish is complete.", mark);
            100.0
        }
        _ => percent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_days_left_is_left() {
        for duration in (1..=400).chain([36_525, 366_000]) {
            for left in (1..=duration.min(400)).chain([duration]) {
                let exact = (1.0 - f64::from(left) / f64::from(duration)) * 100.0;
                for said in [exact, exact.floor(), 0.0, 99.0] {
                    let percent = percent_that_leaves(left, duration, said);
                    assert_eq!(
                        duration - days_done(duration, percent),
                        left,
                        "{left} of {duration}: {percent}"
                    );
                    assert!((0.0..100.0).contains(&percent), "{percent}");
                }
            }
        }
    }

    #[test]
    fn no_percentage_has_more_decimals_than_are_kept() {
        assert_eq!(percent_that_leaves(2, 3, 33.0).to_string(), "33.3334");
        for duration in 1..=400_u32 {
            for left in 1..=duration {
                let text = percent_that_leaves(left, duration, 0.0).to_string();
                let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
                assert!(decimals <= 4, "{left} of {duration}: {text}");
            }
        }
    }

    #[test]
    fn a_percentage_that_says_more_than_whole_days_is_kept() {
        assert_eq!(percent_that_leaves(3, 5, 50.0), 50.0);
        assert_eq!(percent_that_leaves(1, 3, 66.0), 66.6667);
        assert_eq!(percent_that_leaves(4, 5, 19.999_999_999_999_996), 20.0);
    }
}
