//! The longest path: chains of dates that limit each other up to the finish, whatever the floats are.

use crate::generate::{Corners, Dice, START, cases, describe, network};
use planwright_engine::{
    DoneWork, LagCalendar, LagUnit, Link, LinkKind, Network, Options, Progress, ProjectFrame, Quantity,
    Reason, Schedule, Task, explain, schedule,
};

fn on_path(schedule: &Schedule) -> Vec<bool> {
    schedule.tasks.iter().map(|dates| dates.is_some_and(|dates| dates.on_longest_path)).collect()
}

#[test]
fn on_one_calendar_it_is_what_has_no_float() {
    let corners =
        Corners { projects: 1, tasks: 14, mixed_calendars: false, progress: false, summaries: false };
    for seed in cases(500_000, 4_000) {
        let mut plan = network(&mut Dice::new(seed), corners);
        plan.projects[0].lag_calendar = LagCalendar::Successor;
        plan.links.iter_mut().for_each(|link| link.lag_unit = LagUnit::Working);
        let result = schedule(&plan);
        for (index, dates) in result.tasks.iter().enumerate() {
            let Some(dates) = dates else { continue };
            let same = dates.on_longest_path == (dates.total_float == 0);
            assert!(same, "seed {seed} task {index}\n{}", describe(&plan, &result));
        }
    }
}

/// Links into a leaf that bind its early start.
fn binding_links(plan: &Network, task: usize) -> Vec<usize> {
    let bounds = explain(plan, task, Quantity::Early).unwrap_or_default();
    let predecessors = bounds.iter().filter(|bound| bound.reason == Reason::Predecessor && bound.slack == 0);
    predecessors.filter_map(|bound| bound.link).collect()
}

#[test]
fn every_leaf_on_it_ends_the_project_or_binds_another_on_it() {
    let corners = Corners { projects: 2, tasks: 14, mixed_calendars: true, progress: true, summaries: false };
    let mut later = 0;
    for seed in cases(510_000, 3_000) {
        let mut plan = network(&mut Dice::new(seed), corners);
        plan.options.done_work = DoneWork::CutsLogic;
        let result = schedule(&plan);
        let found = on_path(&result);
        let mut binds = vec![false; plan.tasks.len()];
        for task in (0..plan.tasks.len()).filter(|task| found[*task]) {
            binding_links(&plan, task)
                .into_iter()
                .for_each(|link| binds[plan.links[link].predecessor] = true);
        }
        for (index, dates) in result.tasks.iter().enumerate() {
            let Some(dates) = dates.filter(|dates| dates.progress != Progress::Complete) else { continue };
            let context = || format!("seed {seed} task {index}\n{}", describe(&plan, &result));
            let project = &result.projects[plan.tasks[index].project];
            let at_day_end = plan.tasks[index].duration > 0 || dates.falls_at_day_end;
            let last = (project.finish, project.finish_at_day_end) == (Some(dates.early_finish), at_day_end);
            // Before a milestone that ends the project in a morning, others may have no time left either.
            let in_time = !project.finish_at_day_end && dates.total_float == 0;
            assert!(!found[index] || binds[index] || last || in_time, "{}", context());
            assert!(found[index] || !last, "{}", context());
            later += u32::from(found[index] && !last);
        }
    }
    assert!(u64::from(later) > crate::generate::share_of(3_000) / 2, "{later}");
}

/// A (5 d) before B, which is done already, before C (2 d); B ended on a day of January.
fn through_done_work(done_work: DoneWork, actual_finish: i32) -> Schedule {
    let mut plan = Network {
        projects: vec![ProjectFrame { data_date: Some(START.plus(3)), ..ProjectFrame::starting(START) }],
        tasks: [5, 2, 2].iter().zip(1..).map(|(days, id)| Task::new(id, *days)).collect(),
        links: vec![Link::new(0, 1), Link::new(1, 2)],
        options: Options { done_work, ..Options::default() },
        ..Network::default()
    };
    plan.tasks[1].actual_start = Some(START.plus(1));
    plan.tasks[1].actual_finish = Some(START.plus(actual_finish));
    schedule(&plan)
}

#[test]
fn it_leads_through_done_work_that_passes_logic_on() {
    // A is the 8th to the 14th, C the 15th and 16th: what B hides still holds C.
    assert_eq!(on_path(&through_done_work(DoneWork::Retained, 2)), [true, false, true]);
    // Cut, C is over on the 9th and A alone decides.
    assert_eq!(on_path(&through_done_work(DoneWork::CutsLogic, 2)), [true, false, false]);
    // B was over on the day on which A will be: A holds nothing back, C follows the fact.
    assert_eq!(on_path(&through_done_work(DoneWork::Retained, 9)), [false, false, true]);
    // B was over later than A will be.
    assert_eq!(on_path(&through_done_work(DoneWork::Retained, 11)), [false, false, true]);
    // B was over a day before A will be.
    assert_eq!(on_path(&through_done_work(DoneWork::Retained, 8)), [true, false, true]);
}

#[test]
fn it_follows_finishes_that_hold_finishes() {
    let mut plan = Network {
        projects: vec![ProjectFrame::starting(START)],
        tasks: [5, 3, 4].iter().zip(1..).map(|(days, id)| Task::new(id, *days)).collect(),
        links: vec![
            Link { kind: LinkKind::FinishToFinish, ..Link::new(0, 1) },
            Link { kind: LinkKind::FinishToFinish, lag: -2, ..Link::new(0, 2) },
        ],
        ..Network::default()
    };
    assert_eq!(on_path(&schedule(&plan)), [true, true, false]);
    plan.links[1].lag = 1;
    assert_eq!(on_path(&schedule(&plan)), [true, false, true]);
}
