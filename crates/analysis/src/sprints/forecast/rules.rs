//! What a forecast draws from, and on which day so many periods are over. The simulation itself is in the engine.

use chrono::{Days, NaiveDate};
use planwright_domain::words::{ForecastSource, SprintForecastStatus};
use planwright_plan::sprints::velocity::Completed;
use planwright_store::row;

/// So many sprints does it take to forecast from velocity.
const LEAST_SPRINTS: usize = 2;

/// So many weeks in which something was done does it take to forecast from throughput.
const LEAST_WEEKS: usize = 4;

/// How many days a sprint takes when no past one tells.
const USUAL_SPRINT_DAYS: i64 = 14;

row! {
    /// The work that is open.
    pub struct OpenWork {
        pub points: i64,
        pub tasks: i64,
        /// How many of the tasks flow without sprints.
        pub kanban: i64,
    }
}

/// What a forecast draws from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Basis {
    pub status: SprintForecastStatus,
    pub source: ForecastSource,
    pub sample: Vec<i64>,
}

/// Draws from sprints, or from weeks when most work flows without sprints or there are too few of them.
pub fn basis(work: &OpenWork, sprints: &[Completed], weeks: &[i64]) -> Basis {
    let flows = work.kanban * 2 > work.tasks;
    if !flows && sprints.len() >= LEAST_SPRINTS {
        let sample = sprints.iter().map(|sprint| sprint.points).collect();
        return Basis { status: SprintForecastStatus::Ready, source: ForecastSource::Velocity, sample };
    }
    let is_enough = weeks.iter().filter(|done| **done > 0).count() >= LEAST_WEEKS;
    let status = match (is_enough, flows) {
        (true, _) => SprintForecastStatus::Ready,
        (false, true) => SprintForecastStatus::InsufficientFlowHistory,
        (false, false) => SprintForecastStatus::WarmingUp,
    };
    Basis { status, source: ForecastSource::Throughput, sample: weeks.to_vec() }
}

/// How many days lie from the start of one sprint to that of the next: the median of the past.
pub fn cadence_days(sprints: &[Completed]) -> i64 {
    let mut starts: Vec<NaiveDate> = sprints.iter().map(|sprint| sprint.start_date).collect();
    starts.sort_unstable();
    let mut apart: Vec<i64> = starts.windows(2).map(|pair| (pair[1] - pair[0]).num_days()).collect();
    apart.retain(|days| *days > 0);
    if apart.is_empty() {
        apart =
            sprints.iter().map(|sprint| (sprint.finish_date - sprint.start_date).num_days() + 1).collect();
    }
    apart.sort_unstable();
    apart.get(apart.len() / 2).copied().unwrap_or(USUAL_SPRINT_DAYS).max(1)
}

/// The periods that lie ahead.
#[derive(Clone, Copy, Debug)]
pub struct Ahead {
    pub today: NaiveDate,
    pub period_days: i64,
    /// The last day of the sprint that runs, which ends the first period.
    pub running_until: Option<NaiveDate>,
}

impl Ahead {
    /// The day on which so many periods are over; none beyond the calendar.
    pub fn end_of(&self, periods: u32) -> Option<NaiveDate> {
        let Some(further) = periods.checked_sub(1) else { return Some(self.today) };
        let days = u64::try_from(self.period_days).ok()?;
        let running = self.running_until.filter(|finish| *finish >= self.today);
        let first = running.or_else(|| self.today.checked_add_days(Days::new(days.saturating_sub(1))))?;
        first.checked_add_days(Days::new(u64::from(further) * days))
    }
}

/// How many tasks were completed in each of the whole weeks before today, the newest first.
pub fn weekly(finishes: &[NaiveDate], today: NaiveDate, weeks: usize) -> Vec<i64> {
    let mut counts = vec![0; weeks];
    for finish in finishes {
        let age_days = (today - *finish).num_days() - 1;
        if let Some(count) = usize::try_from(age_days).ok().and_then(|days| counts.get_mut(days / 7)) {
            *count += 1;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::SprintId;

    use super::*;

    fn date(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 1, day).unwrap()
    }

    fn sprint(start: u32, points: i64) -> Completed {
        let id = SprintId(uuid::Uuid::nil());
        Completed { id, start_date: date(start), finish_date: date(start + 4), points }
    }

    #[test]
    fn velocity_takes_two_sprints_and_throughput_four_weeks() {
        let work = OpenWork { points: 10, tasks: 4, kanban: 1 };
        let told = |work: &OpenWork, sprints: &[Completed], weeks: &[i64]| {
            let basis = basis(work, sprints, weeks);
            (basis.status, basis.source)
        };
        let two = [sprint(5, 8), sprint(12, 6)];
        use SprintForecastStatus::*;
        assert_eq!(told(&work, &two, &[]), (Ready, ForecastSource::Velocity));
        assert_eq!(told(&work, &two[..1], &[1, 2, 0, 1]), (WarmingUp, ForecastSource::Throughput));
        assert_eq!(told(&work, &two[..1], &[1, 2, 0, 1, 3]), (Ready, ForecastSource::Throughput));
        let flow = OpenWork { kanban: 3, ..work };
        assert_eq!(told(&flow, &two, &[1]), (InsufficientFlowHistory, ForecastSource::Throughput));
    }

    #[test]
    fn sprints_follow_each_other_at_the_median_distance_of_their_starts() {
        assert_eq!(cadence_days(&[sprint(1, 1), sprint(8, 1), sprint(15, 1), sprint(26, 1)]), 7);
        assert_eq!(cadence_days(&[sprint(1, 1)]), 5, "one sprint tells its own length");
        assert_eq!(cadence_days(&[]), 14);
    }

    #[test]
    fn the_first_period_ends_with_the_sprint_that_runs() {
        let end =
            |periods, running_until| Ahead { today: date(5), period_days: 7, running_until }.end_of(periods);
        assert_eq!(
            [0, 1, 2].map(|periods| end(periods, Some(date(9)))),
            [5, 9, 16].map(|day| Some(date(day)))
        );
        assert_eq!([0, 1, 2].map(|periods| end(periods, None)), [5, 11, 18].map(|day| Some(date(day))));
        assert_eq!(end(1, Some(date(2))), Some(date(11)), "a sprint that should be over tells nothing");
    }

    #[test]
    fn weeks_are_counted_back_from_yesterday() {
        assert_eq!(weekly(&[date(20), date(19), date(13), date(12), date(1)], date(20), 3), [2, 1, 1]);
    }
}
