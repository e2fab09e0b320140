//! Facts on days off, plans before 1970, logic passed on by finished work, and seeds of projects that must
//! not leak into one another: cases that random plans seldom reach, worked by hand.

use planwright_engine::{
    Calendar, Day, DoneWork, Link, LinkKind, Network, ProjectFrame, Schedule, Task, TaskDates, schedule,
};

/// A day of January 2026; the 5th is a Monday.
fn january(day: u32) -> Day {
    Day::from_ymd(2026, 1, day).expect("a day of January")
}

/// Rows of these durations without links; calendar 0 is Monday to Friday, calendar 1 the whole week.
fn rows(durations: &[i32]) -> Network {
    Network {
        projects: vec![ProjectFrame::starting(january(5))],
        calendars: vec![Calendar::default(), Calendar::weekly(0b111_1111)],
        tasks: durations.iter().zip(1..).map(|(duration, id)| Task::new(id, *duration)).collect(),
        ..Network::default()
    }
}

fn row(schedule: &Schedule, task: usize) -> TaskDates {
    schedule.tasks[task].expect("a scheduled row")
}

#[test]
fn what_happened_on_a_day_off_counts_from_that_day() {
    let mut plan = rows(&[3, 2, 2]);
    plan.tasks[1].calendar = Some(1);
    plan.tasks[0].actual_start = Some(january(10));
    plan.links = vec![Link { kind: LinkKind::StartToStart, ..Link::new(0, 1) }];
    assert_eq!(row(&schedule(&plan), 1).early_start, january(10));
    plan.tasks[0].actual_finish = Some(january(17));
    plan.links = vec![Link::new(0, 1)];
    assert_eq!(row(&schedule(&plan), 1).early_start, january(18));
    // Passed on as well, unless unfinished work before it asks for more.
    plan.options.done_work = DoneWork::Retained;
    plan.links.push(Link::new(2, 0));
    assert_eq!(row(&schedule(&plan), 1).early_start, january(18));
    plan.tasks[2].duration = 15;
    assert_eq!(row(&schedule(&plan), 1).early_start, january(24));
}

#[test]
fn the_longest_path_leads_through_finished_work_that_passes_logic_on() {
    let mut plan = rows(&[1, 5, 2, 2]);
    plan.options.done_work = DoneWork::Retained;
    (plan.tasks[2].actual_start, plan.tasks[2].actual_finish) = (Some(january(5)), Some(january(6)));
    plan.links = vec![Link { lag: 1, ..Link::new(1, 2) }, Link::new(2, 3)];
    let result = schedule(&plan);
    assert_eq!(row(&result, 3).early_start, january(13));
    let on_path: Vec<bool> = (0..4).map(|task| row(&result, task).on_longest_path).collect();
    assert_eq!(on_path, [false, true, false, true]);
}

#[test]
fn plans_before_1970_are_plans() {
    let monday = Day::from_ymd(1960, 1, 4).expect("a day");
    for (kind, start, lag) in
        [(LinkKind::FinishToStart, 7, 0), (LinkKind::FinishToFinish, 5, 0), (LinkKind::FinishToStart, 8, 1)]
    {
        let mut plan = rows(&[3, 2]);
        plan.projects[0].start = monday;
        plan.tasks[1].calendar = Some(1);
        plan.links = vec![Link { kind, lag, ..Link::new(0, 1) }];
        let result = schedule(&plan);
        assert_eq!(Some(row(&result, 1).early_start), Day::from_ymd(1960, 1, start));
        assert_eq!((row(&result, 0).total_float, row(&result, 1).total_float), (0, 0));
        assert_eq!(row(&result, 0).early_start, monday);
    }
}

#[test]
fn a_summary_starts_with_its_first_row_although_a_part_of_it_is_empty() {
    // A phase of one row and an empty part, whose only row cannot be used.
    let mut plan = rows(&[0, 2, 0, -1, 3]);
    (plan.tasks[1].parent, plan.tasks[2].parent, plan.tasks[3].parent) = (Some(0), Some(0), Some(2));
    plan.tasks[1].planned_start = Some(january(12));
    plan.links = vec![Link { kind: LinkKind::StartToStart, ..Link::new(0, 4) }];
    assert_eq!(row(&schedule(&plan), 4).early_start, january(12));
}

#[test]
fn a_row_does_not_lose_float_to_the_ends_of_other_projects() {
    // The first project ends with its longest row; the second waits for the first row, the third for it.
    let mut plan = rows(&[2, 10, 5, 1]);
    plan.projects = vec![ProjectFrame::starting(january(5)); 3];
    (plan.tasks[2].project, plan.tasks[3].project) = (1, 2);
    plan.links = vec![Link::new(0, 2), Link::new(2, 3)];
    let result = schedule(&plan);
    let floats = |task| (row(&result, task).total_float, row(&result, task).program_total_float);
    assert_eq!([0, 1, 2, 3].map(floats), [(8, 2), (0, 0), (0, 2), (0, 2)]);
}

#[test]
fn finished_work_without_dates_follows_a_finished_phase() {
    let mut plan = rows(&[1, 1, 1, 1, 0, 3, 2]);
    (plan.tasks[5].parent, plan.tasks[6].percent_complete) = (Some(4), 100.0);
    (plan.tasks[5].actual_start, plan.tasks[5].actual_finish) = (Some(january(5)), Some(january(9)));
    plan.links = vec![Link::new(4, 6)];
    let shown = |plan: &Network| {
        let dates = row(&schedule(plan), 6);
        (dates.early_start, dates.early_finish)
    };
    assert_eq!(shown(&plan), (january(12), january(13)));
    plan.tasks[6].calendar = Some(1);
    assert_eq!(shown(&plan), (january(10), january(11)));
    plan.links[0].kind = LinkKind::StartToStart;
    assert_eq!(shown(&plan), (january(5), january(6)));
}
