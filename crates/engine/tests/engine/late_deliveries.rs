//! The slip property with everything at once. A row is delayed by a late delivery: a milestone in another project
//! with a link to the row. No limit, calendar or progress of the row has to change.

use crate::everything::{ALL, Mix, everything, is_summary};
use crate::generate::{Corners, Dice, START, cases, describe};
use crate::naive::above;
use crate::slip::{calendar_of, last_of, nth_working};
use planwright_engine::{
    Calendar, Conflict, ConflictKind, Constraint, Day, Link, LinkKind, Network, Progress, ProgressMode,
    ProjectFrame, Schedule, Task, TaskDates, schedule,
};

const PLANS: u64 = 20_000;

/// How many leaves were delayed, and why others were not.
#[derive(Debug, Default)]
struct Counts {
    by_total: u32,
    a_day_more: u32,
    by_free: u32,
    a_day_more_than_free: u32,
    finished: u32,
    /// Begun and heeding no predecessor, or held by a date that wins over logic: no delivery delays it.
    deaf: u32,
    negative: u32,
}

/// A delivery to a row at the end of a day; a day that everybody works.
fn delivered(plan: &Network, row: usize, day: Day) -> Network {
    let mut plan = plan.clone();
    let (project, calendar) = (plan.projects.len(), plan.calendars.len());
    plan.calendars.push(Calendar::weekly(0b111_1111));
    let early = START.plus(-1_000);
    plan.projects.push(ProjectFrame { calendar: Some(calendar), ..ProjectFrame::starting(early) });
    let constraint = Some(Constraint::FinishNoEarlierThan(day));
    plan.tasks.push(Task { project, constraint, ..Task::new(u128::MAX, 0) });
    plan.links.push(Link::new(plan.tasks.len() - 1, row));
    plan
}

/// The plan with the rest of a row's work some working days later; `None` where no delivery can do that.
fn later(plan: &Network, index: usize, dates: &TaskDates, days: i32) -> Option<Network> {
    let task = &plan.tasks[index];
    let begun = dates.progress == Progress::InProgress;
    let wins = above(plan, index).enumerate().any(|(place, limited)| match limited.constraint {
        Some(Constraint::FinishNoLaterThan(_) | Constraint::MustFinishOn(_)) => true,
        Some(Constraint::StartNoLaterThan(_) | Constraint::MustStartOn(_)) => place == 0,
        _ => false,
    });
    if begun && plan.options.progress != ProgressMode::RetainedLogic
        || !begun && wins && plan.options.honour_dates
    {
        return None;
    }
    let calendar = calendar_of(plan, index);
    let point = task.duration == 0;
    if days == 0 {
        return Some(plan.clone());
    }
    // The day at whose end the delivery comes: a point goes to the end of its n-th working day.
    let day = match point {
        true => nth_working(&calendar, dates.early_start, days - i32::from(!dates.falls_at_day_end)),
        false => nth_working(&calendar, dates.early_start, days).plus(-1),
    };
    Some(delivered(plan, index, day))
}

/// Whether a limit is missed that was kept before, or further than before. No row alone answers for the start of a
/// summary.
fn is_worse(plan: &Network, before: &Schedule, after: &Schedule) -> bool {
    let known = |one: &Conflict| {
        let same = |other: &&Conflict| (other.task, other.kind) == (one.task, one.kind);
        // A summary that is finished too early comes nearer to its date.
        before.conflicts.iter().find(same).is_some_and(|other| one.expected <= other.expected.max(one.wanted))
    };
    let of_row =
        |conflict: &&Conflict| conflict.kind != ConflictKind::Start || !is_summary(plan, conflict.task);
    after.conflicts.iter().filter(of_row).any(|conflict| !known(conflict))
}

/// Where a date holds a row against logic, what pushes against it misses nothing but shows it.
fn lacks_time(schedule: &Schedule) -> usize {
    schedule.tasks.iter().flatten().filter(|dates| dates.total_float < 0).count()
}

/// Early places of all leaves but one, and but those that follow their successors.
fn places(plan: &Network, schedule: &Schedule, index: usize) -> Vec<Option<(Day, Day, bool)>> {
    let place = |dates: TaskDates| (dates.early_start, dates.early_finish, dates.falls_at_day_end);
    let lazy = |row: &usize| {
        above(plan, *row).any(|limited| limited.constraint == Some(Constraint::AsLateAsPossible))
    };
    let others = (0..plan.tasks.len()).filter(|row| *row != index && !is_summary(plan, *row) && !lazy(row));
    others.map(|row| schedule.tasks[row].map(place)).collect()
}

