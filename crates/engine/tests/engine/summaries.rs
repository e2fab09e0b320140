//! Hubs must say what the cross product of leaves would say, without ever building it.

use crate::generate::{Corners, Dice, cases, share_of};
use planwright_engine::{Link, LinkKind, Network, TaskDates, schedule};

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
