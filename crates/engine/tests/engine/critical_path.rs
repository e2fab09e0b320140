//! The critical path as a list: which leaves are in it, and in what order.

use crate::generate::{Corners, Dice, cases, describe, network};
use planwright_engine::{Day, Link, LinkKind, Network, ProjectFrame, Schedule, Task, schedule};

/// 2026-01-05, a Monday.
const MONDAY: Day = Day(20_458);

/// Links as they act on leaves, without those that a fault left out.
fn leaf_links(plan: &Network, schedule: &Schedule) -> Vec<(usize, usize)> {
    let below = |row: usize| -> Vec<usize> {
        let is_below = |leaf: &usize| {
            let mut at = Some(*leaf);
            while let Some(here) = at.filter(|here| *here != row) {
                at = plan.tasks[here].parent;
            }
            at.is_some() && plan.tasks.iter().all(|task| task.parent != Some(*leaf))
        };
        (0..plan.tasks.len()).filter(is_below).collect()
    };
    let left_out: Vec<usize> = schedule.faults.iter().flat_map(crate::cycles::links_of).collect();
    let links = plan.links.iter().enumerate().filter(|(index, _)| !left_out.contains(index));
    links
        .flat_map(|(_, link)| {
            let after = below(link.successor);
            let pairs = |before: usize| after.iter().map(move |after| (before, *after)).collect::<Vec<_>>();
            below(link.predecessor).into_iter().flat_map(pairs).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn it_is_all_critical_leaves_in_the_order_in_which_they_depend_on_one_another() {
    let corners = Corners { projects: 2, tasks: 14, mixed_calendars: true, progress: true, summaries: true };
    let (mut through_others, mut ordered) = (0, 0);
    for seed in cases(800_000, 4_000) {
        let plan = network(&mut Dice::new(seed), corners);
        let result = schedule(&plan);
        let context = || format!("seed {seed}\n{}", describe(&plan, &result));
        let summary = |row: usize| plan.tasks.iter().any(|task| task.parent == Some(row));
        let critical = |row: &usize| !summary(*row) && result.tasks[*row].is_some_and(|dates| dates.critical);
        let mut listed = result.critical_path.clone();
        listed.sort_unstable();
        let wanted: Vec<usize> = (0..plan.tasks.len()).filter(critical).collect();
        assert_eq!(listed, wanted, "{}", context());
        // Which leaf lies behind which, through any others.
        let count = plan.tasks.len();
        let mut behind = vec![vec![false; count]; count];
        let links = leaf_links(&plan, &result);
        links.iter().for_each(|(from, to)| behind[*from][*to] = true);
        for middle in 0..count {
            for from in (0..count).filter(|from| behind[*from][middle]).collect::<Vec<_>>() {
                (0..count).filter(|to| behind[middle][*to]).collect::<Vec<_>>().into_iter().for_each(|to| {
                    behind[from][to] = true;
                });
            }
        }
        for (place, later) in result.critical_path.iter().enumerate() {
            for earlier in &result.critical_path[..place] {
                assert!(!behind[*later][*earlier], "{later} before {earlier}: {}", context());
                ordered += u32::from(behind[*earlier][*later]);
                let direct = links.contains(&(*earlier, *later));
                through_others += u32::from(behind[*earlier][*later] && !direct);
            }
        }
    }
    assert!(ordered > 10 && through_others > 1, "{ordered} {through_others}");
}

#[test]
fn what_has_float_still_keeps_the_order_of_what_has_none() {
    // The first row must end after the start of the third, which follows the second: so it is listed behind
    // the second, although both begin on Monday and it comes first by id.
    let mut plan = Network {
        projects: vec![ProjectFrame::starting(MONDAY)],
        tasks: [(1, 10), (2, 5), (3, 1), (4, 5)].map(|(id, days)| Task::new(id, days)).to_vec(),
        ..Network::default()
    };
    let start_to_finish = Link { kind: LinkKind::StartToFinish, ..Link::new(2, 0) };
    plan.links = vec![Link::new(1, 2), start_to_finish, Link::new(1, 3)];
    let result = schedule(&plan);
    assert!(!result.tasks[2].expect("scheduled").critical);
    assert_eq!(result.critical_path, [1, 0, 3]);
    // The same where the rows work on two calendars.
    plan.calendars = vec![planwright_engine::Calendar::default(), planwright_engine::Calendar::weekly(0x7f)];
    plan.tasks[2].calendar = Some(1);
    assert_eq!(schedule(&plan).critical_path, [1, 0, 3]);
    // And among rows that do not depend on one another the first by date, then by id.
    plan.links.clear();
    plan.tasks[3].duration = 10;
    assert_eq!(schedule(&plan).critical_path, [0, 3]);
}
