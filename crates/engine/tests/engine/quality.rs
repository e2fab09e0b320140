//! The fourteen checks: each finds what it should find, and names it.

use crate::generate::{Corners, Dice, START, cases};
use planwright_engine::{
    Constraint, Link, LinkKind, Missing, Network, ProjectFrame, QualityCheck, Records, Task, Verdict,
    quality, schedule,
};

/// A chain of rows in which nothing is wrong but that it begins and ends.
fn chain(count: usize) -> Network {
    Network {
        projects: vec![ProjectFrame::starting(START)],
        tasks: (0..count).map(|index| Task::new(index as u128 + 1, 5)).collect(),
        links: (1..count).map(|index| Link::new(index - 1, index)).collect(),
        ..Network::default()
    }
}

fn failing(plan: &Network, check: QualityCheck) -> (Verdict, Vec<usize>, Vec<usize>) {
    let quality = quality(plan, &schedule(plan), &Records::default());
    let result = quality.of(check).expect("every check is there");
    (result.verdict, result.tasks.clone(), result.links.clone())
}

#[test]
fn a_sound_chain_passes() {
    let plan = chain(60);
    let quality = quality(&plan, &schedule(&plan), &Records::default());
    assert!(quality.passed(), "{quality:?}");
    assert_eq!(quality.checks.len(), 14);
    assert_eq!(quality.of(QualityCheck::Logic).map(|result| result.tasks.clone()), Some(vec![0, 59]));
    let length = quality.of(QualityCheck::CriticalPathLength).map(|result| result.value);
    assert_eq!(length, Some(1.0));
}

/// Verdict, value, what is missing and the rows that fail.
fn held_against(
    plan: &Network,
    records: &Records,
    check: QualityCheck,
) -> (Verdict, f64, Option<Missing>, Vec<usize>) {
    let quality = quality(plan, &schedule(plan), records);
    let result = quality.of(check).expect("every check is there");
    (result.verdict, result.value, result.missing, result.tasks.clone())
}

#[test]
fn what_nobody_recorded_is_not_assessed_and_says_what_is_missing() {
    let unassessed = |missing| (Verdict::NotAssessed, 0.0, Some(missing), Vec::new());
    let mut plan = chain(3);
    let none = Records::default();
    assert_eq!(held_against(&plan, &none, QualityCheck::Resources), unassessed(Missing::Resources));
    let baseline = Records { baseline_finish: vec![Some(START.plus(4)); 3], ..Records::default() };
    for check in [QualityCheck::MissedTasks, QualityCheck::BaselineExecution] {
        assert_eq!(held_against(&plan, &none, check), unassessed(Missing::Baseline));
        assert_eq!(held_against(&plan, &baseline, check), unassessed(Missing::DataDate));
        plan.projects[0].data_date = Some(START.plus(3));
        assert_eq!(held_against(&plan, &baseline, check), unassessed(Missing::DueWork));
        plan.projects[0].data_date = None;
    }
}

#[test]
fn work_that_nobody_is_assigned_to_is_named() {
    let mut plan = chain(4);
    plan.tasks[1].duration = 0;
    plan.tasks[3].actual_finish = Some(START.plus(1));
    let records = Records { has_resources: vec![true, false, false], ..Records::default() };
    // The milestone takes no time, the last one is finished.
    let found = held_against(&plan, &records, QualityCheck::Resources);
    assert_eq!(found, (Verdict::Failed, 0.5, None, vec![2]));
    let all = Records { has_resources: vec![true; 4], ..Records::default() };
    assert_eq!(held_against(&plan, &all, QualityCheck::Resources), (Verdict::Passed, 0.0, None, vec![]));
}

#[test]
fn work_behind_its_baseline_is_named() {
    // Three of five days each; the baseline had them end on the 9th, the 16th and the 23rd.
    let mut plan = chain(3);
    plan.projects[0].data_date = Some(START.plus(11));
    let baseline_finish = [4, 11, 18].map(|days| Some(START.plus(days))).to_vec();
    let records = Records { baseline_finish, ..Records::default() };
    plan.tasks[0].actual_start = Some(START);
    plan.tasks[0].actual_finish = Some(START.plus(4));
    // The second is due on the data date and not finished; the third is not due yet.
    let missed = held_against(&plan, &records, QualityCheck::MissedTasks);
    assert_eq!(missed, (Verdict::Failed, 0.5, None, vec![1]));
    let executed = held_against(&plan, &records, QualityCheck::BaselineExecution);
    assert_eq!(executed, (Verdict::Failed, 0.5, None, vec![1]));
    // Finished a day late it is missed all the same, but executed.
    plan.tasks[0].actual_finish = Some(START.plus(7));
    plan.tasks[1].actual_finish = Some(START.plus(11));
    let missed = held_against(&plan, &records, QualityCheck::MissedTasks);
    assert_eq!(missed, (Verdict::Failed, 0.5, None, vec![0]));
    let executed = held_against(&plan, &records, QualityCheck::BaselineExecution);
    assert_eq!(executed, (Verdict::Passed, 1.0, None, vec![]));
}

