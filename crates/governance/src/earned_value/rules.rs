//! The arithmetic of earned value (PMI, The Standard for Earned Value Management, 2019) and of earned schedule (Lipke,
//! Schedule is Different, 2003): pure. Work is spread evenly over the working days of a task.

use chrono::{Datelike, Days, NaiveDate};
use planwright_domain::ids::CalendarId;

use super::curve::Curve;
use super::work::Work;
use super::{EarnedValue, EarnedWeek, ValueUnit};
use crate::working_days::{WorkingDays, WorkingDaysOfTasks};

/// A curve has at most so many weeks: ten years.
const MOST_WEEKS: usize = 520;

/// Every date that tasks name.
pub fn dates(tasks: &[Work]) -> impl Iterator<Item = NaiveDate> {
    tasks
        .iter()
        .flat_map(|task| [task.planned_start, task.planned_finish, task.actual_start, task.actual_finish])
        .flatten()
}

/// The calendars that tasks have of their own, each once.
pub fn own_calendars<'a>(tasks: impl Iterator<Item = &'a Work>) -> Vec<CalendarId> {
    let mut own: Vec<CalendarId> = tasks.filter_map(|task| task.calendar).collect();
    own.sort_unstable();
    own.dedup();
    own
}

/// What a plan was to take, what of it is earned by a day, and what that took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// What the whole plan was to take.
    pub budget: f64,
    /// What is done of it.
    pub earned: f64,
    /// What that took.
    pub actual: f64,
}

/// The totals of a plan on a day.
pub fn totals(tasks: &[Work], date: NaiveDate, days: &WorkingDaysOfTasks) -> Totals {
    Totals {
        budget: tasks.iter().map(|task| task.budget).sum(),
        // All that is done counts on the day of the figures, whenever it was done.
        earned: tasks.iter().map(|task| task.done).sum(),
        actual: tasks.iter().map(|task| spent_by(task, date, days)).sum(),
    }
}

/// The figures of a project on a day.
pub fn earned_value(
    baseline_name: String,
    unit: ValueUnit,
    tasks: &[Work],
    date: NaiveDate,
    days: &WorkingDaysOfTasks,
) -> EarnedValue {
    let curve = Curve::of(tasks, days, date);
    let planned = curve.planned_by(date);
    let Totals { budget, earned, actual } = totals(tasks, date, days);
    let cost_index = (actual > 0.0).then(|| earned / actual);
    let (earned_schedule, actual_time) = (curve.earned_schedule(earned), curve.time_until(date));
    EarnedValue {
        date,
        baseline_name,
        unit,
        budget_at_completion: rounded(budget),
        planned_value: rounded(planned),
        earned_value: rounded(earned),
        actual_cost: rounded(actual),
        schedule_variance: rounded(earned - planned),
        cost_variance: rounded(earned - actual),
        schedule_performance_index: (planned > 0.0).then(|| rounded(earned / planned)),
        cost_performance_index: cost_index.map(rounded),
        estimate_at_completion: cost_index.filter(|index| *index > 0.0).map(|index| rounded(budget / index)),
        earned_schedule: rounded(earned_schedule),
        actual_time: rounded(actual_time),
        schedule_variance_time: rounded(earned_schedule - actual_time),
        schedule_performance_index_time: (actual_time > 0.0).then(|| rounded(earned_schedule / actual_time)),
        weeks: weeks(tasks, &curve, date, days),
    }
}

fn rounded(number: f64) -> f64 {
    // The order in which parts were added up must not decide about a half. Nothing less is nothing: JSON would show -0.0.
    let number = (number * 1e7).round() / 1e4;
    number.round() / 1000.0 + 0.0
}

/// The share of a task that lies between its first day and another, of all its working days.
fn share(start: NaiveDate, finish: NaiveDate, until: NaiveDate, days: &WorkingDays) -> f64 {
    if until < start {
        return 0.0;
    }
    let all = days.within(start, finish);
    match until >= finish || all == 0 {
        true => 1.0,
        false => days.within(start, until) as f64 / all as f64,
    }
}

/// What of a task is earned by a day. How far it was before today is not known: what is done is spread evenly from its first
/// day to its last, or to today.
fn earned_by(task: &Work, day: NaiveDate, today: NaiveDate, days: &WorkingDaysOfTasks) -> f64 {
    let done = task.done;
    let Some(start) = task.actual_start.or(task.planned_start).filter(|_| done != 0.0) else { return 0.0 };
    let start = start.min(today);
    let finish = task.actual_finish.unwrap_or(today).clamp(start, today);
    done * share(start, finish, day.min(today), days.of(task.calendar))
}

