//! Flow metrics as pure functions: how long work took, how much was finished in each week, and what stood where at the end
//! of each day. The days before today are told by undoing transitions, from now backwards.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Datelike, Days, NaiveDate, Utc};
use planwright_domain::ids::TaskId;
use planwright_domain::words::{TaskStatus, Word};
use planwright_store::row;

use super::model::{DayCounts, FlowPercentiles, IntegrityCounts, WeekThroughput};

row! {
    /// A move of a task from one status to another.
    pub struct StatusMove {
        pub task_id: TaskId,
        pub at: DateTime<Utc>,
        pub is_bulk: bool,
        pub old_status: TaskStatus,
        pub new_status: TaskStatus,
    }
}

row! {
    /// A task that came within the window, with the status that it came with.
    pub struct Arrival {
        pub created_at: DateTime<Utc>,
        pub status: TaskStatus,
    }
}

row! {
    /// A task that is complete, and what is known of its way there.
    pub struct Completion {
        pub created_at: DateTime<Utc>,
        pub actual_start: Option<NaiveDate>,
        pub actual_finish: Option<NaiveDate>,
        /// When it was put in progress for the first time; none when it never was.
        pub began_at: Option<DateTime<Utc>>,
        /// When it was completed last; none when it came complete, as from an import.
        pub ended_at: Option<DateTime<Utc>>,
        /// Whether it was completed together with others.
        pub is_bulk: Option<bool>,
    }
}

impl Completion {
    /// The day on which it was completed: as people say, else as it was noted.
    pub fn finish(&self) -> Option<NaiveDate> {
        self.actual_finish.or_else(|| self.ended_at.map(|at| at.date_naive()))
    }

    fn start(&self) -> Option<NaiveDate> {
        self.actual_start.or_else(|| self.began_at.map(|at| at.date_naive()))
    }

    /// Days in which it was worked on, the first and the last counted.
    fn cycle_days(&self) -> Option<i64> {
        Some(days_inclusive(self.start()?, self.finish()?))
    }

    /// Days since it was written down, the first and the last counted. What was imported counts from its start.
    fn lead_days(&self) -> Option<i64> {
        let created = self.created_at.date_naive();
        Some(days_inclusive(self.start().map_or(created, |start| start.min(created)), self.finish()?))
    }
}

fn days_inclusive(first: NaiveDate, last: NaiveDate) -> i64 {
    ((last - first).num_days() + 1).max(1)
}

/// How long work was worked on.
pub fn cycle_time(done: &[Completion]) -> FlowPercentiles {
    percentiles(done.iter().filter_map(Completion::cycle_days).collect())
}

/// How long work took from the day it was written down.
pub fn lead_time(done: &[Completion]) -> FlowPercentiles {
    percentiles(done.iter().filter_map(Completion::lead_days).collect())
}

/// Percentiles by the nearest rank; none of nothing.
fn percentiles(mut days: Vec<i64>) -> FlowPercentiles {
    days.sort_unstable();
    let at = |percent: usize| {
        let rank = (percent * days.len()).div_ceil(100).max(1);
        days.get(rank - 1).copied()
    };
    FlowPercentiles { p50: at(50), p80: at(80), p95: at(95) }
}

/// How many tasks were completed in each week of a window, weeks without any too.
pub fn throughput(done: &[Completion], since: NaiveDate, until: NaiveDate) -> Vec<WeekThroughput> {
    let mut counts: BTreeMap<NaiveDate, i64> = BTreeMap::new();
    let mut week = monday(since);
    while week <= until {
        counts.insert(week, 0);
        week = week + Days::new(7);
    }
    for finish in done.iter().filter_map(Completion::finish) {
        if let Some(count) = counts.get_mut(&monday(finish)) {
            *count += 1;
        }
    }
    counts
        .into_iter()
        .map(|(week_start, completed_count)| WeekThroughput { week_start, completed_count })
        .collect()
}

fn monday(date: NaiveDate) -> NaiveDate {
    date - Days::new(u64::from(date.weekday().num_days_from_monday()))
}

/// How trustworthy the figures are.
pub fn integrity(done: &[Completion]) -> IntegrityCounts {
    let count = |test: &dyn Fn(&Completion) -> bool| done.iter().filter(|task| test(task)).count() as i64;
    IntegrityCounts {
        bulk_moved_count: count(&|task| task.is_bulk == Some(true)),
        backdated_count: count(&|task| {
            task.actual_finish.zip(task.ended_at).is_some_and(|(day, at)| day < at.date_naive())
        }),
        missing_transition_count: count(&|task| task.began_at.is_none() || task.ended_at.is_none()),
    }
}

