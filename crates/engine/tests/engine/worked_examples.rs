//! The examples that `docs/scheduling.md` explains, one test each, with dates that a person can check.

use planwright_engine::{
    Calendar, CalendarException, ConflictKind, Constraint, Day, DoneWork, Fault, LagCalendar, LagUnit, Link,
    LinkKind, Network, Progress, ProgressMode, ProjectFrame, Schedule, Task, schedule,
};

use LinkKind::{FinishToFinish, FinishToStart, StartToFinish, StartToStart};

/// A day of January 2026; the 5th is a Monday.
fn january(day: u32) -> Day {
    Day::from_ymd(2026, 1, day).expect("a day of January")
}

fn network(durations: &[i32]) -> Network {
    let tasks = durations.iter().zip(1..).map(|(duration, id)| Task::new(id, *duration)).collect();
    Network { projects: vec![ProjectFrame::starting(january(5))], tasks, ..Network::default() }
}

fn link(predecessor: usize, successor: usize, kind: LinkKind, lag: i32) -> Link {
    Link { kind, lag, ..Link::new(predecessor, successor) }
}

/// Early start and finish as days of January.
fn dates(schedule: &Schedule, task: usize) -> (u32, u32) {
    let dates = schedule.tasks[task].expect("a scheduled task");
    (dates.early_start.to_ymd().2, dates.early_finish.to_ymd().2)
}

fn floats(schedule: &Schedule, task: usize) -> (i32, i32) {
    let dates = schedule.tasks[task].expect("a scheduled task");
    (dates.total_float, dates.free_float)
}

#[test]
fn a_milestone_costs_nothing() {
    let mut plan = network(&[5, 0, 2]);
    plan.links = vec![Link::new(0, 1), Link::new(1, 2)];
    let result = schedule(&plan);
    assert_eq!([0, 1, 2].map(|task| dates(&result, task)), [(5, 9), (9, 9), (12, 13)]);
    assert_eq!([0, 1, 2].map(|task| floats(&result, task)), [(0, 0); 3]);
    assert_eq!(result.critical_path, [0, 1, 2]);
    assert_eq!(result.finish, Some(january(13)));
}

#[test]
fn a_milestone_without_predecessors_shows_as_a_start() {
    let mut plan = network(&[0, 2]);
    plan.tasks[0].planned_start = Some(january(10));
    plan.links = vec![Link::new(0, 1)];
    let result = schedule(&plan);
    assert_eq!([0, 1].map(|task| dates(&result, task)), [(12, 12), (12, 13)]);
}

#[test]
fn working_lag_keeps_the_critical_path_whole() {
    let mut plan = network(&[3, 2, 4]);
    plan.links = vec![Link::new(0, 1), link(0, 2, FinishToStart, 2)];
    let result = schedule(&plan);
    assert_eq!([0, 1, 2].map(|task| dates(&result, task)), [(5, 7), (8, 9), (12, 15)]);
    assert_eq!([0, 1, 2].map(|task| floats(&result, task)), [(0, 0), (4, 4), (0, 0)]);
    assert!(result.links[1].driving);
}

#[test]
fn elapsed_lag_is_swallowed_by_a_weekend() {
    let mut plan = network(&[3, 2, 4]);
    plan.projects[0].lag_calendar = LagCalendar::Elapsed;
    plan.links = vec![Link::new(0, 1), link(0, 2, FinishToStart, 2)];
    let result = schedule(&plan);
    assert_eq!([0, 1, 2].map(|task| dates(&result, task)), [(5, 7), (8, 9), (12, 15)]);
    assert_eq!(floats(&result, 0), (2, 0), "the second task would move, the finish would not");
    plan.links.remove(0);
    let result = schedule(&plan);
    assert_eq!(floats(&result, 0), (2, 2), "Saturday and Sunday are waited out either way");
    assert_eq!(result.links[0].slack, Some(2));
    assert_eq!(result.critical_path, [2]);

    let mut plan = network(&[5, 2]);
    plan.projects[0].lag_calendar = LagCalendar::Elapsed;
    plan.links = vec![link(0, 1, FinishToStart, 2)];
    assert_eq!(dates(&schedule(&plan), 1), (12, 13));
    plan.links[0].lag = -2;
    assert_eq!(dates(&schedule(&plan), 1), (8, 9));
}

