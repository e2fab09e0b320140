//! Whatever comes in, a schedule comes out: no panic, no dependence on the order of rows, and no
//! project that changes because another one stands beside it.

use crate::generate::{Corners, Dice, START, cases};
use planwright_engine::{
    Calendar, CalendarException, Constraint, Day, Fault, LagCalendar, LagUnit, Link, LinkKind, Network,
    ProjectFrame, SimulationOptions, Task, ThreePoint, schedule, simulate,
};

const CORNERS: Corners =
    Corners { projects: 1, tasks: 12, mixed_calendars: true, progress: true, summaries: true };

/// Two networks side by side.
fn beside(first: &Network, second: &Network) -> Network {
    let mut both = first.clone();
    let (projects, calendars, tasks) = (first.projects.len(), first.calendars.len(), first.tasks.len());
    both.calendars.extend(second.calendars.iter().cloned());
    both.projects.extend(second.projects.iter().cloned().map(|frame| ProjectFrame {
        calendar: frame.calendar.map(|calendar| calendar + calendars),
        ..frame
    }));
    both.tasks.extend(second.tasks.iter().map(|task| Task {
        project: task.project + projects,
        parent: task.parent.map(|parent| parent + tasks),
        calendar: task.calendar.map(|calendar| calendar + calendars),
        ..task.clone()
    }));
    both.links.extend(second.links.iter().map(|link| Link {
        predecessor: link.predecessor + tasks,
        successor: link.successor + tasks,
        ..*link
    }));
    both
}

#[test]
fn a_project_is_the_same_alone_and_in_a_program() {
    for seed in cases(0, 3_000) {
        let mut dice = Dice::new(seed);
        let plain = Corners { mixed_calendars: false, progress: false, ..CORNERS };
        let first = crate::generate::network(&mut dice, if seed % 2 == 0 { plain } else { CORNERS });
        let second = crate::generate::network(&mut dice, CORNERS);
        let alone = schedule(&first);
        let together = schedule(&beside(&first, &second));
        assert_eq!(alone.projects[0], together.projects[0], "seed {seed}");
        for (index, dates) in alone.tasks.iter().enumerate() {
            let wanted = dates.map(|dates| (dates.early_start, dates.late_finish, dates.free_float));
            let found =
                together.tasks[index].map(|dates| (dates.early_start, dates.late_finish, dates.free_float));
            assert_eq!(
                wanted,
                found,
                "seed {seed} task {index}\n{}",
                crate::generate::describe(&first, &alone)
            );
        }
    }
}

#[test]
fn the_order_of_rows_does_not_matter() {
    for seed in cases(0, 2_000) {
        let mut dice = Dice::new(seed);
        let plan = crate::generate::network(&mut dice, CORNERS);
        let count = plan.tasks.len();
        let mut mirrored = plan.clone();
        mirrored.tasks.reverse();
        mirrored.links.reverse();
        let turn = |index: usize| count - 1 - index;
        mirrored.tasks.iter_mut().for_each(|task| task.parent = task.parent.map(turn));
        for link in &mut mirrored.links {
            (link.predecessor, link.successor) = (turn(link.predecessor), turn(link.successor));
        }
        let (one, other) = (schedule(&plan), schedule(&mirrored));
        let broken = one.faults.iter().any(|fault| matches!(fault, Fault::Cycle { .. }));
        for index in (0..count).filter(|_| !broken) {
            assert_eq!(one.tasks[index], other.tasks[turn(index)], "seed {seed} task {index}");
        }
    }
}

fn extreme(dice: &mut Dice) -> i32 {
    dice.pick(&[i32::MIN, -400_000, -366_000, -1, 0, 1, 7, 36_525, 366_000, 400_000, i32::MAX])
}

fn wild_day(dice: &mut Dice) -> Option<Day> {
    let day = if dice.chance(50) { Day(extreme(dice)) } else { START.plus(dice.between(-40, 400)) };
    dice.chance(30).then_some(day)
}