#[test]
fn links_are_named() {
    let mut plan = chain(4);
    plan.links[0].lag = -1;
    plan.links[1].lag = 2;
    plan.links[2].kind = LinkKind::StartToStart;
    assert_eq!(failing(&plan, QualityCheck::Leads), (Verdict::Failed, vec![1], vec![0]));
    assert_eq!(failing(&plan, QualityCheck::Lags), (Verdict::Failed, vec![2], vec![1]));
    assert_eq!(failing(&plan, QualityCheck::LinkKinds), (Verdict::Failed, vec![3], vec![2]));
}

#[test]
fn rows_are_named() {
    let mut plan = chain(6);
    plan.tasks[1].constraint = Some(Constraint::MustStartOn(START));
    plan.tasks[3].duration = 45;
    plan.tasks.push(Task::new(99, 1));
    plan.tasks[0].deadline = Some(START);
    assert_eq!(failing(&plan, QualityCheck::HardConstraints), (Verdict::Failed, vec![1], vec![]));
    assert_eq!(failing(&plan, QualityCheck::HighDuration), (Verdict::Failed, vec![3], vec![]));
    assert_eq!(failing(&plan, QualityCheck::HighFloat), (Verdict::Failed, vec![6], vec![]));
    assert_eq!(failing(&plan, QualityCheck::NegativeFloat), (Verdict::Failed, vec![0, 1], vec![]));
    assert_eq!(failing(&plan, QualityCheck::Logic), (Verdict::Failed, vec![0, 5, 6], vec![]));
    assert_eq!(failing(&plan, QualityCheck::CriticalPathLength).0, Verdict::Failed);
}

#[test]
fn links_on_summaries_count_for_what_is_below() {
    let mut plan = chain(3);
    plan.tasks.push(Task { parent: Some(1), ..Task::new(77, 2) });
    assert_eq!(failing(&plan, QualityCheck::Logic).1, [0, 2]);
}

#[test]
fn actual_dates_in_the_future_are_invalid() {
    let mut plan = chain(3);
    plan.projects[0].data_date = Some(START.plus(2));
    plan.tasks[0].actual_start = Some(START.plus(9));
    assert_eq!(failing(&plan, QualityCheck::InvalidDates), (Verdict::Failed, vec![0], vec![]));
}

#[test]
fn a_critical_path_that_a_date_breaks_fails_its_test() {
    let mut plan = chain(2);
    assert_eq!(failing(&plan, QualityCheck::CriticalPathTest).0, Verdict::Passed);
    // The finish is where a date put it, long after the work that misses its deadline.
    plan.links.clear();
    plan.tasks[1].planned_start = Some(START.plus(2_000));
    plan.tasks[0].deadline = Some(START);
    assert_eq!(failing(&plan, QualityCheck::CriticalPathTest), (Verdict::Failed, vec![0], vec![]));
}

#[test]
fn any_plan_gets_an_answer() {
    let corners = Corners { projects: 3, tasks: 14, mixed_calendars: true, progress: true, summaries: true };
    for seed in cases(0, 500) {
        let plan = crate::generate::network(&mut Dice::new(seed), corners);
        let result = schedule(&plan);
        let checks = quality(&plan, &result, &Records::default()).checks;
        let context = || crate::generate::describe(&plan, &result);
        assert!(checks.len() == 14 && checks.iter().all(|check| check.value.is_finite()), "{}", context());
    }
    let empty = Network::default();
    assert!(quality(&empty, &schedule(&empty), &Records::default()).passed());
}

#[test]
fn a_deep_outline_is_walked_once() {
    // Looked up from each row anew, the way to the top would be forty thousand million steps.
    let count = 200_000;
    let mut plan = chain(2);
    plan.tasks.extend((0..count).map(|row| Task {
        parent: Some(if row == 0 { 1 } else { row + 1 }),
        duration: 0,
        ..Task::new(1_000 + row as u128, 0)
    }));
    let last = plan.tasks.len() - 1;
    plan.links.push(Link { kind: LinkKind::StartToStart, ..Link::new(1, 0) });
    plan.links.truncate(1);
    let (verdict, tasks, _) = failing(&plan, QualityCheck::Logic);
    // The link on the topmost row leads to the one leaf below; nothing leaves it.
    assert_eq!((verdict, tasks), (Verdict::Failed, vec![0, last]));
    plan.links.push(Link::new(last, 0));
    plan.links.remove(0);
    assert_eq!(failing(&plan, QualityCheck::Logic).1, [0, last]);
}

#[test]
fn parents_in_a_circle_share_their_links() {
    let mut plan = chain(5);
    for (row, parent) in [(1, 2), (2, 3), (3, 1)] {
        plan.tasks[row].parent = Some(parent);
    }
    plan.links = vec![Link::new(0, 2), Link::new(2, 4)];
    let untied = failing(&plan, QualityCheck::Logic).1;
    assert_eq!(untied, [0, 4]);
}
