//! An edited plan gives exactly the same answers as a new computation of the edited network, and it reports every row
//! that changed.

use crate::generate::{Corners, Dice, START, cases};
use planwright_engine::{
    CompiledPlan, Constraint, Day, Edit, LagUnit, Link, LinkKind, Named, Network, Task, UnknownPosition,
    schedule,
};

const SEQUENCES: u64 = 10_000;
const EDITS: i32 = 6;

fn day(dice: &mut Dice) -> Option<Day> {
    dice.chance(70).then(|| START.plus(dice.between(0, 30)))
}

fn link(dice: &mut Dice, count: i32) -> Link {
    let kind = dice.pick(&[
        LinkKind::FinishToStart,
        LinkKind::FinishToStart,
        LinkKind::StartToStart,
        LinkKind::FinishToFinish,
        LinkKind::StartToFinish,
    ]);
    let lag_unit = dice.pick(&[LagUnit::Working, LagUnit::Working, LagUnit::Elapsed, LagUnit::Percent]);
    let lag = if lag_unit == LagUnit::Percent { dice.between(-50, 150) } else { dice.between(-3, 4) };
    let (one, other) = (dice.between(0, count), dice.between(0, count));
    // Mostly forwards; the rest makes cycles, links to nowhere and links of a row with itself.
    let (from, to) = if dice.chance(95) { (one.min(other), one.max(other)) } else { (one, other) };
    Link { kind, lag, lag_unit, ..Link::new(from as usize, to as usize) }
}

fn row(dice: &mut Dice, plan: &Network, parent: bool) -> Task {
    let id = if dice.chance(97) { u128::from(dice.next()) } else { plan.tasks.first().map_or(1, |t| t.id) };
    let duration = if dice.chance(20) { 0 } else { dice.between(1, 9) };
    let count = plan.tasks.len() as i32;
    let mut row = Task { planned_start: day(dice), ..Task::new(id, duration) };
    row.project = dice.between(0, plan.projects.len() as i32 - 1) as usize;
    if dice.chance(20) {
        row.calendar = Some(dice.between(0, 3) as usize);
    }
    if parent && dice.chance(30) {
        row.parent = Some(dice.between(0, count) as usize);
    }
    row
}

fn constraint(dice: &mut Dice) -> Option<Constraint> {
    let day = START.plus(dice.between(0, 30));
    dice.chance(80).then(|| {
        dice.pick(&[
            Constraint::StartNoEarlierThan(day),
            Constraint::StartNoLaterThan(day),
            Constraint::FinishNoEarlierThan(day),
            Constraint::FinishNoLaterThan(day),
            Constraint::MustStartOn(day),
            Constraint::FinishOn(day),
            Constraint::AsLateAsPossible,
        ])
    })
}

fn random_edit(dice: &mut Dice, plan: &Network, corners: Corners) -> Edit {
    let count = plan.tasks.len() as i32;
    let task = dice.between(0, (count - 1).max(0)) as usize;
    let some_link = dice.between(0, (plan.links.len() as i32 - 1).max(0)) as usize;
    match dice.between(0, if corners.progress { 13 } else { 10 }) {
        0 | 1 => Edit::Duration { task, days: dice.between(0, 9) },
        2 => Edit::PlannedStart { task, day: day(dice) },
        3 => Edit::Constraint { task, constraint: constraint(dice) },
        4 => Edit::Deadline { task, day: day(dice) },
        5 => Edit::Lag { link: some_link, lag: dice.between(-3, 4) },
        6 | 7 => Edit::AddLink(link(dice, count)),
        8 => Edit::RemoveLink(some_link),
        9 => Edit::AddTask(Box::new(row(dice, plan, corners.summaries))),
        10 if dice.chance(70) => Edit::RemoveTask(task),
        10 => Edit::Row { task, row: Box::new(row(dice, plan, corners.summaries)) },
        11 => Edit::DataDate { project: 0, day: day(dice) },
        _ => {
            let actual_start = day(dice);
            let actual_finish =
                actual_start.filter(|_| dice.chance(30)).map(|day| day.plus(dice.between(0, 9)));
            let percent_complete = f64::from(dice.between(0, 10)) * 10.0;
            Edit::Progress { task, percent_complete, actual_start, actual_finish }
        }
    }
}

