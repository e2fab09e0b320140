//! The chains that lead to a task: the most critical first, each leaf once, with correct floats.

use crate::generate::{Corners, Dice, START, cases, share_of};
use planwright_engine::{
    FloatPath, Link, LinkKind, Network, Progress, ProjectFrame, Task, float_paths, paths_to_finish, schedule,
};

fn network(durations: &[i32], links: &[(usize, usize)]) -> Network {
    let tasks = durations.iter().zip(1..).map(|(days, id)| Task::new(id, *days)).collect();
    let links = links.iter().map(|(from, to)| Link::new(*from, *to)).collect();
    Network { projects: vec![ProjectFrame::starting(START)], tasks, links, ..Network::default() }
}

#[test]
fn chains_come_by_their_float() {
    // 0 (5) → 1 (5) → 5 (2); 2 (4) → 3 (3) → 5; 4 (1) → 1; 6 leads elsewhere.
    let plan = network(&[5, 5, 4, 3, 1, 2, 9], &[(0, 1), (1, 5), (2, 3), (3, 5), (4, 1), (0, 6)]);
    let wanted = [
        FloatPath { float: 0, tasks: vec![0, 1, 5], joins: None },
        FloatPath { float: 3, tasks: vec![2, 3], joins: Some(5) },
        FloatPath { float: 4, tasks: vec![4], joins: Some(1) },
    ];
    assert_eq!(float_paths(&plan, 5, 10), wanted);
    assert_eq!(float_paths(&plan, 5, 2), wanted[..2]);
    assert_eq!(float_paths(&plan, 99, 2), []);
}

#[test]
fn what_holds_nothing_back_any_more_is_on_no_chain() {
    let mut plan = network(&[5, 2, 2], &[(0, 2), (1, 2)]);
    plan.tasks[0].actual_start = Some(START);
    plan.links[0].kind = LinkKind::StartToStart;
    (plan.tasks[1].actual_start, plan.tasks[1].actual_finish) = (Some(START), Some(START.plus(1)));
    assert_eq!(float_paths(&plan, 2, 10), [FloatPath { float: 0, tasks: vec![2], joins: None }]);
    assert_eq!(float_paths(&plan, 1, 10), []);
}

#[test]
fn a_chain_slips_by_its_float_and_no_more() {
    let corners =
        Corners { projects: 1, tasks: 12, mixed_calendars: false, progress: false, summaries: false };
    let mut later = 0u64;
    for seed in cases(0, 2_000) {
        let mut plan = crate::generate::network(&mut Dice::new(seed), corners);
        plan.tasks.iter_mut().for_each(|task| task.duration = task.duration.max(1));
        let before = schedule(&plan);
        let target = plan.tasks.len() - 1;
        let paths = float_paths(&plan, target, 20);
        let mut seen: Vec<usize> = paths.iter().flat_map(|path| path.tasks.iter().copied()).collect();
        let count = seen.len();
        seen.sort_unstable();
        seen.dedup();
        let described = crate::generate::describe(&plan, &before);
        assert_eq!(seen.len(), count, "seed {seed}: a leaf on two paths\n{described}");
        assert_eq!(paths.first().and_then(|path| path.tasks.last()), Some(&target));
        for path in paths.iter().skip(1) {
            let last = path.tasks[path.tasks.len() - 1];
            let early = before.tasks[last].expect("scheduled").early_start;
            let after = |days: i32| {
                let mut plan = plan.clone();
                let calendar = &plan.calendars[0];
                let mut day = early;
                let mut left = days;
                while left > 0 || !calendar.is_working(day) {
                    left -= i32::from(calendar.is_working(day));
                    day = day.plus(1);
                }
                plan.tasks[last].planned_start = Some(day);
                schedule(&plan).tasks[target].expect("scheduled").early_start
            };
            let target_start = before.tasks[target].expect("scheduled").early_start;
            assert_eq!(after(path.float), target_start, "seed {seed}: {path:?}");
            assert!(after(path.float + 1) > target_start, "seed {seed}: {path:?}");
            later += 1;
        }
    }
    assert!(later > share_of(1_000), "{later}");
}

#[test]
fn the_finish_is_asked_from_every_leaf_that_it_depends_on() {
    // 0 → 1 and 0 → 2 end on the same day; 3 ends a day earlier and leads nowhere; 4 has a deadline it misses.
    let mut plan = network(&[5, 3, 3, 7, 2, 1], &[(0, 1), (0, 2), (4, 5)]);
    plan.tasks[4].deadline = Some(START);
    let wanted = [
        FloatPath { float: -1, tasks: vec![4], joins: None },
        FloatPath { float: 0, tasks: vec![0, 1], joins: None },
        FloatPath { float: 0, tasks: vec![2], joins: None },
        FloatPath { float: 1, tasks: vec![3], joins: None },
        FloatPath { float: 5, tasks: vec![5], joins: None },
    ];
    assert_eq!(paths_to_finish(&plan, 0, 10), wanted);
    assert_eq!(paths_to_finish(&plan, 0, 2), wanted[..2]);
    assert_eq!(paths_to_finish(&plan, 1, 2), []);
}

#[test]
fn every_open_leaf_is_on_one_path_to_the_finish() {
    let one = Corners { projects: 1, tasks: 14, mixed_calendars: true, progress: true, summaries: true };
    let plain = Corners { mixed_calendars: false, progress: false, ..one };
    for seed in cases(20_000, 1_500) {
        let corners = if seed % 2 == 0 { one } else { plain };
        let plan = crate::generate::network(&mut Dice::new(seed), corners);
        let result = schedule(&plan);
        let context = || format!("seed {seed}\n{}", crate::generate::describe(&plan, &result));
        let is_open = |task: &usize| {
            let summary = plan.tasks.iter().any(|other| other.parent == Some(*task));
            let open = |dates: planwright_engine::TaskDates| dates.progress != Progress::Complete;
            !summary && result.tasks[*task].is_some_and(open)
        };
        let wanted: Vec<usize> = (0..plan.tasks.len()).filter(is_open).collect();
        let paths = paths_to_finish(&plan, 0, usize::MAX);
        let mut found: Vec<usize> = paths.iter().flat_map(|path| path.tasks.iter().copied()).collect();
        found.sort_unstable();
        assert_eq!(found, wanted, "{}", context());
        let float = |task: usize| result.tasks[task].map(|dates| dates.total_float);
        for path in &paths {
            assert_eq!(float(path.tasks[path.tasks.len() - 1]), Some(path.float), "{path:?} {}", context());
        }
        let least = |tasks: &[usize]| tasks.iter().filter_map(|task| float(*task)).min();
        assert_eq!(paths.first().and_then(|path| least(&path.tasks)), least(&wanted), "{}", context());
    }
}
