//! Every input gives a schedule: no panic, no dependence on the order of rows, and no project that changes because of
//! an unrelated one.

use crate::generate::{Corners, Dice, START, cases};
use planwright_engine::{
    Calendar, CalendarException, CompiledPlan, Constraint, Correlation, Day, DoneWork, Edit, Fault,
    GroupFactor, InvalidTask, LagCalendar, LagUnit, Link, LinkKind, Network, ProgressMode, ProjectFrame,
    Quantity, Records, RiskEvent, Shape, SimulationOptions, Task, ThreePoint, Velocity, explain, float_paths,
    quality, schedule, simulate,
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

fn wild_number(dice: &mut Dice) -> f64 {
    dice.pick(&[0.0, 0.3, 1.0, 4.5, 9.0, 366_000.0, 1e-300, 1e9, 1e300, f64::NAN, -1.0, f64::INFINITY])
}

fn wild_estimate(dice: &mut Dice) -> ThreePoint {
    let [one, other, last] = [wild_number(dice), wild_number(dice), wild_number(dice)];
    ThreePoint { optimistic: one, most_likely: other, pessimistic: last }
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
    task.estimate = dice.chance(60).then(|| wild_estimate(dice));
    task.story_points = dice.chance(40).then(|| wild_number(dice));
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
        lag_calendar: dice.chance(50).then(|| {
            dice.pick(&[
                LagCalendar::Successor,
                LagCalendar::Predecessor,
                LagCalendar::Project,
                LagCalendar::Elapsed,
            ])
        }),
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
            velocity: dice.chance(50).then(|| Velocity {
                samples: (0..dice.between(0, 3)).map(|_| wild_number(dice)).collect(),
                sprint_days: extreme(dice),
            }),
            ..ProjectFrame::starting(if dice.chance(10) { Day(extreme(dice)) } else { START })
        })
        .collect();
    let count = dice.between(0, 40);
    let tasks = (0..count).map(|_| wild_task(dice, count)).collect();
    let links = (0..dice.between(0, 120)).map(|_| wild_link(dice, count)).collect();
    let mut plan = Network { projects, calendars, tasks, links, ..Network::default() };
    plan.options.honour_dates = dice.chance(50);
    plan.options.progress =
        dice.pick(&[ProgressMode::RetainedLogic, ProgressMode::ProgressOverride, ProgressMode::ActualDates]);
    plan.options.done_work = dice.pick(&[DoneWork::CutsLogic, DoneWork::Retained]);
    plan
}

fn wild_options(dice: &mut Dice, plan: &Network) -> SimulationOptions {
    let anywhere = |dice: &mut Dice| dice.between(0, plan.tasks.len() as i32) as usize;
    let groups = (0..dice.between(0, 2))
        .map(|_| GroupFactor { tasks: vec![anywhere(dice), usize::MAX], weight: wild_number(dice) })
        .collect();
    let risks = (0..dice.between(0, 3))
        .map(|id| RiskEvent {
            id: id as u128,
            probability: wild_number(dice),
            impacts: vec![(anywhere(dice), wild_estimate(dice)), (anywhere(dice), wild_estimate(dice))],
        })
        .collect();
    SimulationOptions {
        runs: dice.pick(&[0, 1, 17, 40]),
        seed: dice.next(),
        shape: dice.pick(&[Shape::Pert, Shape::Triangular]),
        correlation: Correlation { systemic: wild_number(dice), groups },
        risks,
        threads: dice.pick(&[0, 1, usize::MAX]),
    }
}

#[test]
fn nothing_makes_it_panic() {
    for seed in cases(0, 600) {
        let mut dice = Dice::new(seed);
        let plan = wild(&mut dice);
        let result = schedule(&plan);
        assert_eq!((result.tasks.len(), result.links.len()), (plan.tasks.len(), plan.links.len()));
        for fault in &result.faults {
            assert!(!fault.to_string().is_empty());
        }
        let options = wild_options(&mut dice, &plan);
        let forecast = simulate(&plan, &options);
        assert_eq!((forecast.tasks.len(), forecast.runs), (plan.tasks.len(), options.runs.max(1)));
        for finish in forecast.finish.iter().chain(forecast.projects.iter().flatten()) {
            let low = finish.percentile(-1.0);
            assert!(low <= finish.percentile(80.0) && finish.percentile(f64::NAN) <= finish.percentile(1e9));
            assert!(finish.mean_days.is_finite() && finish.histogram(0).len() == 1);
            assert_eq!(finish.s_curve().last().map(|point| point.share), Some(1.0));
        }
    }
}

