//! What was left and done in a project on each day, added up from what its tasks are now and when they moved.
//! Each task is looked at once: what it changes on which day is summed over all tasks.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::TaskId;
use planwright_domain::words::{BurnChart, BurnMetric, TaskStatus};
use planwright_store::row;

use super::model::*;
use crate::sprints::velocity::rounded;

row! {
    /// A task of a board as it is now.
    pub struct BurnTask {
        pub id: TaskId,
        pub status: TaskStatus,
        pub points: i64,
        pub remaining: i64,
        pub created_at: DateTime<Utc>,
        pub actual_start: Option<NaiveDate>,
        pub actual_finish: Option<NaiveDate>,
    }
}

row! {
    /// A move of a task.
    pub struct BurnMove {
        pub task_id: TaskId,
        pub at: DateTime<Utc>,
        pub old_status: TaskStatus,
        pub new_status: TaskStatus,
        pub old_points: i64,
        pub new_points: i64,
        pub old_remaining: i64,
        pub new_remaining: i64,
    }
}

/// What is left and what is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    pub remaining: i64,
    pub completed: i64,
}

impl Amount {
    fn of(metric: BurnMetric, status: TaskStatus, points: i64, remaining: i64) -> Self {
        let is_done = status == TaskStatus::Complete;
        match metric {
            BurnMetric::Tasks => Self { remaining: i64::from(!is_done), completed: i64::from(is_done) },
            BurnMetric::Points if is_done => Self { remaining: 0, completed: points },
            // What is burnt of a task under way is done already, so that both add up to its points.
            BurnMetric::Points => Self { remaining, completed: (points - remaining).max(0) },
        }
    }

    fn plus(self, other: Self) -> Self {
        Self { remaining: self.remaining + other.remaining, completed: self.completed + other.completed }
    }

    fn minus(self, other: Self) -> Self {
        Self { remaining: self.remaining - other.remaining, completed: self.completed - other.completed }
    }

    fn total(self) -> i64 {
        self.remaining + self.completed
    }
}

/// What tasks changed on which day, from the first day on which there was any.
pub fn changes(tasks: &[BurnTask], moves: &[BurnMove], metric: BurnMetric) -> BTreeMap<NaiveDate, Amount> {
    let mut of_task: HashMap<TaskId, Vec<&BurnMove>> = HashMap::new();
    for step in moves {
        of_task.entry(step.task_id).or_default().push(step);
    }
    let mut days: BTreeMap<NaiveDate, Amount> = BTreeMap::new();
    for task in tasks {
        let steps = of_task.get(&task.id).map(Vec::as_slice).unwrap_or_default();
        let mut before = Amount::default();
        for (date, amount) in amounts(task, steps, metric) {
            let day = days.entry(date).or_default();
            *day = day.plus(amount.minus(before));
            before = amount;
        }
    }
    days
}

/// What a task amounted to from which day on. One that came complete, as from an import, was open until its finish.
fn amounts(task: &BurnTask, steps: &[&BurnMove], metric: BurnMetric) -> Vec<(NaiveDate, Amount)> {
    let known = [task.actual_start, task.actual_finish].into_iter().flatten();
    let first = known.fold(task.created_at.date_naive(), NaiveDate::min);
    let now = Amount::of(metric, task.status, task.points, task.remaining);
    let Some(earliest) = steps.first() else {
        let Some(finish) = task.actual_finish.filter(|_| task.status == TaskStatus::Complete) else {
            return vec![(first, now)];
        };
        return vec![(first, Amount { remaining: now.total(), completed: 0 }), (finish, now)];
    };
    let origin = Amount::of(metric, earliest.old_status, earliest.old_points, earliest.old_remaining);
    let later = steps.iter().map(|step| {
        (step.at.date_naive(), Amount::of(metric, step.new_status, step.new_points, step.new_remaining))
    });
    std::iter::once((first, origin)).chain(later).collect()
}

/// What was left and done at the end of each day of a window up to today.
pub fn days(
    changes: &BTreeMap<NaiveDate, Amount>,
    since: NaiveDate,
    until: NaiveDate,
) -> Vec<(NaiveDate, Amount)> {
    let mut sum = changes.range(..since).fold(Amount::default(), |sum, (_, amount)| sum.plus(*amount));
    let days = since.iter_days().take_while(|date| *date <= until);
    days.map(|date| {
        sum = sum.plus(changes.get(&date).copied().unwrap_or_default());
        (date, sum)
    })
    .collect()
}

/// A straight line from all there was on the first day to nothing on the last.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    pub first: NaiveDate,
    pub last: NaiveDate,
    pub from: i64,
}

impl Line {
    fn left(&self, date: NaiveDate) -> f64 {
        let days = (self.last - self.first).num_days().max(1) as f64;
        let share = ((date - self.first).num_days() as f64 / days).clamp(0.0, 1.0);
        rounded(self.from as f64 * (1.0 - share), 2)
    }
}