fn wild_task(dice: &mut Dice, count: i32) -> Task {
    let duration = if dice.chance(20) { extreme(dice) } else { dice.between(0, 9) };
    let mut task = Task::new(u128::from(dice.next() % 500), duration);
    task.project = dice.between(0, 2) as usize;
    task.parent = dice.chance(40).then(|| dice.between(0, count) as usize);
    task.calendar = dice.chance(20).then(|| dice.between(0, 4) as usize);
    task.planned_start = wild_day(dice);
    task.actual_start = wild_day(dice);
    task.actual_finish = wild_day(dice);
    task.deadline = wild_day(dice);
    let mut leg = || dice.pick(&[0.0, 1.0, 4.5, 9.0, 1e9, f64::NAN, -1.0, f64::INFINITY]);
    task.estimate = Some(ThreePoint { optimistic: leg(), most_likely: leg(), pessimistic: leg() });
    task.percent_complete = dice.pick(&[0.0, 0.0, -0.0, 30.0, 99.999_999_999, 100.0, f64::NAN, -1.0]);
    task.constraint = wild_day(dice).map(|day| {
        dice.pick(&[
            Constraint::StartNoEarlierThan(day),
            Constraint::StartNoLaterThan(day),
            Constraint::FinishNoEarlierThan(day),
            Constraint::FinishNoLaterThan(day),
            Constraint::MustStartOn(day),
            Constraint::MustFinishOn(day),
            Constraint::StartOn(day),
            Constraint::FinishOn(day),
            Constraint::AsLateAsPossible,
        ])
    });
    task
}

fn wild_calendar(dice: &mut Dice) -> Calendar {
    let exceptions = (0..dice.between(0, 4))
        .map(|_| CalendarException {
            first: Day(extreme(dice)),
            last: Day(extreme(dice)),
            working: dice.chance(50),
        })
        .collect();
    Calendar { working_weekdays: dice.next() as u8, exceptions }
}

fn wild_link(dice: &mut Dice, count: i32) -> Link {
    Link {
        kind: dice.pick(&[
            LinkKind::FinishToStart,
            LinkKind::StartToStart,
            LinkKind::FinishToFinish,
            LinkKind::StartToFinish,
        ]),
        lag: if dice.chance(30) { extreme(dice) } else { 0 },
        lag_unit: dice.pick(&[LagUnit::Working, LagUnit::Elapsed, LagUnit::Percent]),
        ..Link::new(dice.between(0, count) as usize, dice.between(0, count) as usize)
    }
}

fn wild(dice: &mut Dice) -> Network {
    let calendars = (0..4).map(|_| wild_calendar(dice)).collect();
    let projects = (0..2)
        .map(|_| ProjectFrame {
            data_date: wild_day(dice),
            calendar: dice.chance(50).then(|| dice.between(0, 5) as usize),
            lag_calendar: dice.pick(&[LagCalendar::Predecessor, LagCalendar::Elapsed, LagCalendar::Project]),
            ..ProjectFrame::starting(if dice.chance(10) { Day(extreme(dice)) } else { START })
        })
        .collect();
    let count = dice.between(0, 40);
    let tasks = (0..count).map(|_| wild_task(dice, count)).collect();
    let links = (0..dice.between(0, 120)).map(|_| wild_link(dice, count)).collect();
    let mut plan = Network { projects, calendars, tasks, links, ..Network::default() };
    plan.options.honour_dates = dice.chance(50);
    plan
}

#[test]
fn nothing_makes_it_panic() {
    for seed in cases(0, 2_000) {
        let plan = wild(&mut Dice::new(seed));
        let result = schedule(&plan);
        assert_eq!((result.tasks.len(), result.links.len()), (plan.tasks.len(), plan.links.len()));
        for fault in &result.faults {
            assert!(!fault.to_string().is_empty());
        }
        let forecast = simulate(&plan, &SimulationOptions { runs: 17, ..SimulationOptions::default() });
        assert_eq!(forecast.tasks.len(), plan.tasks.len());
    }
}

#[test]
fn a_thick_knot_is_cut_in_reasonable_time() {
    let count = 300;
    let tasks = (0..count).map(|id| Task::new(id as u128, 1)).collect();
    let links = (0..count * count).map(|index| Link::new(index / count, index % count)).collect();
    let plan = Network { projects: vec![ProjectFrame::starting(START)], tasks, links, ..Network::default() };
    let result = schedule(&plan);
    assert!(!result.faults.is_empty() && result.tasks.iter().all(Option::is_some));
}

#[test]
fn a_deep_outline_and_a_long_chain_need_no_stack() {
    let count = 50_000;
    let mut tasks: Vec<Task> = (0..count).map(|id| Task::new(id as u128, 1)).collect();
    (1..count / 2).for_each(|index| tasks[index].parent = Some(index - 1));
    let mut links: Vec<Link> = (count / 2..count - 1).map(|index| Link::new(index, index + 1)).collect();
    links.push(Link::new(count - 1, 0));
    let plan = Network { projects: vec![ProjectFrame::starting(START)], tasks, links, ..Network::default() };
    let result = schedule(&plan);
    assert!(result.faults.is_empty());
    assert_eq!(result.tasks[0].map(|dates| dates.early_start), result.finish);
}