#[test]
fn nothing_that_is_asked_of_a_plan_makes_it_panic() {
    for seed in cases(10_000, 100) {
        let mut dice = Dice::new(seed);
        let plan = wild(&mut dice);
        let result = schedule(&plan);
        for task in [0, plan.tasks.len() / 2, plan.tasks.len(), usize::MAX] {
            for quantity in [Quantity::Early, Quantity::Late, Quantity::Free] {
                let named = plan.tasks.iter().any(|row| row.parent == Some(task));
                let scheduled = result.tasks.get(task).copied().flatten().is_some();
                let explained = explain(&plan, task, quantity).is_some();
                assert!(explained == scheduled || named && scheduled, "seed {seed} row {task}");
            }
            float_paths(&plan, task, 3);
        }
        let records = Records {
            baseline_finish: plan.tasks.iter().map(|_| wild_day(&mut dice)).collect(),
            has_resources: vec![true; dice.between(0, 5) as usize],
        };
        assert_eq!(quality(&plan, &result, &records).checks.len(), 14);
        let mut kept = CompiledPlan::new(plan);
        assert_eq!(kept.schedule(), result, "seed {seed}");
        let rows: Vec<_> = (0..result.tasks.len()).map(|task| kept.task(task)).collect();
        assert_eq!(rows, result.tasks, "seed {seed}");
        let row = wild_task(&mut dice, kept.network().tasks.len() as i32);
        kept.edit(Edit::AddTask(Box::new(row))).ok();
        assert_eq!(kept.schedule(), schedule(kept.network()), "seed {seed}");
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

/// The corners of every number and list at once, on plans so small that all of them meet.
#[test]
fn absurd_plans_get_an_answer() {
    let nothing = schedule(&Network::default());
    assert_eq!((nothing.start, nothing.finish, nothing.faults.len()), (None, None, 0));
    let homeless =
        Network { tasks: vec![Task::new(1, 3)], links: vec![Link::new(0, 0)], ..Network::default() };
    let result = schedule(&homeless);
    assert!(matches!(result.faults[0], Fault::InvalidTask { reason: InvalidTask::UnknownProject(_), .. }));
    assert_eq!(result.tasks, [None]);
    for (one, other) in [(i32::MIN, i32::MAX), (i32::MAX, i32::MIN), (0, i32::MAX), (i32::MIN, 0)] {
        let exceptions =
            [true, false].map(|working| CalendarException { first: Day(one), last: Day(other), working });
        let plan = Network {
            projects: vec![
                ProjectFrame {
                    data_date: Some(Day(other)),
                    calendar: Some(9),
                    ..ProjectFrame::starting(Day(one))
                },
                ProjectFrame { calendar: Some(0), ..ProjectFrame::starting(START) },
            ],
            calendars: vec![
                Calendar { working_weekdays: 1, exceptions: exceptions.to_vec() },
                Calendar { working_weekdays: 0x80, exceptions: Vec::new() },
            ],
            tasks: vec![
                Task {
                    project: 1,
                    calendar: Some(usize::MAX),
                    parent: Some(usize::MAX),
                    ..Task::new(1, 366_000)
                },
                Task { project: 1, calendar: Some(1), parent: Some(1), ..Task::new(2, 0) },
                Task { project: 1, percent_complete: f64::NAN, ..Task::new(3, 1) },
                Task {
                    project: 1,
                    percent_complete: -0.0,
                    deadline: Some(Day(4_000_000)),
                    ..Task::new(4, 366_000)
                },
                Task { project: usize::MAX, ..Task::new(5, 1) },
                Task::new(6, i32::MIN),
            ],
            links: vec![
                Link { lag: 366_000, lag_unit: LagUnit::Percent, ..Link::new(0, 3) },
                Link { lag: -366_000, kind: LinkKind::StartToFinish, ..Link::new(0, 3) },
                Link { lag: i32::MIN, ..Link::new(0, 3) },
                Link::new(usize::MAX, 0),
                Link::new(2, usize::MAX),
            ],
            ..Network::default()
        };
        let result = schedule(&plan);
        let taken = [0, 3].map(|task: usize| result.tasks[task].is_some());
        assert_eq!(taken, [true, true], "{one} {other}");
        assert_eq!([2, 4, 5].map(|task: usize| result.tasks[task]), [None; 3]);
        let records = Records { baseline_finish: vec![Some(Day(one)); 3], has_resources: vec![false] };
        assert_eq!(quality(&plan, &result, &records).checks.len(), 14);
        assert!(quality(&plan, &nothing, &records).checks.iter().all(|check| check.population == 0));
        let calendar = &plan.calendars[0];
        assert!(calendar.working_days(Day(one), Day(other)) >= 0);
        calendar.with_overlays(&plan.calendars).is_working(Day(other));
        assert_eq!(simulate(&plan, &SimulationOptions { runs: 3, ..SimulationOptions::default() }).runs, 3);
    }
    let stretched = Day(i32::MAX).plus(i32::MAX).plus(i32::MIN);
    assert!(Day::from_ymd(i32::MAX, 12, 31).is_none());
    assert_eq!(stretched.to_string(), "1969-12-31");
}

#[test]
fn a_million_links_on_one_pair_are_as_good_as_the_longest() {
    let count = 1_000_000;
    let plan = Network {
        projects: vec![ProjectFrame::starting(START)],
        tasks: vec![Task::new(1, 5), Task::new(2, 1)],
        links: (0..count).map(|index| Link { lag: index % 8, ..Link::new(0, 1) }).collect(),
        ..Network::default()
    };
    let mut kept = CompiledPlan::new(plan);
    let driving = kept.schedule().links.iter().filter(|link| link.driving).count();
    assert_eq!(
        (driving, kept.schedule().tasks[0].map(|dates| dates.free_float)),
        (count as usize / 8, Some(0))
    );
    kept.edit(Edit::RemoveLink(7)).expect("there is such a link");
    assert_eq!(kept.schedule(), schedule(kept.network()));
}

#[test]
fn parents_in_circles_are_named_and_their_rows_scheduled() {
    let mut tasks: Vec<Task> = (0..4).map(|id| Task::new(id, 2)).collect();
    for (row, parent) in [(0, 1), (1, 2), (2, 0), (3, 2)] {
        tasks[row].parent = Some(parent);
    }
    let plan = Network {
        projects: vec![ProjectFrame::starting(START)],
        tasks,
        links: vec![Link::new(0, 3), Link::new(1, 1)],
        ..Network::default()
    };
    let result = schedule(&plan);
    assert!(result.faults.iter().any(|fault| matches!(fault, Fault::InvalidParent { .. })));
    assert!(result.tasks.iter().all(Option::is_some), "{result:?}");
}