/// Numbers and dates at the ends of their ranges and beyond.
fn wild_edit(dice: &mut Dice, plan: &Network) -> Edit {
    let task = dice.between(0, plan.tasks.len() as i32) as usize;
    let link = dice.between(0, plan.links.len() as i32) as usize;
    let number = dice.pick(&[i32::MIN, -400_000, -366_000, -1, 0, 1, 7, 366_000, 400_000, i32::MAX]);
    let far = Some(Day(number));
    match dice.between(0, 7) {
        0 => Edit::Duration { task, days: number },
        1 => Edit::PlannedStart { task, day: far },
        2 => Edit::Constraint { task, constraint: Some(Constraint::FinishNoLaterThan(Day(number))) },
        3 => Edit::Deadline { task, day: far },
        4 => Edit::Lag { link, lag: number },
        5 => Edit::DataDate { project: 0, day: far },
        6 => {
            let percent_complete = dice.pick(&[f64::NAN, -1.0, 1e300, 99.999_999, 100.0]);
            Edit::Progress { task, percent_complete, actual_start: far, actual_finish: None }
        }
        _ => Edit::AddLink(Link { lag: number, ..Link::new(task, usize::MAX - link) }),
    }
}

#[test]
fn wild_edits_do_no_harm() {
    let corners = Corners { projects: 2, tasks: 10, mixed_calendars: true, progress: true, summaries: true };
    for seed in cases(50_000, 1_000) {
        let mut dice = Dice::new(seed);
        let mut plan = CompiledPlan::new(crate::generate::network(&mut dice, corners));
        for step in 0..8 {
            let wild = dice.chance(60);
            let edit = match wild {
                true => wild_edit(&mut dice, plan.network()),
                false => random_edit(&mut dice, plan.network(), corners),
            };
            let text = format!("seed {seed} step {step}: {edit:?}");
            if plan.edit(edit).is_ok() {
                assert_eq!(plan.schedule(), schedule(plan.network()), "{text}");
            }
        }
    }
}

fn run(corners: Corners, from: u64) {
    let (mut edits, mut rebuilt, mut rows, mut touched) = (0u32, 0u32, 0usize, 0usize);
    for seed in cases(from, SEQUENCES / 4) {
        let mut dice = Dice::new(seed);
        let mut plan = crate::generate::network(&mut dice, corners);
        plan.options.honour_dates = seed % 3 == 0;
        let mut plan = CompiledPlan::new(plan);
        for step in 0..EDITS {
            let edit = random_edit(&mut dice, plan.network(), corners);
            let before = plan.schedule();
            let text = format!("seed {seed} step {step}: {edit:?}");
            let Ok(changes) = plan.edit(edit) else { continue };
            let wanted = schedule(plan.network());
            let context = || format!("{text}\n{}", crate::generate::describe(plan.network(), &wanted));
            let found = plan.schedule();
            let mut refreshed = before.clone();
            plan.refresh(&mut refreshed, &changes);
            assert_eq!(refreshed, wanted, "{}", context());
            assert_eq!(found.tasks, wanted.tasks, "{}", context());
            assert_eq!(found.links, wanted.links, "{}", context());
            assert_eq!(found, wanted, "{}", context());
            for (index, dates) in wanted.tasks.iter().enumerate() {
                assert_eq!(plan.task(index), *dates, "{}", context());
                if changes.tasks.binary_search(&index).is_err() {
                    assert_eq!(before.tasks.get(index), Some(dates), "row {index}: {}", context());
                }
            }
            edits += 1;
            rebuilt += u32::from(changes.rebuilt);
            if !changes.rebuilt {
                rows += wanted.tasks.len();
                touched += changes.tasks.len();
            }
        }
    }
    println!("{edits} edits, {rebuilt} rebuilt, {touched} of {rows} rows touched otherwise");
    assert!(rebuilt < edits / if corners.summaries { 1 } else { 2 }, "{rebuilt} of {edits} edits rebuilt");
}

#[test]
fn on_one_calendar() {
    run(Corners { projects: 1, tasks: 14, mixed_calendars: false, progress: false, summaries: false }, 0);
}

