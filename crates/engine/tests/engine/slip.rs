//! The main property: if a task slips by its float, nothing that the float protects moves. If it slips by one working
//! day more, something moves. It is checked on thousands of random plans.

use crate::generate::{Corners, Dice, cases};
use planwright_engine::{
    Calendar, Constraint, Day, Link, LinkKind, Network, Progress, Schedule, TaskDates, schedule,
};

const PLANS: u64 = 20_000;

/// The plan with one leaf delayed by working days of its own calendar; `None` if it cannot be asked to.
fn delayed(plan_before: &Network, before: &TaskDates, index: usize, days: i32) -> Option<Network> {
    let mut plan = plan_before.clone();
    let calendar = calendar_of(&plan, index);
    let task = &mut plan.tasks[index];
    match before.progress {
        Progress::Complete => return None,
        Progress::InProgress => {
            // Begun on a known day: only its finish moves, as with more work left.
            task.actual_start?;
            let done = task.duration - before.remaining_duration;
            // More work would only begin earlier where the finish is held.
            let held = |link: &Link| leads_into(plan_before, link, index) && holds_finish(link.kind);
            if task.duration == 0 || plan.links.iter().any(held) {
                return None;
            }
            task.duration += days;
            task.percent_complete = 100.0 * (f64::from(done) + 0.01) / f64::from(task.duration);
        }
        Progress::NotStarted if task.duration == 0 => {
            // A point slips to where its n-th working day from now ends.
            let from = days - i32::from(!before.falls_at_day_end);
            task.constraint =
                Some(Constraint::FinishNoEarlierThan(nth_working(&calendar, before.early_start, from)));
        }
        Progress::NotStarted => task.planned_start = Some(nth_working(&calendar, before.early_start, days)),
    }
    Some(plan)
}

/// Whether a link acts on a row, by itself or through a summary of it.
fn leads_into(plan: &Network, link: &Link, index: usize) -> bool {
    let mut at = Some(index);
    while let Some(row) = at {
        if link.successor == row {
            return true;
        }
        at = plan.tasks[row].parent;
    }
    false
}

fn holds_finish(kind: LinkKind) -> bool {
    matches!(kind, LinkKind::FinishToFinish | LinkKind::StartToFinish)
}

/// The working day `days` working days after the first on or after `from`.
pub(crate) fn nth_working(calendar: &Calendar, from: Day, days: i32) -> Day {
    let mut day = from;
    let mut left = days;
    loop {
        if calendar.is_working(day) {
            if left <= 0 {
                return day;
            }
            left -= 1;
        }
        day = day.plus(1);
    }
}

pub(crate) fn calendar_of(plan: &Network, index: usize) -> Calendar {
    let task = &plan.tasks[index];
    let calendar = task.calendar.or(plan.projects[task.project].calendar);
    calendar.and_then(|calendar| plan.calendars.get(calendar)).cloned().unwrap_or_default()
}

/// The places of all leaves but one; summaries roll up the one as well.
fn places_without(plan: &Network, schedule: &Schedule, index: usize) -> Vec<Option<(Day, Day, bool)>> {
    let place = |dates: TaskDates| (dates.early_start, dates.early_finish, dates.falls_at_day_end);
    let others = (0..plan.tasks.len()).filter(|other| *other != index && !is_summary(plan, *other));
    others.map(|other| schedule.tasks[other].map(place)).collect()
}

/// Where a project ends: the day, and whether with its end.
pub(crate) fn last_of(schedule: &Schedule, project: usize) -> (Option<Day>, bool) {
    let dates = &schedule.projects[project];
    (dates.finish, dates.finish_at_day_end)
}