#[test]
fn remaining_work_starts_at_the_data_date() {
    let mut plan = network(&[10, 3]);
    plan.links = vec![Link::new(0, 1)];
    plan.tasks[0].actual_start = Some(january(5));
    plan.tasks[0].percent_complete = 50.0;
    plan.projects[0].data_date = Some(january(12));
    let result = schedule(&plan);
    assert_eq!([0, 1].map(|task| dates(&result, task)), [(12, 16), (19, 21)]);
    let progress = result.tasks[0].expect("scheduled");
    assert_eq!(progress.scheduled_start, january(5));
    assert_eq!((progress.remaining_duration, progress.progress), (5, Progress::InProgress));

    plan.projects[0].data_date = Some(january(21));
    let result = schedule(&plan);
    assert_eq!([0, 1].map(|task| dates(&result, task)), [(21, 27), (28, 30)]);

    plan.projects[0].data_date = None;
    let result = schedule(&plan);
    assert_eq!(dates(&result, 0), (12, 16), "resumes where the done part ends");
}

#[test]
fn a_percentage_without_an_actual_start_counts_from_the_plan() {
    let mut plan = network(&[5, 10]);
    plan.links = vec![Link::new(0, 1)];
    plan.tasks[0].percent_complete = 100.0;
    plan.tasks[1].percent_complete = 50.0;
    let result = schedule(&plan);
    assert_eq!([0, 1].map(|task| dates(&result, task)), [(5, 9), (19, 23)]);
    assert_eq!(result.tasks[1].map(|dates| dates.scheduled_start), Some(january(12)));
}

#[test]
fn reported_work_is_not_in_the_future() {
    let mut plan = network(&[10, 1]);
    plan.links = vec![Link::new(0, 1)];
    plan.tasks[0].percent_complete = 100.0;
    plan.projects[0].data_date = Some(january(8));
    assert_eq!([0, 1].map(|task| dates(&schedule(&plan), task)), [(5, 7), (8, 8)]);
    plan.tasks[0].actual_start = Some(january(6));
    assert_eq!([0, 1].map(|task| dates(&schedule(&plan), task)), [(6, 7), (8, 8)]);
    plan.projects[0].data_date = None;
    assert_eq!([0, 1].map(|task| dates(&schedule(&plan), task)), [(6, 19), (20, 20)]);
}

#[test]
fn finish_and_start_links_hold_their_ends() {
    let mut plan = network(&[5, 3, 2]);
    plan.links = vec![link(0, 1, FinishToFinish, 0), link(0, 2, StartToStart, 1)];
    let result = schedule(&plan);
    assert_eq!([0, 1, 2].map(|task| dates(&result, task)), [(5, 9), (7, 9), (6, 7)]);
    assert_eq!(floats(&result, 2), (2, 2));
    assert!(result.links.iter().all(|link| link.driving));

    let mut plan = network(&[5, 3]);
    plan.links = vec![link(0, 1, StartToFinish, 4)];
    assert_eq!(dates(&schedule(&plan), 1), (6, 8), "four working days after Monday morning");
    plan.projects[0].lag_calendar = LagCalendar::Elapsed;
    assert_eq!(dates(&schedule(&plan), 1), (7, 9), "four days from the shown Monday to the shown Friday");
}

#[test]
fn a_pair_may_carry_two_links() {
    let mut plan = network(&[5, 5]);
    plan.links = vec![link(0, 1, StartToStart, 1), link(0, 1, FinishToFinish, 2)];
    assert_eq!(dates(&schedule(&plan), 1), (7, 13));
}

#[test]
fn finished_work_cuts_logic() {
    let mut plan = network(&[5, 2, 2]);
    plan.projects[0].data_date = Some(january(8));
    plan.links = vec![Link::new(0, 1), Link::new(1, 2)];
    plan.tasks[1].actual_start = Some(january(6));
    plan.tasks[1].actual_finish = Some(january(7));
    let result = schedule(&plan);
    assert_eq!([0, 1, 2].map(|task| dates(&result, task)), [(8, 14), (6, 7), (8, 9)]);
    assert_eq!(floats(&result, 2), (3, 3));
    assert_eq!(result.critical_path, [0]);
    assert_eq!(result.links[0].slack, None);
}

