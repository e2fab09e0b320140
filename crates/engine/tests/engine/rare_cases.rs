//! Cases that random plans seldom reach, computed by hand: actual dates on days off, plans before 1970, logic passed
//! on by complete work, milestones next to days off, and seeds of projects that must not influence each other.

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

#[test]
fn a_finish_held_by_a_milestone_at_the_end_of_a_day_does_not_come_before_it() {
    // A ends on Saturday the 10th and the milestone with it; B does not work before Monday.
    let mut plan = rows(&[6, 0, 2]);
    (plan.tasks[0].calendar, plan.tasks[1].calendar) = (Some(1), Some(1));
    let finish_held = |from, to| Link { kind: LinkKind::FinishToFinish, ..Link::new(from, to) };
    plan.links = vec![Link::new(0, 1), finish_held(1, 2)];
    let result = schedule(&plan);
    assert_eq!((row(&result, 1).early_finish, row(&result, 2).early_finish), (january(10), january(12)));
    // The milestone could be as late as B lets it: until Monday evening.
    assert_eq!((row(&result, 0).total_float, row(&result, 1).late_finish), (2, january(12)));
    // One that begins Monday on B's calendar is no later there than the Friday evening before.
    plan.links = vec![finish_held(1, 2)];
    plan.tasks[1].calendar = None;
    plan.tasks[1].planned_start = Some(january(12));
    let result = schedule(&plan);
    assert_eq!((row(&result, 1).early_start, row(&result, 2).early_finish), (january(12), january(9)));
}

#[test]
fn what_finished_work_passes_on_is_not_rounded_to_its_own_calendar() {
    // A works on Saturday the 17th and Sunday; B, done long before, does not; C works all week.
    let mut plan = rows(&[2, 3, 2]);
    (plan.tasks[0].calendar, plan.tasks[2].calendar) = (Some(1), Some(1));
    plan.tasks[0].planned_start = Some(january(17));
    plan.tasks[1].percent_complete = 100.0;
    (plan.tasks[1].actual_start, plan.tasks[1].actual_finish) = (Some(january(15)), Some(january(15)));
    plan.links = vec![Link::new(0, 1), Link::new(1, 2)];
    plan.options.done_work = DoneWork::Retained;
    let result = schedule(&plan);
    assert_eq!((row(&result, 2).early_start, row(&result, 0).total_float), (january(19), 0));
}

#[test]
fn work_may_slip_until_the_milestone_that_begins_the_last_day() {
    // Thursday's work on a calendar of whole weeks; the milestone begins Monday the 12th.
    let mut plan = rows(&[1, 0]);
    plan.projects[0].start = january(8);
    plan.tasks[0].calendar = Some(1);
    plan.tasks[1].planned_start = Some(january(12));
    let result = schedule(&plan);
    assert_eq!((result.finish, row(&result, 0).total_float), (Some(january(12)), 3));
    assert!(!row(&result, 0).critical && row(&result, 1).critical);
}

#[test]
fn a_milestone_that_may_wait_is_late_at_the_end_of_its_project() {
    let result = schedule(&rows(&[5, 0]));
    assert_eq!((row(&result, 1).early_start, row(&result, 1).late_finish), (january(5), january(9)));
}

#[test]
fn the_order_of_rows_and_links_does_not_decide_which_links_of_a_cycle_go() {
    // Two links lead from A to B and one leads back; C hangs on both circles that share B.
    let kinds = [LinkKind::FinishToStart, LinkKind::StartToStart, LinkKind::FinishToStart];
    let pairs = [(0, 1), (0, 1), (1, 0), (1, 2), (2, 1)];
    let mut answers = Vec::new();
    for turn in 0..pairs.len() {
        for rows_turn in 0..3 {
            let place = |row: usize| (row + rows_turn) % 3;
            let mut plan = rows(&[2, 3, 4]);
            plan.tasks.rotate_right(rows_turn);
            plan.links = (0..pairs.len())
                .map(|index| (index + turn) % pairs.len())
                .map(|index| Link {
                    kind: kinds.get(index).copied().unwrap_or(LinkKind::FinishToStart),
                    ..Link::new(place(pairs[index].0), place(pairs[index].1))
                })
                .collect();
            let result = schedule(&plan);
            let dates = [0, 1, 2].map(|task| row(&result, place(task)).early_start);
            answers.push((dates, result.faults.len()));
        }
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}

#[test]
fn a_finish_held_by_work_that_was_done_on_a_day_off_waits_for_that_day_on_any_calendar() {
    let facts = [(Some(9), Some(10)), (None, Some(10)), (Some(8), Some(9)), (Some(8), None)];
    let wanted = [12, 12, 9, 8];
    for (others, (started, finished)) in
        [1, 2].into_iter().flat_map(|others| facts.map(|fact| (others, fact)))
    {
        // Saturday the 10th is no working day of either row; a third one may work on it.
        let mut plan = rows(&[1, 3, 1]);
        plan.tasks.truncate(1 + others);
        plan.tasks.get_mut(2).into_iter().for_each(|task| task.calendar = Some(1));
        plan.tasks[0].percent_complete = 100.0;
        (plan.tasks[0].actual_start, plan.tasks[0].actual_finish) =
            (started.map(january), finished.map(january));
        plan.links = vec![Link { kind: LinkKind::FinishToFinish, ..Link::new(0, 1) }];
        let place = facts.iter().position(|fact| *fact == (started, finished)).expect("one of them");
        let finish = row(&schedule(&plan), 1).early_finish;
        assert_eq!(finish, january(wanted[place]), "{others} rows more, {started:?} to {finished:?}");
        // A start is not held by it.
        plan.links = vec![Link::new(0, 1)];
        let start = row(&schedule(&plan), 1).early_start;
        assert_eq!(start, january([12, 12, 12, 9][place]), "{others} rows more, {started:?} to {finished:?}");
    }
}
