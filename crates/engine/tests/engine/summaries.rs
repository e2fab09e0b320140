//! Hubs must give the same result as the cross product of leaves, without building it.

use crate::everything::{ALL, Mix, everything, is_summary};
use crate::generate::{Corners, Dice, cases, describe, share_of};
use planwright_engine::{
    Calendar, Day, LagUnit, Link, LinkKind, Network, ProjectFrame, Task, TaskDates, schedule,
};

/// The leaves of a row: itself, or all leaves below it.
fn leaves(plan: &Network, row: usize) -> Vec<usize> {
    let children: Vec<usize> =
        (0..plan.tasks.len()).filter(|task| plan.tasks[*task].parent == Some(row)).collect();
    if children.is_empty() {
        return vec![row];
    }
    children.iter().flat_map(|child| leaves(plan, *child)).collect()
}

/// The same plan with every link on a summary written out leaf by leaf.
fn expanded(plan: &Network) -> Network {
    let mut flat = plan.clone();
    flat.links = plan
        .links
        .iter()
        .flat_map(|link| {
            let successors = leaves(plan, link.successor);
            let pairs = leaves(plan, link.predecessor).into_iter().flat_map(move |predecessor| {
                successors.clone().into_iter().map(move |successor| (predecessor, successor))
            });
            pairs.map(|(predecessor, successor)| Link { predecessor, successor, ..*link })
        })
        .collect();
    flat
}

#[test]
fn hubs_equal_the_cross_product() {
    let corners = Corners { projects: 1, tasks: 16, mixed_calendars: false, progress: true, summaries: true };
    let mut compared = 0u64;
    for seed in cases(0, 4_000) {
        let mut dice = Dice::new(seed);
        let mixed = seed % 2 == 0;
        let mut plan = crate::generate::network(&mut dice, Corners { mixed_calendars: mixed, ..corners });
        // A start link out of a summary means its earliest leaf, which no cross product can say. A finish
        // link between calendars, or from a point, may round differently at a hub.
        if !mixed {
            plan.tasks.iter_mut().for_each(|task| task.duration = task.duration.max(1));
        }
        plan.links.retain(|link| {
            link.kind == LinkKind::FinishToStart || !mixed && link.kind == LinkKind::FinishToFinish
        });
        // Where lags count on a predecessor's calendar, that of the summary is meant.
        plan.projects[0].lag_calendar = planwright_engine::LagCalendar::Project;
        let (hubs, flat) = (schedule(&plan), schedule(&expanded(&plan)));
        if !hubs.faults.is_empty() {
            continue;
        }
        let dates = |dates: &TaskDates| {
            (dates.early_start, dates.early_finish, dates.late_start, dates.total_float, dates.free_float)
        };
        for task in (0..plan.tasks.len()).filter(|task| leaves(&plan, *task) == [*task]) {
            let pair = [&hubs, &flat].map(|schedule| schedule.tasks[task].as_ref().map(dates));
            assert_eq!(
                pair[0],
                pair[1],
                "seed {seed} task {task}\n{}",
                crate::generate::describe(&plan, &hubs)
            );
            compared += 1;
        }
    }
    assert!(compared > share_of(10_000), "{compared}");
}

#[test]
fn the_duration_of_a_summary_changes_nothing_but_lags_in_per_cent_of_it() {
    let mut summaries = 0u64;
    for seed in cases(700_000, 3_000) {
        let mut dice = Dice::new(seed);
        let plan = everything(&mut dice, Mix { first_of_many: true, ..ALL });
        let mut other = plan.clone();
        for index in (0..plan.tasks.len()).filter(|index| is_summary(&plan, *index)) {
            let percent = |link: &Link| link.predecessor == index && link.lag_unit == LagUnit::Percent;
            if !plan.links.iter().any(percent) {
                other.tasks[index].duration = dice.pick(&[0, 0, 1, 7]);
                summaries += 1;
            }
        }
        let (one, other) = (schedule(&plan), schedule(&other));
        assert_eq!(one, other, "seed {seed}\n{}", describe(&plan, &one));
    }
    assert!(summaries > share_of(3_000) / 2, "{summaries}");
}

#[test]
fn a_small_share_of_a_short_task_is_no_lag_into_a_summary_either() {
    // Work of one day starts on a Sunday; what it holds on office days may finish on the Friday before.
    for summary in [false, true] {
        let monday = Day::from_ymd(2026, 1, 5).expect("a day");
        let mut plan = Network {
            projects: vec![ProjectFrame::starting(monday)],
            calendars: vec![Calendar::weekly(0b111_1111)],
            tasks: vec![
                Task { calendar: Some(0), planned_start: Some(monday.plus(6)), ..Task::new(1, 1) },
                Task::new(2, 2),
            ],
            links: vec![Link {
                kind: LinkKind::StartToFinish,
                lag: 10,
                lag_unit: LagUnit::Percent,
                ..Link::new(0, 1)
            }],
            ..Network::default()
        };
        if summary {
            plan.tasks.push(Task { parent: Some(1), ..Task::new(3, 2) });
        }
        let finish = schedule(&plan).tasks[1].map(|dates| dates.early_finish);
        assert_eq!(finish, Some(monday.plus(4)), "{summary}");
    }
}

#[test]
fn a_phase_is_no_milestone_whatever_duration_it_carries() {
    // The first phase ends on a Saturday, so the second, on office days, ends on Monday.
    let monday = Day::from_ymd(2026, 1, 5).expect("a day");
    for duration in [0, 5] {
        let plan = Network {
            projects: vec![ProjectFrame::starting(monday)],
            calendars: vec![Calendar::weekly(0b111_1111)],
            tasks: vec![
                Task::new(1, duration),
                Task { parent: Some(0), calendar: Some(0), ..Task::new(2, 6) },
                Task::new(3, duration),
                Task { parent: Some(2), ..Task::new(4, 2) },
            ],
            links: vec![Link { kind: LinkKind::FinishToFinish, ..Link::new(0, 2) }],
            ..Network::default()
        };
        let finish = schedule(&plan).tasks[3].map(|dates| dates.early_finish);
        assert_eq!(finish, Some(monday.plus(7)), "{duration}");
    }
}