#[test]
fn work_begun_out_of_sequence_waits_for_its_predecessor() {
    let mut plan = network(&[5, 4]);
    plan.projects[0].data_date = Some(january(7));
    plan.links = vec![Link::new(0, 1)];
    plan.tasks[1].actual_start = Some(january(6));
    plan.tasks[1].percent_complete = 25.0;
    let result = schedule(&plan);
    assert_eq!([0, 1].map(|task| dates(&result, task)), [(7, 13), (14, 16)]);
    assert_eq!(result.tasks[1].map(|dates| dates.scheduled_start), Some(january(6)));
}

#[test]
fn holidays_and_worked_saturdays_count() {
    let mut plan = network(&[4, 1]);
    plan.links = vec![Link::new(0, 1)];
    let holiday = CalendarException { first: january(7), last: january(8), working: false };
    plan.calendars = vec![Calendar { exceptions: vec![holiday], ..Calendar::default() }];
    plan.projects[0].calendar = Some(0);
    let result = schedule(&plan);
    assert_eq!([0, 1].map(|task| dates(&result, task)), [(5, 12), (13, 13)]);
    let saturday = CalendarException { first: january(10), last: january(10), working: true };
    plan.calendars[0].exceptions.push(saturday);
    let result = schedule(&plan);
    assert_eq!([0, 1].map(|task| dates(&result, task)), [(5, 10), (12, 12)]);
}

#[test]
fn a_planned_start_on_a_weekend_moves_on() {
    let mut plan = network(&[2, 2]);
    plan.links = vec![Link::new(0, 1)];
    plan.tasks[1].planned_start = Some(january(10));
    let result = schedule(&plan);
    assert_eq!(dates(&result, 1), (12, 13));
    assert_eq!(floats(&result, 0), (3, 3));
    assert!(!result.links[0].driving);
}

#[test]
fn leads_stop_at_the_floor() {
    let mut plan = network(&[2, 2]);
    plan.links = vec![link(0, 1, FinishToStart, -9)];
    assert_eq!(dates(&schedule(&plan), 1), (5, 6));
    plan.projects[0].data_date = Some(january(7));
    assert_eq!(dates(&schedule(&plan), 1), (7, 8));
}

#[test]
fn per_cent_lag_follows_the_predecessor() {
    let mut plan = network(&[5, 1]);
    plan.links = vec![Link { lag_unit: LagUnit::Percent, ..link(0, 1, StartToStart, 50) }];
    assert_eq!(dates(&schedule(&plan), 1), (8, 8), "half of five days, rounded to three");
}

#[test]
fn every_task_works_on_its_own_calendar() {
    let mut plan = network(&[6, 1, 0, 1]);
    plan.calendars = vec![Calendar::weekly(0b111_1111)];
    plan.tasks[0].calendar = Some(0);
    plan.tasks[3].calendar = Some(0);
    plan.links = vec![Link::new(0, 1), Link::new(0, 2), Link::new(2, 3)];
    let result = schedule(&plan);
    // The milestone is the office's: it waits for Monday, and what follows with it.
    assert_eq!([0, 1, 3].map(|task| dates(&result, task)), [(5, 10), (12, 12), (12, 12)]);
}

#[test]
fn the_lag_calendar_says_whose_days_count() {
    let mut plan = network(&[5, 1]);
    plan.calendars = vec![Calendar::weekly(0b111_1111)];
    plan.tasks[1].calendar = Some(0);
    plan.links = vec![link(0, 1, FinishToStart, 1)];
    let with = |plan: &mut Network, lag_calendar| {
        plan.links[0].lag_calendar = Some(lag_calendar);
        dates(&schedule(plan), 1).0
    };
    assert_eq!(with(&mut plan, LagCalendar::Successor), 11);
    assert_eq!(with(&mut plan, LagCalendar::Predecessor), 13);
    assert_eq!(with(&mut plan, LagCalendar::Project), 13);
    assert_eq!(with(&mut plan, LagCalendar::Elapsed), 11);
}