/// The series of a chart. Days after the last one known have no actual figures.
pub fn series(chart: BurnChart, known: &[(NaiveDate, Amount)], until: NaiveDate, line: Line) -> BurnSeries {
    let first = known.first().map_or(line.first, |(date, _)| *date);
    let by_date: HashMap<NaiveDate, Amount> = known.iter().copied().collect();
    let dates = first.iter_days().take_while(|date| *date <= until);
    let of = |date: NaiveDate, figure: fn(Amount) -> i64| by_date.get(&date).copied().map(figure);
    let one = |date: NaiveDate| BurnDay {
        date,
        actual: match chart {
            BurnChart::Burnup => of(date, |amount| amount.completed),
            _ => of(date, |amount| amount.remaining),
        },
        ideal: match chart {
            BurnChart::Burnup => rounded(line.from as f64 - line.left(date), 2),
            _ => line.left(date),
        },
        scope: of(date, Amount::total),
    };
    let both = |date: NaiveDate| CombinedBurnDay {
        date,
        remaining: of(date, |amount| amount.remaining),
        completed: of(date, |amount| amount.completed),
        total: of(date, Amount::total),
        ideal: line.left(date),
    };
    match chart {
        BurnChart::Combined => BurnSeries::Combined(dates.map(both).collect()),
        BurnChart::Burndown | BurnChart::Burnup => BurnSeries::One(dates.map(one).collect()),
    }
}

/// What a baseline planned for each day: `finishes` are its last days with the amount of each.
pub fn planned(
    chart: BurnChart,
    finishes: &[(NaiveDate, i64)],
    since: NaiveDate,
    until: NaiveDate,
) -> Vec<BaselineBurnDay> {
    let total: i64 = finishes.iter().map(|(_, amount)| amount).sum();
    let mut by_date: BTreeMap<NaiveDate, i64> = BTreeMap::new();
    for (finish, amount) in finishes {
        *by_date.entry(*finish).or_default() += amount;
    }
    let mut done: i64 = by_date.range(..since).map(|(_, amount)| amount).sum();
    let dates = since.iter_days().take_while(|date| *date <= until);
    dates
        .map(|date| {
            done += by_date.get(&date).copied().unwrap_or_default();
            BaselineBurnDay { date, planned: if chart == BurnChart::Burnup { done } else { total - done } }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn date(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 1, day).unwrap()
    }

    fn at(day: u32) -> DateTime<Utc> {
        date(day).and_hms_opt(12, 0, 0).unwrap().and_utc()
    }

    fn task(status: TaskStatus) -> BurnTask {
        let remaining = if status == TaskStatus::Complete { 0 } else { 5 };
        let (id, created_at) = (TaskId(Uuid::nil()), at(2));
        BurnTask { id, status, points: 5, remaining, created_at, actual_start: None, actual_finish: None }
    }

    fn shown(tasks: &[BurnTask], moves: &[BurnMove], metric: BurnMetric) -> Vec<(i64, i64)> {
        let days = days(&changes(tasks, moves, metric), date(1), date(5));
        days.into_iter().map(|(_, amount)| (amount.remaining, amount.completed)).collect()
    }

    #[test]
    fn work_is_left_from_the_day_it_came_to_the_day_it_was_done() {
        let step = |day, old_status, new_status, old_remaining, new_remaining| BurnMove {
            task_id: TaskId(Uuid::nil()),
            at: at(day),
            old_status,
            new_status,
            old_points: 5,
            new_points: 5,
            old_remaining,
            new_remaining,
        };
        use TaskStatus::*;
        let moves = [step(3, NotStarted, InProgress, 5, 2), step(4, InProgress, Complete, 2, 0)];
        let tasks = [task(Complete)];
        assert_eq!(shown(&tasks, &moves, BurnMetric::Tasks), [(0, 0), (1, 0), (1, 0), (0, 1), (0, 1)]);
        assert_eq!(shown(&tasks, &moves, BurnMetric::Points), [(0, 0), (5, 0), (2, 3), (0, 5), (0, 5)]);
    }

    #[test]
    fn a_task_that_came_complete_was_open_until_its_finish() {
        let came = BurnTask {
            actual_start: Some(date(1)),
            actual_finish: Some(date(3)),
            ..task(TaskStatus::Complete)
        };
        assert_eq!(shown(&[came], &[], BurnMetric::Points), [(5, 0), (5, 0), (0, 5), (0, 5), (0, 5)]);
    }

    #[test]
    fn a_baseline_plans_each_amount_for_its_last_day() {
        let plan = |chart| {
            let days = planned(chart, &[(date(1), 2), (date(3), 3)], date(2), date(4));
            days.into_iter().map(|day| day.planned).collect::<Vec<_>>()
        };
        assert_eq!((plan(BurnChart::Burndown), plan(BurnChart::Burnup)), (vec![3, 0, 0], vec![2, 5, 5]));
    }

    #[test]
    fn days_to_come_have_a_line_and_no_figures() {
        let line = Line { first: date(1), last: date(5), from: 8 };
        let known = [(date(1), Amount { remaining: 8, completed: 0 })];
        let BurnSeries::One(days) = series(BurnChart::Burndown, &known, date(3), line) else { panic!() };
        let shown: Vec<_> = days.iter().map(|day| (day.actual, day.ideal)).collect();
        assert_eq!(shown, [(Some(8), 8.0), (None, 6.0), (None, 4.0)]);
    }
}