fn check(seed: u64, plan: &Network, counts: &mut [u32; 4]) {
    let before = schedule(plan);
    let summary = |index| is_summary(plan, index);
    // The least of several starts may move although each of them alone can slip further.
    let from_start = |kind| matches!(kind, LinkKind::StartToStart | LinkKind::StartToFinish);
    let lower_bounds = plan.links.iter().any(|link| from_start(link.kind) && summary(link.predecessor));
    for index in (0..plan.tasks.len()).filter(|index| !summary(*index)) {
        let Some(dates) = before.tasks[index] else { continue };
        let project = plan.tasks[index].project;
        let finish = last_of(&before, project);
        let context = |what: &str| {
            let plan = crate::generate::describe(plan, &before);
            format!("seed {seed}, task {index}: {what}\n{plan}")
        };
        assert!(dates.total_float >= 0, "{}", context("negative float without a missed date"));
        assert!(dates.free_float <= dates.total_float && dates.free_float >= 0, "{}", context("free float"));
        let after = |days: i32| match days {
            0 => Some(before.clone()),
            days => delayed(plan, &dates, index, days).map(|plan| schedule(&plan)),
        };
        let Some(slipped) = after(dates.total_float) else { continue };
        counts[0] += 1;
        assert_eq!(last_of(&slipped, project), finish, "{}", context("total float moves the finish"));
        if let Some(slipped) = after(dates.free_float) {
            let same = places_without(plan, &slipped, index) == places_without(plan, &before, index);
            assert!(same, "{}", context("free float moves another task"));
        }
        if lower_bounds {
            continue;
        }
        let Some(moved) = after(dates.total_float + 1) else { continue };
        let later = last_of(&moved, project) > finish;
        counts[1] += u32::from(later);
        assert!(later, "{}", context("one day more than total float"));
        if dates.free_float < dates.total_float {
            let Some(moved) = after(dates.free_float + 1) else { continue };
            let seen = places_without(plan, &moved, index) != places_without(plan, &before, index);
            counts[2] += u32::from(seen);
            assert!(seen, "{}", context("one day more than free float"));
        }
    }
    counts[3] += 1;
}

fn is_summary(plan: &Network, index: usize) -> bool {
    plan.tasks.iter().any(|task| task.parent == Some(index))
}

fn run(corners: Corners, from: u64) {
    let mut counts = [0; 4];
    for seed in cases(from, PLANS / 4) {
        let plan = crate::generate::network(&mut Dice::new(seed), corners);
        check(seed, &plan, &mut counts);
    }
    // The checks must have had something to check.
    assert!(counts[1] > counts[3] && counts[2] > counts[3] / 20, "{counts:?}");
}

/// Dated limits on some rows of a plan.
fn limit(dice: &mut Dice, plan: &mut Network) {
    for task in plan.tasks.iter_mut().filter(|task| task.duration > 0) {
        let day = crate::generate::START.plus(dice.between(5, 60));
        if dice.chance(20) {
            task.deadline = Some(day);
        } else if dice.chance(30) {
            task.constraint = Some(dice.pick(&[
                Constraint::StartNoLaterThan(day),
                Constraint::FinishNoLaterThan(day),
                Constraint::FinishNoEarlierThan(day),
                Constraint::MustStartOn(day),
                Constraint::FinishOn(day),
            ]));
        }
    }
}