#[test]
fn a_link_on_a_summary_acts_on_its_leaves() {
    // 0 is a summary of 1 → 2; 3 leads into it, 4 follows it, 5 starts with it.
    let mut plan = network(&[1, 2, 3, 2, 1, 1]);
    plan.tasks[1].parent = Some(0);
    plan.tasks[2].parent = Some(0);
    plan.links = vec![Link::new(1, 2), Link::new(3, 0), Link::new(0, 4), link(0, 5, StartToStart, 1)];
    let result = schedule(&plan);
    assert_eq!(dates(&result, 0), (7, 13));
    assert_eq!([1, 2, 4, 5].map(|task| dates(&result, task)), [(7, 8), (9, 13), (14, 14), (8, 8)]);
    assert!(result.tasks[0].is_some_and(|dates| dates.critical && dates.total_float == 0));
    assert!(result.links[..3].iter().all(|link| link.driving));
    assert_eq!(result.tasks[0].map(|dates| dates.remaining_duration), Some(5));
}

#[test]
fn a_cycle_is_reported_and_the_rest_is_scheduled() {
    let mut plan = network(&[1, 1, 1, 4, 2]);
    plan.links = vec![Link::new(2, 1), Link::new(1, 2), Link::new(3, 4), Link::new(3, 2)];
    let result = schedule(&plan);
    assert_eq!(result.faults, [Fault::Cycle { path: vec![2, 3], links: vec![1, 0] }]);
    assert_eq!([1, 2, 4].map(|task| dates(&result, task)), [(5, 5), (9, 9), (9, 12)]);
}

#[test]
fn containment_counts_in_cycles() {
    let mut plan = network(&[1, 3, 1]);
    plan.tasks[1].parent = Some(0);
    plan.links = vec![Link::new(0, 1), Link::new(1, 2)];
    let result = schedule(&plan);
    assert_eq!(result.faults, [Fault::Cycle { path: vec![1, 2], links: vec![0] }]);
    assert_eq!(dates(&result, 2), (8, 8));
}

#[test]
fn a_bad_row_is_left_out_alone() {
    let mut plan = network(&[2, -1, 2]);
    plan.links = vec![Link::new(0, 1), Link::new(1, 2), Link::new(0, 2), Link::new(0, 9)];
    let result = schedule(&plan);
    assert_eq!(result.faults.len(), 4);
    assert!(result.tasks[1].is_none());
    assert_eq!(dates(&result, 2), (7, 8));
}

#[test]
fn a_missed_deadline_is_negative_float() {
    let mut plan = network(&[5, 3]);
    plan.links = vec![Link::new(0, 1)];
    plan.tasks[1].deadline = Some(january(12));
    let result = schedule(&plan);
    assert_eq!([floats(&result, 0).0, floats(&result, 1).0], [-2, -2]);
    assert_eq!(result.conflicts.len(), 1);
    assert_eq!(result.conflicts[0].expected, january(14));
    plan.tasks[1].deadline = None;
    plan.tasks[1].constraint = Some(Constraint::MustStartOn(january(14)));
    let result = schedule(&plan);
    assert_eq!((dates(&result, 1), floats(&result, 0)), ((14, 16), (2, 2)));
}

#[test]
fn logic_wins_over_dates_unless_they_are_honoured() {
    let mut plan = network(&[5, 3]);
    plan.links = vec![Link::new(0, 1)];
    plan.tasks[1].constraint = Some(Constraint::StartNoLaterThan(january(8)));
    let soft = schedule(&plan);
    assert_eq!((dates(&soft, 1), floats(&soft, 0).0, soft.conflicts.len()), ((12, 14), -2, 1));
    plan.options.honour_dates = true;
    let hard = schedule(&plan);
    assert_eq!((dates(&hard, 1), floats(&hard, 0).0), ((8, 12), -2));
    // It starts before its predecessor ends, and that is said.
    let broken: Vec<_> =
        hard.conflicts.iter().map(|conflict| (conflict.kind, conflict.wanted, conflict.expected)).collect();
    assert_eq!(broken, [(ConflictKind::Logic, january(12), january(8))]);
}