/// How many tasks had which status at the end of each day. `now` counts the tasks of today; `moves` and `arrivals` are those
/// since the first day.
pub fn cumulative_flow(
    now: &HashMap<TaskStatus, i64>,
    moves: &[StatusMove],
    arrivals: &[Arrival],
    since: NaiveDate,
    until: NaiveDate,
) -> Vec<DayCounts> {
    let mut undone: HashMap<NaiveDate, HashMap<TaskStatus, i64>> = HashMap::new();
    let mut change = |at: DateTime<Utc>, status: TaskStatus, by: i64| {
        *undone.entry(at.date_naive()).or_default().entry(status).or_default() += by;
    };
    for step in moves {
        change(step.at, step.new_status, -1);
        change(step.at, step.old_status, 1);
    }
    for arrival in arrivals {
        change(arrival.created_at, arrival.status, -1);
    }
    let mut counts = now.clone();
    let mut days = Vec::new();
    for date in since.iter_days().take_while(|date| *date <= until).collect::<Vec<_>>().into_iter().rev() {
        let shown =
            TaskStatus::ALL.iter().map(|status| (*status, counts.get(status).copied().unwrap_or_default()));
        days.push(DayCounts { date, counts: shown.collect() });
        for (status, by) in undone.get(&date).into_iter().flatten() {
            *counts.entry(*status).or_default() += by;
        }
    }
    days.reverse();
    days
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 1, day).unwrap()
    }

    fn at(day: u32) -> DateTime<Utc> {
        date(day).and_hms_opt(12, 0, 0).unwrap().and_utc()
    }

    fn done(began: u32, ended: u32) -> Completion {
        Completion {
            created_at: at(1),
            actual_start: None,
            actual_finish: None,
            began_at: Some(at(began)),
            ended_at: Some(at(ended)),
            is_bulk: Some(false),
        }
    }

    #[test]
    fn the_first_and_the_last_day_of_work_both_count() {
        let tasks = [done(5, 5), done(5, 7), done(5, 14)];
        let cycle = cycle_time(&tasks);
        assert_eq!([cycle.p50, cycle.p80, cycle.p95], [Some(3), Some(10), Some(10)]);
        assert_eq!(lead_time(&tasks[..1]).p50, Some(5), "from the first of January");
        assert_eq!(cycle_time(&[]).p50, None);
    }

    #[test]
    fn what_people_say_of_a_task_goes_before_what_was_noted() {
        let told = Completion { actual_start: Some(date(2)), actual_finish: Some(date(3)), ..done(5, 7) };
        assert_eq!(cycle_time(std::slice::from_ref(&told)).p50, Some(2));
        let counts = integrity(&[told, Completion { began_at: None, ..done(1, 2) }]);
        assert_eq!((counts.backdated_count, counts.missing_transition_count), (1, 1));
    }

    #[test]
    fn a_week_without_work_is_shown_as_zero() {
        let weeks = throughput(&[done(5, 6), done(5, 20)], date(7), date(21));
        let shown: Vec<_> = weeks.iter().map(|week| (week.week_start, week.completed_count)).collect();
        assert_eq!(shown, [(date(5), 1), (date(12), 0), (date(19), 1)]);
    }

    #[test]
    fn days_of_the_past_are_told_by_undoing_moves() {
        let step = |at, old_status, new_status| StatusMove {
            task_id: TaskId::from(uuid::Uuid::nil()),
            at,
            is_bulk: false,
            old_status,
            new_status,
        };
        use TaskStatus::*;
        let now = HashMap::from([(Complete, 1), (NotStarted, 1)]);
        let moves = [step(at(2), NotStarted, InProgress), step(at(4), InProgress, Complete)];
        let arrivals = [Arrival { created_at: at(3), status: NotStarted }];
        let days = cumulative_flow(&now, &moves, &arrivals, date(1), date(4));
        let shown = |day: usize| [NotStarted, InProgress, Complete].map(|status| days[day].counts[&status]);
        assert_eq!([0, 1, 2, 3].map(shown), [[1, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 1]]);
    }
}
