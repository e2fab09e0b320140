//! Drag, checked by making work shorter and scheduling again; nearly critical work; and the longest path to a row.

use crate::generate::{Corners, Dice, START, cases, describe, network};
use planwright_engine::{
    Calendar, CompiledPlan, Drag, Link, LinkKind, Network, ProjectFrame, Schedule, Task, schedule,
};

/// Working days of the project's calendar up to where it ends.
fn worked(plan: &Network, schedule: &Schedule) -> i32 {
    let calendar = plan.projects[0].calendar.map_or(Calendar::default(), |at| plan.calendars[at].clone());
    let dates = &schedule.projects[0];
    let last = dates.finish.expect("something to do").plus(-i32::from(!dates.finish_at_day_end));
    calendar.working_days(START.plus(-40), last)
}

fn check(seed: u64, plan: &Network) -> usize {
    let before = schedule(plan);
    let drags = CompiledPlan::new(plan.clone()).drags(0);
    let drag_of =
        |task: usize| drags.iter().find(|drag| drag.task == task).map_or(0, |drag: &Drag| drag.days);
    for index in (0..plan.tasks.len()).filter(|index| plan.tasks[*index].duration > 1) {
        if plan.tasks.iter().any(|task| task.parent == Some(index)) {
            continue;
        }
        // As short as work can be; a milestone would lie on its own.
        let gained = |days: i32| {
            let mut shorter = plan.clone();
            shorter.tasks[index].duration -= days;
            worked(plan, &before) - worked(plan, &schedule(&shorter))
        };
        let (drag, most) = (drag_of(index), plan.tasks[index].duration - 1);
        let all = gained(most);
        let say = || format!("seed {seed} task {index}, drag {drag}, {all}\n{}", describe(plan, &before));
        assert!(all <= drag, "{}", say());
        // Where calendars differ the last day of work may be the one that counts.
        let one_calendar = plan.calendars.len() == 1;
        if one_calendar {
            assert_eq!(all, drag.min(most), "{}", say());
        }
        if one_calendar && drag <= most {
            assert_eq!(gained(drag), drag, "{}", say());
        }
    }
    drags.len()
}

fn simple(dice: &mut Dice, mixed_calendars: bool, kinds: &[LinkKind]) -> Network {
    let corners =
        Corners { projects: 1, tasks: 14, mixed_calendars, progress: false, summaries: mixed_calendars };
    let mut plan = network(dice, corners);
    for link in &mut plan.links {
        link.kind = dice.pick(kinds);
    }
    if !mixed_calendars {
        plan.calendars = vec![plan.calendars[0].clone()];
        plan.projects[0].lag_calendar = planwright_engine::LagCalendar::Successor;
        plan.links.iter_mut().for_each(|link| link.lag_unit = planwright_engine::LagUnit::Working);
        plan.tasks.iter_mut().for_each(|task| task.duration = task.duration.max(1));
    }
    plan
}

#[test]
fn shorter_work_brings_the_finish_forward_by_its_drag_and_no_more() {
    let mut found = 0;
    for seed in cases(30_000_000, 2_000) {
        let mut dice = Dice::new(seed);
        found += check(seed, &simple(&mut dice, false, &[LinkKind::FinishToStart, LinkKind::StartToStart]));
    }
    assert!(found > crate::generate::share_of(2_000) as usize, "{found}");
}

#[test]
fn on_mixed_calendars_no_work_gains_more_than_its_drag() {
    let mut found = 0;
    // In the last, all rows work on one calendar, and the project on another.
    for seed in cases(31_000_000, 1_000).chain([31_002_346]) {
        let mut dice = Dice::new(seed);
        found += check(seed, &simple(&mut dice, true, &[LinkKind::FinishToStart]));
    }
    assert!(found > crate::generate::share_of(1_000) as usize, "{found}");
}

/// The drag of a row by a plan in which it takes no time, but for the milestone that would be.
fn drag_of_shortest(plan: &Network, task: usize) -> i32 {
    let mut shorter = plan.clone();
    shorter.tasks[task].duration = 1;
    worked(plan, &schedule(plan)) - worked(plan, &schedule(&shorter))
}

#[test]
fn a_drag_of_months_is_found_as_one_of_days_is() {
    let long = |calendar, days| Task { calendar: Some(calendar), ..Task::new(days as u128, days) };
    let plan = Network {
        projects: vec![ProjectFrame { calendar: Some(0), ..ProjectFrame::starting(START) }],
        calendars: vec![Calendar::default(), Calendar::weekly(0b111_1111)],
        tasks: vec![long(0, 120), long(1, 90), long(0, 31), long(1, 7)],
        links: vec![Link::new(0, 1), Link::new(2, 3), Link::new(3, 1)],
        ..Network::default()
    };
    let drags = CompiledPlan::new(plan.clone()).drags(0);
    for task in [0, 1] {
        let drag = drags.iter().find(|drag| drag.task == task).map(|drag| drag.days).expect("a drag");
        assert!(drag > 60 && drag - drag_of_shortest(&plan, task) <= 1, "{drags:?}");
    }
}

fn rows(durations: &[i32], links: &[(usize, usize)]) -> CompiledPlan {
    CompiledPlan::new(Network {
        projects: vec![ProjectFrame::starting(START)],
        tasks: durations.iter().zip(1..).map(|(days, id)| Task::new(id, *days)).collect(),
        links: links.iter().map(|(from, to)| Link::new(*from, *to)).collect(),
        ..Network::default()
    })
}

#[test]
fn drag_is_what_the_next_longest_path_leaves() {
    // A (5) and B (3) lead to C (4); D (10) leads nowhere and has two days less than the nine and three.
    let plan = rows(&[5, 3, 4, 7], &[(0, 2), (1, 2)]);
    // Without A the three days of B are left; without C the seven of D.
    assert_eq!(plan.drags(0), [Drag { task: 0, days: 2 }, Drag { task: 2, days: 2 }]);
    assert_eq!(plan.near_critical(0, 2), [1, 3]);
    assert_eq!(plan.near_critical(0, 1), [0usize; 0]);
    assert_eq!(plan.near_critical(1, 9), [0usize; 0]);
}

#[test]
fn the_longest_path_to_a_milestone_is_what_holds_it() {
    let plan = rows(&[5, 3, 0, 9], &[(0, 2), (1, 2), (2, 3)]);
    assert_eq!(plan.longest_path_to(2), [0, 2]);
    assert_eq!(plan.longest_path_to(1), [1]);
    assert_eq!(plan.longest_path_to(3), [0, 2, 3]);
    assert_eq!(plan.longest_path_to(7), [0usize; 0]);
}