#[test]
fn as_late_as_possible_moves_nobody_else() {
    let mut plan = network(&[2, 2, 8, 1]);
    plan.links = vec![Link::new(0, 1), Link::new(1, 3), Link::new(2, 3)];
    plan.tasks[0].constraint = Some(Constraint::AsLateAsPossible);
    plan.tasks[1].constraint = Some(Constraint::AsLateAsPossible);
    let result = schedule(&plan);
    assert_eq!([0, 1, 2, 3].map(|task| dates(&result, task)), [(9, 12), (13, 14), (5, 14), (15, 15)]);
    assert_eq!(floats(&result, 0), (0, 0));
}

#[test]
fn progress_may_override_logic() {
    let mut plan = network(&[5, 4]);
    plan.projects[0].data_date = Some(january(7));
    plan.options.progress = ProgressMode::ProgressOverride;
    plan.links = vec![Link::new(0, 1)];
    plan.tasks[1].actual_start = Some(january(6));
    plan.tasks[1].percent_complete = 25.0;
    let result = schedule(&plan);
    assert_eq!([0, 1].map(|task| dates(&result, task)), [(7, 13), (7, 9)]);
    assert_eq!(result.links[0].slack, None);
}

#[test]
fn a_project_has_its_own_float_inside_a_program() {
    let mut plan = network(&[2, 3, 9]);
    plan.projects.push(ProjectFrame::starting(january(5)));
    plan.tasks[2].project = 1;
    plan.links = vec![Link::new(0, 2), Link::new(0, 1)];
    let result = schedule(&plan);
    let first = result.tasks[0].expect("scheduled");
    assert_eq!((first.total_float, first.program_total_float), (0, 0));
    let second = result.tasks[1].expect("scheduled");
    assert_eq!((second.total_float, second.program_total_float), (0, 6));
    assert_eq!(result.projects[0].finish, Some(january(9)));
    assert_eq!(result.finish, Some(january(19)));
}

#[test]
fn a_finish_no_earlier_than_pulls_the_start_along() {
    let mut plan = network(&[3, 2]);
    plan.tasks[0].constraint = Some(Constraint::FinishNoEarlierThan(january(14)));
    plan.links = vec![Link::new(0, 1)];
    let result = schedule(&plan);
    assert_eq!([0, 1].map(|task| dates(&result, task)), [(12, 14), (15, 16)]);
}

#[test]
fn what_finished_work_hides_may_slip_until_its_actual_finish() {
    let mut plan = network(&[1, 7, 2]);
    plan.options.done_work = DoneWork::Retained;
    plan.projects[0].data_date = Some(january(5));
    (plan.tasks[1].actual_start, plan.tasks[1].actual_finish) = (Some(january(6)), Some(january(14)));
    plan.tasks[2].deadline = Some(january(15));
    plan.links = vec![Link::new(0, 1), Link::new(1, 2)];
    let result = schedule(&plan);
    assert_eq!([0, 2].map(|task| dates(&result, task)), [(5, 5), (15, 16)]);
    assert_eq!([0, 2].map(|task| floats(&result, task).0), [7, -1]);
}

#[test]
fn the_start_of_finished_work_holds_nothing_back() {
    let mut plan = network(&[5, 2, 2]);
    plan.options.done_work = DoneWork::Retained;
    plan.projects[0].data_date = Some(january(8));
    (plan.tasks[1].actual_start, plan.tasks[1].actual_finish) = (Some(january(6)), Some(january(7)));
    plan.links = vec![Link::new(0, 1), link(1, 2, StartToStart, 0)];
    let result = schedule(&plan);
    assert_eq!([0, 2].map(|task| dates(&result, task)), [(8, 14), (8, 9)]);
    assert_eq!([0, 2].map(|task| floats(&result, task)), [(0, 0), (3, 3)]);
}

#[test]
fn a_link_into_late_work_has_the_slack_up_to_it() {
    let mut plan = network(&[1, 2, 10]);
    plan.tasks[1].constraint = Some(Constraint::AsLateAsPossible);
    plan.links = vec![Link::new(0, 1)];
    let result = schedule(&plan);
    assert_eq!([0, 1].map(|task| dates(&result, task)), [(5, 5), (15, 16)]);
    assert_eq!(result.links[0].slack, Some(7));
}
