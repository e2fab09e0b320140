//! The main properties on plans that shrink: a failure is shown on the smallest plan that still fails.

use planwright_engine::{
    Calendar, CompiledPlan, Day, Edit, Link, LinkKind, Network, ProjectFrame, Task, schedule,
};
use proptest::prelude::*;

use crate::generate::share_of;

/// 2026-01-05, a Monday.
const START: Day = Day(20_458);

/// Duration, calendar, planned start as days from the start of the project.
type Row = (i32, usize, Option<i32>);
/// Two rows, a kind and a lag.
type Tie = (usize, usize, usize, i32);

fn rows() -> impl Strategy<Value = Vec<Row>> {
    prop::collection::vec((1..9i32, 0..3usize, prop::option::weighted(0.2, 0..25i32)), 1..12)
}

fn ties() -> impl Strategy<Value = Vec<Tie>> {
    prop::collection::vec((0..12usize, 0..12usize, 0..5usize, -3..5i32), 0..20)
}

fn link(count: usize, (one, other, kind, lag): Tie) -> Option<Link> {
    let (from, to) = ((one % count).min(other % count), (one % count).max(other % count));
    let kind = match kind {
        0 => LinkKind::StartToStart,
        1 => LinkKind::FinishToFinish,
        2 => LinkKind::StartToFinish,
        _ => LinkKind::FinishToStart,
    };
    (from != to).then(|| Link { kind, lag, ..Link::new(from, to) })
}

fn network(rows: &[Row], ties: &[Tie]) -> Network {
    let task = |(index, row): (usize, &Row)| Task {
        calendar: Some(row.1),
        planned_start: row.2.map(|days| START.plus(days)),
        ..Task::new(index as u128 + 1, row.0)
    };
    Network {
        projects: vec![ProjectFrame::starting(START)],
        calendars: [0b001_1111, 0b011_1111, 0b101_0110].map(Calendar::weekly).to_vec(),
        tasks: rows.iter().enumerate().map(task).collect(),
        links: ties.iter().filter_map(|tie| link(rows.len(), *tie)).collect(),
        ..Network::default()
    }
}

/// The plan with one row held back by working days of its calendar.
fn delayed(plan: &Network, index: usize, from: Day, days: i32) -> Network {
    let mut plan = plan.clone();
    let calendar = &plan.calendars[plan.tasks[index].calendar.unwrap_or(0)];
    let (mut day, mut left) = (from, days);
    while left > 0 || !calendar.is_working(day) {
        left -= i32::from(calendar.is_working(day));
        day = day.plus(1);
    }
    plan.tasks[index].planned_start = Some(day);
    plan
}

proptest! {
    #![proptest_config(ProptestConfig { cases: share_of(2_000) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_row_slips_by_its_float_and_no_more(rows in rows(), ties in ties()) {
        let plan = network(&rows, &ties);
        let before = schedule(&plan);
        for (index, dates) in before.tasks.iter().enumerate() {
            let Some(dates) = dates else { continue };
            let after = |days| schedule(&delayed(&plan, index, dates.early_start, days));
            prop_assert_eq!(after(dates.total_float).finish, before.finish);
            prop_assert!(after(dates.total_float + 1).finish > before.finish);
            let free = after(dates.free_float);
            for other in (0..plan.tasks.len()).filter(|other| *other != index) {
                let place = |schedule: &planwright_engine::Schedule| schedule.tasks[other].map(|dates| dates.early_start);
                prop_assert_eq!(place(&free), place(&before));
            }
        }
    }

    #[test]
    fn an_edited_plan_is_a_fresh_plan(
        rows in rows(),
        ties in ties(),
        edits in prop::collection::vec((0..8usize, 0..40usize, 0..40usize, 0..9i32), 1..12),
    ) {
        let mut plan = CompiledPlan::new(network(&rows, &ties));
        for (kind, one, other, number) in edits {
            let count = plan.network().tasks.len().max(1);
            let (task, place) = (one % count, other % plan.network().links.len().max(1));
            let _ = plan.edit(match kind {
                0 => Edit::Duration { task, days: number },
                1 => Edit::PlannedStart { task, day: Some(START.plus(number * 3)) },
                2 => Edit::Deadline { task, day: Some(START.plus(number * 3)) },
                3 => Edit::Lag { link: place, lag: number - 3 },
                4 => Edit::AddLink(Link { lag: number - 3, ..Link::new(task, other % count) }),
                5 => Edit::RemoveLink(place),
                6 => Edit::AddTask(Box::new(Task::new(1_000 + other as u128, number))),
                _ => Edit::RemoveTask(task),
            });
            prop_assert_eq!(plan.schedule(), schedule(plan.network()));
        }
    }

    #[test]
    fn the_order_of_rows_and_links_does_not_matter(
        rows in rows(),
        ties in ties(),
        keys in prop::collection::vec(0..u32::MAX, 12),
    ) {
        let plan = network(&rows, &ties);
        let count = plan.tasks.len();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|index| keys[*index]);
        let mut place = vec![0; count];
        order.iter().enumerate().for_each(|(new, old)| place[*old] = new);
        let mut mixed = plan.clone();
        mixed.tasks = order.iter().map(|index| plan.tasks[*index].clone()).collect();
        mixed.links.reverse();
        for link in &mut mixed.links {
            (link.predecessor, link.successor) = (place[link.predecessor], place[link.successor]);
        }
        let (one, other) = (schedule(&plan), schedule(&mixed));
        for (index, dates) in one.tasks.iter().enumerate() {
            prop_assert_eq!(dates, &other.tasks[place[index]]);
        }
        let path: Vec<usize> = one.critical_path.iter().map(|index| place[*index]).collect();
        prop_assert_eq!(path, other.critical_path);
    }
}