#[test]
fn within_dated_limits() {
    let corners =
        Corners { projects: 2, tasks: 12, mixed_calendars: true, progress: false, summaries: false };
    let mut counts = [0; 2];
    for seed in cases(400_000, PLANS / 4) {
        let mut dice = Dice::new(seed);
        let mut plan = crate::generate::network(&mut dice, corners);
        limit(&mut dice, &mut plan);
        let before = schedule(&plan);
        let missed = |schedule: &Schedule| -> Vec<(usize, Day)> {
            schedule.conflicts.iter().map(|conflict| (conflict.task, conflict.expected)).collect()
        };
        assert_eq!(before.conflicts.is_empty(), !negative_float(&before), "seed {seed}");
        for index in (0..plan.tasks.len()).filter(|index| plan.tasks[*index].duration > 0) {
            let Some(dates) = before.tasks[index].filter(|dates| dates.total_float >= 0) else { continue };
            let project = plan.tasks[index].project;
            let late = |days: i32| {
                let slipped = delayed(&plan, &dates, index, days).map(|plan| schedule(&plan));
                slipped.is_some_and(|slipped| {
                    last_of(&slipped, project) > last_of(&before, project)
                        || missed(&slipped) != missed(&before)
                })
            };
            let context =
                || format!("seed {seed} task {index}\n{}", crate::generate::describe(&plan, &before));
            // Another project's limits and finish do not count into this one's float.
            let own = plan.projects.len() == 1;
            assert!(!own || !late(dates.total_float), "{}", context());
            // A limit that is missed anyway bounds floats without moving.
            if !before.conflicts.is_empty() {
                continue;
            }
            let one_more = late(dates.total_float + 1);
            assert!(!own || one_more, "{}", context());
            counts[usize::from(one_more)] += 1;
        }
    }
    assert!(counts[1] > 10 * counts[0], "{counts:?}");
}

fn negative_float(schedule: &Schedule) -> bool {
    schedule.tasks.iter().flatten().any(|dates| dates.total_float < 0)
}

#[test]
fn a_start_that_nobody_recorded_still_holds_across_calendars() {
    // Half of ten days is done, on the 12th; B starts with A, works on Saturdays too, and ends on the 28th.
    let mut plan = Network {
        projects: vec![planwright_engine::ProjectFrame {
            data_date: Some(crate::generate::START.plus(7)),
            ..planwright_engine::ProjectFrame::starting(crate::generate::START)
        }],
        calendars: vec![Calendar::weekly(0b011_1111)],
        tasks: vec![planwright_engine::Task::new(1, 10), planwright_engine::Task::new(2, 15)],
        links: vec![Link { kind: LinkKind::StartToStart, ..Link::new(0, 1) }],
        ..Network::default()
    };
    plan.tasks[0].percent_complete = 50.0;
    plan.tasks[1].calendar = Some(0);
    let result = schedule(&plan);
    assert_eq!(result.finish, Day::from_ymd(2026, 1, 28));
    // A began on the 5th at the earliest and may have begun on the 12th; by its own finish it had 8 days.
    assert_eq!(result.tasks[0].map(|dates| (dates.total_float, dates.free_float)), Some((5, 5)));
}

#[test]
fn all_rows_together_may_stand_at_their_late_dates() {
    let corners = Corners { projects: 1, tasks: 14, mixed_calendars: true, progress: false, summaries: true };
    let mut moved = 0u64;
    for seed in cases(600_000, 4_000) {
        let plan = crate::generate::network(&mut Dice::new(seed), corners);
        let before = schedule(&plan);
        let mut late = plan.clone();
        for (index, dates) in before.tasks.iter().enumerate() {
            let Some(dates) = dates.filter(|_| !is_summary(&plan, index) && plan.tasks[index].duration > 0)
            else {
                continue;
            };
            late.tasks[index].planned_start = Some(dates.late_start);
            moved += u64::from(dates.total_float > 0);
        }
        let after = schedule(&late);
        assert_eq!(after.finish, before.finish, "seed {seed}\n{}", crate::generate::describe(&plan, &before));
    }
    assert!(moved > crate::generate::share_of(4_000), "{moved}");
}

#[test]
fn on_one_calendar() {
    run(Corners { projects: 1, tasks: 14, mixed_calendars: false, progress: false, summaries: false }, 0);
}

#[test]
fn on_mixed_calendars() {
    run(
        Corners { projects: 1, tasks: 14, mixed_calendars: true, progress: false, summaries: false },
        100_000,
    );
}

#[test]
fn with_progress_on_mixed_calendars() {
    run(Corners { projects: 1, tasks: 14, mixed_calendars: true, progress: true, summaries: false }, 200_000);
}

#[test]
fn in_programs_with_summaries_and_progress() {
    run(Corners { projects: 3, tasks: 14, mixed_calendars: true, progress: true, summaries: true }, 300_000);
}