fn check(plan: &Network, first_of_many: bool, context: &str, counts: &mut Counts) {
    let before = schedule(plan);
    for index in (0..plan.tasks.len()).filter(|index| !is_summary(plan, *index)) {
        let dates = before.tasks[index].expect("nothing is wrong with the row");
        let say = |what: &str| format!("{context}, task {index}: {what}\n{}", describe(plan, &before));
        let (total, free) = (dates.total_float, dates.free_float);
        if dates.progress == Progress::Complete {
            counts.finished += 1;
            assert!((total, free, dates.critical) == (0, 0, false), "{}", say("finished work has float"));
            continue;
        }
        assert!(free <= total && dates.critical == (total <= 0), "{}", say("free float or criticality"));
        assert!(free >= total.min(0), "{}", say("free float is less than none"));
        if total < 0 {
            counts.negative += 1;
            let wins = plan.options.honour_dates;
            assert!(wins || !before.conflicts.is_empty(), "{}", say("negative float without a missed limit"));
            continue;
        }
        let after = |days| later(plan, index, &dates, days).map(|plan| schedule(&plan));
        let Some(slipped) = after(total) else {
            counts.deaf += 1;
            continue;
        };
        counts.by_total += 1;
        let project = plan.tasks[index].project;
        let finish = |schedule: &Schedule| last_of(schedule, project);
        assert_eq!(finish(&slipped), finish(&before), "{}", say("total float moves the finish"));
        assert!(!is_worse(plan, &before, &slipped), "{}", say("total float misses a limit"));
        if let Some(slipped) = after(free).filter(|_| free >= 0) {
            counts.by_free += 1;
            let same = places(plan, &slipped, index) == places(plan, &before, index);
            assert!(same, "{}", say("free float moves another row"));
        }
        // A limit that is missed anyway bounds floats without moving; the first of several rows may move
        // on where each of them alone could slip further.
        if first_of_many || !before.conflicts.is_empty() || lacks_time(&before) > 0 {
            continue;
        }
        let moved = after(total + 1).expect("delayed before");
        let noticed =
            finish(&moved) > finish(&before) || is_worse(plan, &before, &moved) || lacks_time(&moved) > 0;
        counts.a_day_more += u32::from(noticed);
        assert!(noticed, "{}", say("a day more than total float"));
        if free < total {
            let moved = after(free + 1).expect("delayed before");
            let seen = places(plan, &moved, index) != places(plan, &before, index);
            counts.a_day_more_than_free += u32::from(seen);
            let lazy = plan.tasks.iter().any(|task| task.constraint == Some(Constraint::AsLateAsPossible));
            assert!(seen || lazy || lacks_time(&moved) > 0, "{}", say("a day more than free float"));
        }
    }
}

fn run(mix: Mix, from: u64, plans: u64) -> Counts {
    let mut counts = Counts::default();
    for seed in cases(from, plans) {
        let plan = everything(&mut Dice::new(seed), mix);
        check(&plan, mix.first_of_many, &format!("seed {seed}"), &mut counts);
    }
    println!("{counts:?}");
    assert!(counts.by_total > 4 * counts.deaf, "most open rows can be delayed: {counts:?}");
    assert!(counts.by_free > counts.by_total / 2, "{counts:?}");
    counts
}

#[test]
fn with_everything_at_once() {
    let counts = run(ALL, 7_000_000, PLANS / 2);
    assert!(counts.negative > counts.by_total / 20 && counts.finished > 0, "{counts:?}");
}

#[test]
fn with_limits_that_are_mostly_kept() {
    let corners = Corners { projects: 1, ..ALL.corners };
    let counts = run(Mix { corners, limits: 8, lazy: 5, ..ALL }, 8_000_000, PLANS / 8);
    assert!(counts.a_day_more > counts.by_total / 3 && counts.a_day_more_than_free > 0, "{counts:?}");
}

#[test]
fn where_the_first_of_many_holds_what_follows() {
    run(Mix { first_of_many: true, ..ALL }, 9_000_000, PLANS / 8);
}

/// A day less of work for each day that a deadline is missed by meets it, and not a day less than that.
#[test]
fn work_that_is_shorter_by_its_negative_float_meets_the_deadline() {
    let corners = Corners { projects: 1, progress: false, summaries: false, ..ALL.corners };
    let mut met = 0u64;
    for seed in cases(9_500_000, PLANS / 8) {
        let mut dice = Dice::new(seed);
        let mut plan = everything(&mut dice, Mix { corners, limits: 0, lazy: 0, honour: false, ..ALL });
        let index = dice.between(0, plan.tasks.len() as i32 - 1) as usize;
        let fixed = |link: &Link| {
            let held = matches!(link.kind, LinkKind::FinishToFinish | LinkKind::StartToFinish);
            link.successor == index && held
        };
        let free = schedule(&plan).tasks[index].expect("nothing is wrong with the row");
        if plan.links.iter().any(fixed) || plan.tasks[index].duration < 2 {
            continue;
        }
        let days = dice.between(1, plan.tasks[index].duration - 1);
        let calendar = calendar_of(&plan, index);
        // The deadline on the working day that lies so many before its last.
        let mut deadline = free.early_finish;
        for _ in 0..days {
            deadline = deadline.plus(-1);
            while !calendar.is_working(deadline) {
                deadline = deadline.plus(-1);
            }
        }
        plan.tasks[index].deadline = Some(deadline);
        let missed = schedule(&plan);
        let say = || format!("seed {seed} task {index}\n{}", describe(&plan, &missed));
        assert_eq!(missed.tasks[index].map(|dates| dates.total_float), Some(-days), "{}", say());
        assert_eq!(missed.conflicts.len(), 1, "{}", say());
        // What leads to it lacks as much as it lacks itself, if it drives it.
        let shorter = |by: i32| {
            let mut plan = plan.clone();
            plan.tasks[index].duration -= by;
            let result = schedule(&plan);
            (result.conflicts.len(), result.tasks[index].map(|dates| dates.total_float.min(0)))
        };
        assert_eq!(shorter(days), (0, Some(0)), "{}", say());
        assert_eq!(shorter(days - 1), (1, Some(-1)), "{}", say());
        met += 1;
    }
    assert!(met > crate::generate::share_of(PLANS / 8) / 5, "{met}");
}