/// What a task took until a day.
fn spent_by(task: &Work, day: NaiveDate, days: &WorkingDaysOfTasks) -> f64 {
    let Some(start) = task.actual_start.filter(|start| *start <= day) else { return 0.0 };
    let finish = task.actual_finish.unwrap_or(day).min(day).max(start);
    days.of(task.calendar).within(start, finish) as f64 * task.cost_per_day
}

/// Leaves only so many Sundays as a curve may have, those around a day.
fn around(sundays: &mut Vec<NaiveDate>, today: NaiveDate) {
    let now = sundays.partition_point(|day| *day < today);
    let first = now.saturating_sub(MOST_WEEKS / 2).min(sundays.len().saturating_sub(MOST_WEEKS));
    sundays.drain(..first);
    sundays.truncate(MOST_WEEKS);
}

/// The curve, a row for each Sunday from the first week to the end of the plan or to today, whichever is later.
fn weeks(tasks: &[Work], curve: &Curve<'_>, today: NaiveDate, days: &WorkingDaysOfTasks) -> Vec<EarnedWeek> {
    let first = tasks
        .iter()
        .filter_map(|task| task.actual_start)
        .chain([curve.start()])
        .min()
        .unwrap_or(curve.start());
    let last = curve.finish().max(today);
    let to_sunday = 6 - u64::from(first.weekday().num_days_from_monday());
    let sundays = (0..).map_while(|week| first.checked_add_days(Days::new(to_sunday + 7 * week)));
    let mut ends: Vec<NaiveDate> = sundays.take_while(|day| *day < last).collect();
    around(&mut ends, today);
    ends.extend([today, curve.finish()]);
    ends.sort_unstable();
    ends.dedup();
    let row = |date: NaiveDate| {
        let is_past = date <= today;
        EarnedWeek {
            date,
            planned_value: rounded(curve.planned_by(date)),
            earned_value: is_past
                .then(|| rounded(tasks.iter().map(|task| earned_by(task, date, today, days)).sum())),
            actual_cost: is_past.then(|| rounded(tasks.iter().map(|task| spent_by(task, date, days)).sum())),
        }
    };
    ends.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use planwright_engine::Calendar;

    use super::super::queries::{BegunRow, PromisedRow, TaskRow};
    use super::*;

    /// A calendar without a day off.
    const WHOLE_WEEK: CalendarId = CalendarId(uuid::Uuid::nil());

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn task(
        start: &str,
        finish: &str,
        duration: i64,
        percent: f64,
        actual: Option<(&str, Option<&str>)>,
    ) -> TaskRow {
        TaskRow {
            task_id: planwright_domain::ids::TaskId(uuid::Uuid::nil()),
            calendar_id: None,
            duration,
            planned_start: Some(day(start)),
            planned_finish: Some(day(finish)),
            planned_duration: duration,
            budget: None,
            hourly_cost: None,
            percent_complete: percent,
            actual_start: actual.map(|(start, _)| day(start)),
            actual_finish: actual.and_then(|(_, finish)| finish.map(day)),
            deleted_at: None,
        }
    }

    fn valued(unit: ValueUnit, tasks: &[Work], date: &str) -> EarnedValue {
        let own = [(WHOLE_WEEK, Calendar { working_weekdays: 127, exceptions: Vec::new() })];
        let days = WorkingDaysOfTasks::spanning(&Calendar::default(), &own, dates(tasks).chain([day(date)]));
        earned_value("Promise".to_owned(), unit, tasks, day(date), &days)
    }

    /// What a baseline promised for rows, and what became of each of them.
    fn work(tasks: &[TaskRow], unit: ValueUnit) -> Vec<Work> {
        let promised = |row: &TaskRow| PromisedRow {
            project_id: planwright_domain::ids::ProjectId(uuid::Uuid::nil()),
            calendar_id: row.calendar_id,
            planned_start: row.planned_start,
            planned_finish: row.planned_finish,
            duration: row.planned_duration,
            budget: row.budget,
        };
        let begun = |row: &TaskRow| Work::alone((row.clone(), 1.0), unit, 8.0);
        tasks.iter().flat_map(|row| [Work::promised(&promised(row), unit), begun(row)]).collect()
    }

    fn figures(tasks: &[TaskRow], date: &str) -> EarnedValue {
        valued(ValueUnit::WorkingDays, &work(tasks, ValueUnit::WorkingDays), date)
    }

    #[test]
    fn money_is_planned_with_the_rates_of_then_and_spent_with_those_of_today() {
        // Ten days of eight hours were planned at 50.00 an hour. Half is done after six days at 60.00.
        let row = task("2026-03-02", "2026-03-13", 10, 50.0, Some(("2026-03-02", None)));
        let row = TaskRow { budget: Some(400_000), hourly_cost: Some(100 * 6_000), ..row };
        let found = valued(ValueUnit::Money, &work(&[row], ValueUnit::Money), "2026-03-09");
        assert_eq!((found.budget_at_completion, found.planned_value), (4_000.0, 2_400.0));
        assert_eq!((found.earned_value, found.actual_cost), (2_000.0, 2_880.0));
        assert_eq!((found.schedule_variance, found.cost_variance), (-400.0, -880.0));
        assert_eq!(found.schedule_performance_index, Some(0.833));
        assert_eq!(
            (found.cost_performance_index, found.estimate_at_completion),
            (Some(0.694), Some(5_760.0))
        );
        assert_eq!((found.earned_schedule, found.actual_time), (5.0, 6.0));
    }

    #[test]
    fn a_project_that_is_half_done_on_time_has_indices_of_one() {
        let tasks = [task("2026-03-02", "2026-03-13", 10, 50.0, Some(("2026-03-02", None)))];
        let found = figures(&tasks, "2026-03-06");
        assert_eq!((found.planned_value, found.earned_value, found.actual_cost), (5.0, 5.0, 5.0));
        assert_eq!((found.schedule_performance_index, found.cost_performance_index), (Some(1.0), Some(1.0)));
        assert_eq!(
            (found.estimate_at_completion, found.earned_schedule, found.actual_time),
            (Some(10.0), 5.0, 5.0)
        );
        let weeks: Vec<f64> = found.weeks.iter().map(|week| week.planned_value).collect();
        assert_eq!(weeks, [5.0, 5.0, 10.0], "Friday the 6th, Sunday the 8th, Friday the 13th");
    }

    #[test]
    fn a_task_with_a_calendar_of_its_own_is_planned_and_worked_on_the_days_of_that_calendar() {
        // Seven days from Monday to Sunday, all of them worked. Everything went as planned.
        let row = task("2026-03-02", "2026-03-08", 7, 100.0, Some(("2026-03-02", Some("2026-03-08"))));
        let row = TaskRow { calendar_id: Some(WHOLE_WEEK), ..row };
        let [saturday, sunday] =
            ["2026-03-07", "2026-03-08"].map(|date| figures(std::slice::from_ref(&row), date));
        assert_eq!((saturday.planned_value, saturday.actual_cost), (6.0, 6.0));
        assert_eq!((sunday.planned_value, sunday.actual_cost), (7.0, 7.0));
        assert_eq!(sunday.cost_performance_index, Some(1.0));
        assert_eq!(sunday.actual_time, 5.0, "time is counted in days of the project");
    }

    #[test]
    fn days_on_which_nothing_was_planned_are_days_of_the_plan_too() {
        // Two days of work, eight without any, and two days more. A quarter of the second part is done on its last day.
        let tasks = [
            task("2026-09-07", "2026-09-08", 2, 100.0, Some(("2026-09-07", Some("2026-09-08")))),
            task("2026-09-21", "2026-09-22", 2, 25.0, Some(("2026-09-21", None))),
        ];
        let found = figures(&tasks, "2026-09-22");
        assert_eq!((found.earned_schedule, found.actual_time), (10.5, 12.0));
    }

    #[test]
    fn work_on_a_deleted_row_ends_with_its_deletion() {
        let row = task("2026-03-02", "2026-03-06", 5, 0.0, Some(("2026-03-02", None)));
        let row = TaskRow { deleted_at: Some("2026-03-04T10:00:00Z".parse().unwrap()), ..row };
        assert_eq!(figures(&[row], "2026-04-30").actual_cost, 3.0);
    }

    #[test]
    fn a_late_project_that_is_done_keeps_the_delay_in_its_earned_schedule() {
        // Ten days of work were planned for two weeks, and it took three.
        let tasks = [task("2026-03-02", "2026-03-13", 10, 100.0, Some(("2026-03-02", Some("2026-03-20"))))];
        let found = figures(&tasks, "2026-03-20");
        assert_eq!(
            found.schedule_performance_index,
            Some(1.0),
            "the value says nothing of the delay at the end"
        );
        assert_eq!((found.earned_schedule, found.actual_time), (10.0, 15.0));
        assert_eq!(found.schedule_performance_index_time, Some(0.667));
        assert_eq!((found.cost_performance_index, found.estimate_at_completion), (Some(0.667), Some(15.0)));
        assert_eq!(found.cost_variance, -5.0);
    }

    #[test]
    fn work_ahead_of_the_plan_earns_the_part_of_the_day_in_which_it_was_planned() {
        let tasks = [
            task("2026-03-02", "2026-03-03", 2, 100.0, Some(("2026-03-02", Some("2026-03-02")))),
            task("2026-03-04", "2026-03-05", 2, 25.0, Some(("2026-03-02", None))),
        ];
        let found = figures(&tasks, "2026-03-02");
        assert_eq!((found.planned_value, found.earned_value), (1.0, 2.5));
        assert_eq!((found.earned_schedule, found.actual_time), (2.5, 1.0));
        assert_eq!(found.schedule_variance, 1.5);
    }

    /// Work on one working day: what was to be done on it, what is done of it, and what it took.
    fn on(date: NaiveDate, budget: f64, done: f64, cost: f64) -> Work {
        let date = Some(date);
        let (actual_start, actual_finish) = (date, date);
        let (planned_start, planned_finish) = (date, date);
        Work {
            planned_start,
            planned_finish,
            calendar: None,
            budget,
            cost_per_day: cost,
            done,
            actual_start,
            actual_finish,
        }
    }

    /// W. Lipke, "Schedule is Different", The Measurable News, 2003: the project that finishes late. It was planned for twelve
    /// months and takes fifteen. A month is a working day here.
    #[test]
    fn a_published_project_that_finishes_late_has_the_published_variances_and_keeps_its_delay() {
        const PLANNED: [f64; 12] =
            [105.0, 200.0, 515.0, 845.0, 1175.0, 1475.0, 1805.0, 2135.0, 2435.0, 2665.0, 2760.0, 2823.0];
        // For each month: earned, the schedule variance and the index in money, earned schedule, and its index of time.
        const MONTHS: [(f64, f64, f64, f64, f64); 15] = [
            (95.0, -10.0, 0.905, 0.905, 0.905),
            (180.0, -20.0, 0.9, 1.789, 0.895),
            (470.0, -45.0, 0.913, 2.857, 0.952),
            (770.0, -75.0, 0.911, 3.773, 0.943),
            (1065.0, -110.0, 0.906, 4.667, 0.933),
            (1315.0, -160.0, 0.892, 5.467, 0.911),
            (1610.0, -195.0, 0.892, 6.409, 0.916),
            (1900.0, -235.0, 0.89, 7.288, 0.911),
            (2150.0, -285.0, 0.883, 8.05, 0.894),
            (2275.0, -390.0, 0.854, 8.467, 0.847),
            (2425.0, -335.0, 0.879, 8.967, 0.815),
            (2555.0, -268.0, 0.905, 9.522, 0.793),
            (2695.0, -128.0, 0.955, 10.316, 0.794),
            (2770.0, -53.0, 0.981, 11.159, 0.797),
            (2823.0, 0.0, 1.0, 12.0, 0.8),
        ];
        let weekdays = day("2026-03-02").iter_days().filter(|date| date.weekday().number_from_monday() <= 5);
        let dates: Vec<NaiveDate> = weekdays.take(MONTHS.len()).collect();
        let mut before = 0.0;
        let plan: Vec<Work> = PLANNED
            .iter()
            .zip(&dates)
            .map(|(planned, date)| on(*date, planned - std::mem::replace(&mut before, *planned), 0.0, 0.0))
            .collect();
        for (month, (earned, variance, index, schedule, index_of_time)) in MONTHS.into_iter().enumerate() {
            let done = Work { budget: 0.0, ..on(dates[0], 0.0, earned, 0.0) };
            let work: Vec<Work> = plan.iter().cloned().chain([done]).collect();
            let date = dates[month].to_string();
            let found = valued(ValueUnit::Money, &work, &date);
            assert_eq!((found.earned_value, found.schedule_variance), (earned, variance), "{month}");
            assert_eq!(found.schedule_performance_index, Some(index), "{month}");
            let over = month as f64 + 1.0;
            assert_eq!((found.earned_schedule, found.actual_time), (schedule, over), "{month}");
            assert!((found.schedule_variance_time - (schedule - over)).abs() < 0.001, "{month}");
            assert_eq!(found.schedule_performance_index_time, Some(index_of_time), "{month}");
        }
    }

    /// PMI, Practice Standard for Earned Value Management, 2005: the project of its examples, in thousands.
    #[test]
    fn a_published_project_over_its_budget_has_the_published_indices_and_estimate() {
        let (today, later) = (day("2026-03-02"), day("2026-03-03"));
        let work = [on(today, 64.0, 54.0, 68.0), Work { actual_start: None, ..on(later, 86.0, 0.0, 0.0) }];
        let found = valued(ValueUnit::Money, &work, "2026-03-02");
        assert_eq!((found.budget_at_completion, found.planned_value), (150.0, 64.0));
        assert_eq!((found.earned_value, found.actual_cost), (54.0, 68.0));
        assert_eq!((found.schedule_variance, found.cost_variance), (-10.0, -14.0));
        assert_eq!(
            (found.schedule_performance_index, found.cost_performance_index),
            (Some(0.844), Some(0.794))
        );
        assert_eq!(found.estimate_at_completion, Some(188.889));
    }

    #[test]
    fn tasks_with_the_same_dates_are_worth_what_each_of_them_is() {
        let each = [
            task("2026-03-02", "2026-03-13", 10, 50.0, Some(("2026-03-02", None))),
            task("2026-03-02", "2026-03-13", 6, 25.0, Some(("2026-03-02", None))),
        ];
        let project_id = planwright_domain::ids::ProjectId(uuid::Uuid::nil());
        let promised = PromisedRow {
            project_id,
            calendar_id: None,
            planned_start: each[0].planned_start,
            planned_finish: each[0].planned_finish,
            duration: 16,
            budget: None,
        };
        let begun = BegunRow {
            project_id,
            calendar_id: None,
            planned_start: None,
            actual_start: each[0].actual_start,
            actual_finish: None,
            deleted_at: None,
            percent_budget: 10.0 * 50.0 + 6.0 * 25.0,
            cost: 2.0,
        };
        let unit = ValueUnit::WorkingDays;
        let together = [Work::promised(&promised, unit), Work::begun(&begun, unit, 8.0)];
        for date in ["2026-03-02", "2026-03-06", "2026-03-20"] {
            assert_eq!(valued(unit, &together, date), figures(&each, date));
        }
    }

    #[test]
    fn earned_schedule_never_falls_where_work_is_planned_on_days_off_of_the_project() {
        // Twenty days in a row from Monday; the project has five in a week. By Friday five were to be done, by Monday eight.
        let row = task("2026-09-07", "2026-09-26", 20, 0.0, Some(("2026-09-07", None)));
        let of = |percent_complete: f64| {
            let row = TaskRow { calendar_id: Some(WHOLE_WEEK), percent_complete, ..row.clone() };
            figures(&[row], "2026-09-20").earned_schedule
        };
        assert_eq!([25.0, 30.0, 35.0, 37.5, 40.0].map(of), [5.0, 5.333, 5.667, 5.833, 6.0]);
    }

    #[test]
    fn a_plan_of_many_years_shows_the_weeks_around_the_day_of_the_figures() {
        let tasks = [
            task("2001-01-01", "2001-01-12", 10, 0.0, None),
            task("2026-10-05", "2026-10-16", 10, 0.0, None),
        ];
        let found = figures(&tasks, "2026-11-27");
        let dates: Vec<NaiveDate> = found.weeks.iter().map(|week| week.date).collect();
        assert_eq!((dates.len(), dates[520]), (522, day("2026-11-22")));
        assert!(dates.contains(&day("2026-10-11")) && dates.contains(&day("2026-10-16")));
    }

    #[test]
    fn a_baseline_without_work_has_no_schedule_to_be_earned() {
        let tasks =
            [task("2026-09-07", "2026-09-07", 0, 0.0, None), task("2026-10-30", "2026-10-30", 0, 0.0, None)];
        let found = figures(&tasks, "2026-11-27");
        assert_eq!((found.earned_schedule, found.schedule_performance_index_time), (0.0, Some(0.0)));
    }

    #[test]
    fn nothing_is_divided_by_nothing() {
        let found = figures(&[task("2026-03-02", "2026-03-06", 5, 0.0, None)], "2026-02-27");
        assert_eq!((found.schedule_performance_index, found.cost_performance_index), (None, None));
        assert_eq!((found.schedule_performance_index_time, found.earned_schedule), (None, 0.0));
        let empty = figures(&[], "2026-02-27");
        assert_eq!((empty.budget_at_completion, empty.planned_value), (0.0, 0.0));
        assert_eq!((empty.actual_time, empty.schedule_performance_index_time), (0.0, None));
        assert_eq!(empty.weeks.iter().map(|week| week.date).collect::<Vec<_>>(), [day("2026-02-27")]);
    }

    #[test]
    fn the_curve_has_the_last_planned_day_when_it_is_over_too() {
        let found = figures(&[task("2026-03-02", "2026-03-10", 7, 0.0, None)], "2026-03-14");
        let dates: Vec<String> = found.weeks.iter().map(|week| week.date.to_string()).collect();
        assert_eq!(dates, ["2026-03-08", "2026-03-10", "2026-03-14"]);
    }
}