#[test]
fn on_mixed_calendars_in_programs() {
    run(Corners { projects: 3, tasks: 14, mixed_calendars: true, progress: false, summaries: false }, 10_000);
}

#[test]
fn with_progress() {
    run(Corners { projects: 2, tasks: 14, mixed_calendars: true, progress: true, summaries: false }, 20_000);
}

#[test]
fn with_summaries_and_progress() {
    run(Corners { projects: 3, tasks: 14, mixed_calendars: true, progress: true, summaries: true }, 30_000);
}

#[test]
fn an_edit_that_moves_the_finish_says_nothing_of_finished_work() {
    let mut plan = Network {
        projects: vec![planwright_engine::ProjectFrame::starting(START)],
        tasks: (1..4).map(|id| Task::new(id, 3)).collect(),
        ..Network::default()
    };
    (plan.tasks[0].actual_start, plan.tasks[0].actual_finish) = (Some(START), Some(START.plus(1)));
    for late in [None, Some(Constraint::AsLateAsPossible)] {
        plan.tasks[1].constraint = late;
        let mut kept = CompiledPlan::new(plan.clone());
        let changes = kept.edit(Edit::Duration { task: 2, days: 8 });
        assert_eq!(changes.map(|changes| changes.tasks), Ok(vec![1, 2]));
    }
}

#[test]
fn honoured_dates_outlive_edits_of_other_rows() {
    let mut plan = Network {
        projects: vec![planwright_engine::ProjectFrame::starting(START)],
        tasks: (1..4).map(|id| Task::new(id, 3)).collect(),
        links: vec![Link::new(0, 1)],
        ..Network::default()
    };
    plan.options.honour_dates = true;
    for row in &mut plan.tasks[1..] {
        row.constraint = Some(Constraint::StartNoLaterThan(START.plus(1)));
    }
    let mut kept = CompiledPlan::new(plan);
    for edit in [
        Edit::Duration { task: 2, days: 5 },
        Edit::Duration { task: 0, days: 4 },
        Edit::Constraint { task: 1, constraint: Some(Constraint::StartNoLaterThan(START.plus(2))) },
        Edit::Constraint { task: 1, constraint: None },
    ] {
        assert!(kept.edit(edit).is_ok_and(|changes| !changes.rebuilt));
        assert_eq!(kept.schedule(), schedule(kept.network()));
    }
}

#[test]
fn edits_of_what_is_not_there_change_nothing() {
    let mut plan = CompiledPlan::new(Network::default());
    for edit in [
        Edit::Duration { task: 0, days: 1 },
        Edit::RemoveTask(0),
        Edit::RemoveLink(0),
        Edit::Lag { link: 3, lag: 1 },
        Edit::DataDate { project: 0, day: None },
    ] {
        assert!(plan.edit(edit).is_err());
    }
    let unknown = UnknownPosition { named: Named::Link, position: 3, count: 0 };
    assert_eq!(plan.edit(Edit::Lag { link: 3, lag: 1 }), Err(unknown));
    assert_eq!(unknown.to_string(), "the edit names link 3, and the plan has 0, counted from 0");
    assert_eq!(plan.task(0), None);
    assert!(plan.edit(Edit::AddLink(Link::new(0, 1))).is_ok());
    assert_eq!(plan.schedule(), schedule(plan.network()));
}

#[test]
fn a_compiled_plan_says_how_much_memory_it_takes() {
    let chain = |calendars: usize, projects: usize| {
        let count = 10_000;
        let row = |index: usize| Task {
            project: index % projects,
            calendar: Some(index % calendars),
            ..Task::new(index as u128, 3)
        };
        let plan = Network {
            projects: vec![planwright_engine::ProjectFrame::starting(START); projects],
            calendars: [0b001_1111, 0b011_1111].map(planwright_engine::Calendar::weekly).to_vec(),
            tasks: (0..count).map(row).collect(),
            links: (1..count).map(|to| Link::new(to - 1, to)).collect(),
            ..Network::default()
        };
        CompiledPlan::new(plan).bytes() / count
    };
    assert_eq!((chain(1, 1), chain(2, 1)), (144, 152));
    // What a program adds: a late pass against its last finish, and late starts of each project alone.
    assert_eq!(chain(1, 2), 144 + 32 + 4);
}
