//! An explanation must agree with the schedule: its most limiting bound is the value.

use crate::generate::{Corners, Dice, START, cases};
use planwright_engine::{Link, Network, Progress, ProjectFrame, Quantity, Reason, Task, explain, schedule};

#[test]
fn the_tightest_bound_is_the_date() {
    let corners = Corners { projects: 2, tasks: 14, mixed_calendars: true, progress: true, summaries: true };
    let one_calendar = Corners { mixed_calendars: false, ..corners };
    for seed in cases(0, 1_500) {
        let corners = if seed % 2 == 0 { corners } else { one_calendar };
        let plan = crate::generate::network(&mut Dice::new(seed), corners);
        let result = schedule(&plan);
        for task in 0..plan.tasks.len() {
            let summary = plan.tasks.iter().any(|other| other.parent == Some(task));
            let dates = result.tasks[task].filter(|_| !summary);
            let Some(dates) = dates else {
                assert_eq!(explain(&plan, task, Quantity::Early), None);
                continue;
            };
            let context =
                || format!("seed {seed} task {task}\n{}", crate::generate::describe(&plan, &result));
            let first = |quantity| explain(&plan, task, quantity).and_then(|found| found.first().copied());
            let (early, late) = (first(Quantity::Early), first(Quantity::Late));
            let (Some(early), Some(late), Some(free)) = (early, late, first(Quantity::Free)) else {
                panic!("nothing explains {}", context());
            };
            assert!(
                early.binding && late.binding && free.binding,
                "{early:?} {late:?} {free:?} {}",
                context()
            );
            assert_eq!(early.shown, [dates.early_start, dates.early_finish], "{early:?} {}", context());
            assert_eq!(late.shown, [dates.late_start, dates.late_finish], "{late:?} {}", context());
            if plan.tasks[task].duration > 0 || dates.progress == Progress::Complete {
                assert_eq!(
                    (early.start, early.finish),
                    (dates.early_start, dates.early_finish),
                    "{}",
                    context()
                );
                assert_eq!((late.start, late.finish), (dates.late_start, dates.late_finish), "{}", context());
            }
        }
    }
}

#[test]
fn bounds_are_named() {
    let mut plan = Network { projects: vec![ProjectFrame::starting(START)], ..Network::default() };
    plan.tasks = (1..5).map(|id| Task::new(id, 2)).collect();
    plan.tasks[3].parent = Some(2);
    plan.tasks[3].planned_start = Some(START.plus(1));
    plan.links = vec![Link::new(0, 2), Link::new(2, 1)];
    let named = |task, quantity| -> Vec<(Reason, Option<usize>, i32)> {
        let found = explain(&plan, task, quantity).unwrap_or_default();
        found.iter().map(|bound| (bound.reason, bound.task, bound.slack)).collect()
    };
    let early =
        [(Reason::Predecessor, Some(0), 0), (Reason::PlannedStart, None, 1), (Reason::ProjectStart, None, 2)];
    assert_eq!(named(3, Quantity::Early), early);
    assert_eq!(named(3, Quantity::Late), [(Reason::Successor, Some(1), 0), (Reason::ProjectFinish, None, 2)]);
    assert_eq!(named(0, Quantity::Free), [(Reason::TotalFloat, None, 0), (Reason::Successor, Some(2), 0)]);
}

#[test]
fn a_bound_says_where_it_comes_from_and_what_the_calendar_added() {
    let mut plan = Network { projects: vec![ProjectFrame::starting(START)], ..Network::default() };
    // A phase of five and three days, then a milestone, then two days; START is a Monday.
    plan.tasks = [0, 5, 3, 0, 2].into_iter().zip(1..).map(|(days, id)| Task::new(id, days)).collect();
    (plan.tasks[1].parent, plan.tasks[2].parent) = (Some(0), Some(0));
    plan.links = vec![Link::new(0, 3), Link { lag: 1, ..Link::new(3, 4) }];
    let first = |task, quantity| explain(&plan, task, quantity).unwrap_or_default()[0];
    let friday = START.plus(4);
    let milestone = first(3, Quantity::Early);
    assert_eq!((milestone.task, milestone.leaf, milestone.from), (Some(0), Some(1), Some(friday)));
    assert_eq!((milestone.shown, milestone.days_off), ([friday; 2], Some(0)));
    let last = first(4, Quantity::Early);
    assert_eq!((last.from, last.leaf, last.days_off), (Some(friday), None, Some(2)));
    assert_eq!(last.shown, [START.plus(8), START.plus(9)]);
    let phase = first(1, Quantity::Late);
    assert_eq!((phase.task, phase.from, phase.days_off), (Some(3), Some(friday), Some(0)));
    let begin = first(1, Quantity::Early);
    assert_eq!((begin.reason, begin.from, begin.days_off), (Reason::ProjectStart, Some(START), Some(0)));
}
