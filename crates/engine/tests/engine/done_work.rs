//! Complete work with only some recorded dates, dated limits on work that has begun, and summaries of leaves with
//! different progress. The results were computed by hand. All calendars are Monday to Friday.

use planwright_engine::{
    Calendar, CompiledPlan, ConflictKind, Constraint, Day, Edit, Fault, Link, LinkKind, Network, Progress,
    ProjectFrame, Quantity, Reason, Schedule, Task, TaskDates, explain, schedule,
};

/// A day of January 2026; the 5th is a Monday.
fn january(day: u32) -> Day {
    Day::from_ymd(2026, 1, day).expect("a day of January")
}

/// Rows of these durations, each after the one before.
fn chain(durations: &[i32]) -> Network {
    Network {
        projects: vec![ProjectFrame::starting(january(5))],
        tasks: durations.iter().zip(1..).map(|(duration, id)| Task::new(id, *duration)).collect(),
        links: (1..durations.len()).map(|to| Link::new(to - 1, to)).collect(),
        ..Network::default()
    }
}

fn row(schedule: &Schedule, task: usize) -> TaskDates {
    schedule.tasks[task].expect("a scheduled row")
}

/// Early start and finish as days of January.
fn dates(schedule: &Schedule, task: usize) -> (u32, u32) {
    let dates = row(schedule, task);
    (dates.early_start.to_ymd().2, dates.early_finish.to_ymd().2)
}

fn finish(plan: &mut Network, task: usize, start: Option<u32>, finish: Option<u32>) {
    plan.tasks[task].percent_complete = 100.0;
    plan.tasks[task].actual_start = start.map(january);
    plan.tasks[task].actual_finish = finish.map(january);
}

#[test]
fn almost_done_is_not_done() {
    let almost = f64::from_bits(100f64.to_bits() - 1);
    for duration in (1..2_000).chain([366_000]) {
        let mut plan = chain(&[duration]);
        plan.tasks[0].percent_complete = almost;
        let result = schedule(&plan);
        assert_eq!(row(&result, 0).progress, Progress::InProgress);
        assert_eq!(row(&result, 0).remaining_duration, 1, "{duration} days");
    }
}

#[test]
fn finished_work_of_which_only_the_start_is_known() {
    let mut plan = chain(&[3, 1]);
    finish(&mut plan, 0, Some(6), None);
    assert_eq!([0, 1].map(|task| dates(&schedule(&plan), task)), [(6, 8), (9, 9)]);
    // Reported on the morning of the 7th, it was over by then; reported before it began, it took a day.
    plan.projects[0].data_date = Some(january(7));
    assert_eq!([0, 1].map(|task| dates(&schedule(&plan), task)), [(6, 6), (7, 7)]);
    finish(&mut plan, 0, Some(7), None);
    plan.projects[0].data_date = Some(january(6));
    assert_eq!([0, 1].map(|task| dates(&schedule(&plan), task)), [(7, 7), (8, 8)]);
}

#[test]
fn finished_work_of_which_only_the_finish_is_known() {
    let mut plan = chain(&[3, 1]);
    plan.links[0].kind = LinkKind::StartToStart;
    finish(&mut plan, 0, None, Some(9));
    assert_eq!([0, 1].map(|task| dates(&schedule(&plan), task)), [(7, 9), (7, 7)]);
    // A milestone begins where it ends: on Friday evening.
    plan.tasks[0].duration = 0;
    plan.calendars = vec![Calendar::weekly(0b111_1111)];
    plan.tasks[1].calendar = Some(0);
    assert_eq!([0, 1].map(|task| dates(&schedule(&plan), task)), [(9, 9), (10, 10)]);
}

#[test]
fn a_reached_milestone_lies_where_it_was_reached() {
    let mut plan = chain(&[0, 1]);
    plan.calendars = vec![Calendar::weekly(0b111_1111)];
    plan.tasks[1].calendar = Some(0);
    finish(&mut plan, 0, Some(12), None);
    let result = schedule(&plan);
    assert_eq!([0, 1].map(|task| dates(&result, task)), [(12, 12), (12, 12)]);
    assert!(!row(&result, 0).falls_at_day_end);
    finish(&mut plan, 0, None, Some(9));
    let result = schedule(&plan);
    assert_eq!([0, 1].map(|task| dates(&result, task)), [(9, 9), (10, 10)]);
    assert!(row(&result, 0).falls_at_day_end && !row(&result, 1).falls_at_day_end);
    let mut plan = chain(&[2]);
    finish(&mut plan, 0, Some(6), Some(7));
    assert!(!row(&schedule(&plan), 0).falls_at_day_end);
}

#[test]
fn finished_work_without_dates_follows_finished_work() {
    let mut plan = chain(&[3, 2, 1]);
    finish(&mut plan, 0, Some(5), Some(7));
    finish(&mut plan, 1, None, None);
    assert_eq!([1, 2].map(|task| dates(&schedule(&plan), task)), [(8, 9), (12, 12)]);
    // It is not in the future of the data date, even if that makes it overlap.
    plan.projects[0].data_date = Some(january(8));
    assert_eq!([1, 2].map(|task| dates(&schedule(&plan), task)), [(7, 7), (8, 8)]);
    // Work in progress without a start of its own begins behind it.
    plan.projects[0].data_date = None;
    plan.tasks[2] = Task { duration: 4, percent_complete: 50.0, ..plan.tasks[2].clone() };
    assert_eq!(dates(&schedule(&plan), 2), (14, 15));
    // Unfinished work before it does not count.
    plan.tasks[0] = Task::new(1, 3);
    assert_eq!(dates(&schedule(&plan), 1), (5, 6));
}

#[test]
fn a_reached_milestone_without_dates_shows_the_end_of_what_reached_it() {
    let mut plan = chain(&[5, 0, 1]);
    finish(&mut plan, 0, Some(5), Some(9));
    finish(&mut plan, 1, None, None);
    plan.tasks[1].deadline = Some(january(9));
    let result = schedule(&plan);
    assert_eq!([1, 2].map(|task| dates(&result, task)), [(9, 9), (12, 12)]);
    assert!(row(&result, 1).falls_at_day_end && result.conflicts.is_empty());
    plan.projects[0].data_date = Some(january(7));
    assert_eq!(dates(&schedule(&plan), 1), (6, 6));
    // Nothing that ended before the project began holds it.
    plan.projects[0].data_date = None;
    finish(&mut plan, 0, Some(1), Some(2));
    let result = schedule(&plan);
    assert_eq!(dates(&result, 1), (5, 5));
    assert!(!row(&result, 1).falls_at_day_end);
    plan.links.clear();
    assert_eq!(dates(&schedule(&plan), 1), (5, 5));
}

#[test]
fn a_finish_held_to_a_day_off_is_on_the_next_working_day() {
    let mut plan = chain(&[3]);
    plan.tasks[0].constraint = Some(Constraint::FinishNoEarlierThan(january(10)));
    assert_eq!(dates(&schedule(&plan), 0), (8, 12));
}

#[test]
fn a_milestone_may_lie_at_the_end_of_the_week_before_the_day_off_that_limits_it() {
    let mut plan = chain(&[5, 0]);
    plan.tasks[1].constraint = Some(Constraint::StartNoLaterThan(january(10)));
    let result = schedule(&plan);
    assert_eq!(row(&result, 1).total_float, 0);
    assert!(result.conflicts.is_empty());
    plan.tasks[0].duration = 6;
    let result = schedule(&plan);
    assert_eq!((row(&result, 1).total_float, result.conflicts.len()), (-1, 1));
}

#[test]
fn what_has_begun_is_not_asked_when_to_start() {
    let limits = [Constraint::StartNoLaterThan, Constraint::MustStartOn, Constraint::StartOn];
    for limit in limits.map(|limit: fn(Day) -> Constraint| limit(january(6))) {
        let mut plan = chain(&[2, 2]);
        plan.tasks[1].constraint = Some(limit);
        let missed = schedule(&plan).conflicts;
        assert_eq!(missed.iter().map(|missed| missed.kind).collect::<Vec<_>>(), [ConflictKind::Start]);
        plan.tasks[1].actual_start = Some(january(8));
        assert_eq!(schedule(&plan).conflicts, []);
    }
}

#[test]
fn what_is_finished_is_asked_for_its_deadline_alone() {
    let mut plan = chain(&[2]);
    plan.tasks[0].constraint = Some(Constraint::FinishNoLaterThan(january(6)));
    plan.tasks[0].deadline = Some(january(7));
    finish(&mut plan, 0, Some(5), Some(8));
    let kinds = |plan: &Network| -> Vec<ConflictKind> {
        schedule(plan).conflicts.iter().map(|missed| missed.kind).collect()
    };
    assert_eq!(kinds(&plan), [ConflictKind::Deadline]);
    plan.tasks[0].deadline = Some(january(8));
    assert_eq!(kinds(&plan), []);
    (plan.tasks[0].actual_finish, plan.tasks[0].percent_complete) = (None, 50.0);
    plan.tasks[0].actual_start = Some(january(7));
    assert_eq!(kinds(&plan), [ConflictKind::Finish]);
}

#[test]
fn a_deadline_is_a_bound_on_late_dates() {
    let mut plan = chain(&[3, 4]);
    plan.links.clear();
    plan.tasks[0].deadline = Some(january(8));
    let bounds = explain(&plan, 0, Quantity::Late).unwrap_or_default();
    let first = bounds.first().map(|bound| (bound.reason, bound.start, bound.finish, bound.slack));
    assert_eq!(first, Some((Reason::Deadline, january(6), january(8), 0)));
}

#[test]
fn a_summary_speaks_for_its_open_leaves() {
    // Done, open with two days of float, and critical.
    let mut plan = chain(&[0, 1, 1, 3]);
    plan.links.clear();
    (1..4).for_each(|leaf| plan.tasks[leaf].parent = Some(0));
    let result = schedule(&plan);
    let summary = row(&result, 0);
    assert!(summary.critical && summary.program_critical && summary.on_longest_path);
    assert!(!row(&result, 1).critical && !row(&result, 1).program_critical);
    for (done, open) in [(1, 2), (2, 1)] {
        let mut plan = plan.clone();
        finish(&mut plan, done, Some(5), Some(5));
        plan.tasks[3].parent = None;
        let result = schedule(&plan);
        assert_eq!(row(&result, 0).total_float, row(&result, open).total_float);
        assert_eq!((row(&result, 0).total_float, row(&result, 0).free_float), (2, 2));
        assert_eq!(row(&result, 0).progress, Progress::InProgress);
        assert!(!row(&result, 0).critical);
    }
}

#[test]
fn a_program_has_its_own_criticality() {
    let mut plan = chain(&[3, 5]);
    plan.links.clear();
    plan.projects.push(ProjectFrame::starting(january(5)));
    plan.tasks[1].project = 1;
    let result = schedule(&plan);
    let floats = |task| (row(&result, task).total_float, row(&result, task).program_total_float);
    assert_eq!([0, 1].map(floats), [(0, 2), (0, 0)]);
    assert_eq!([0, 1].map(|task| row(&result, task).critical), [true, true]);
    assert_eq!([0, 1].map(|task| row(&result, task).program_critical), [false, true]);
}

#[test]
fn a_link_out_of_nothing_has_no_slack_and_one_out_of_long_ago_has() {
    let mut plan = chain(&[0, 1, 2]);
    plan.tasks[1].parent = Some(0);
    plan.tasks[1].duration = -1;
    plan.links = vec![Link::new(0, 2)];
    let result = schedule(&plan);
    assert!(matches!(result.faults[..], [Fault::InvalidTask { task: 1, .. }]));
    assert_eq!(result.links[0].slack, None);
    let mut plan = chain(&[10, 2]);
    plan.tasks[0].actual_start = Day::from_ymd(1980, 1, 7);
    plan.tasks[0].percent_complete = 50.0;
    plan.links[0].kind = LinkKind::StartToStart;
    let slack = schedule(&plan).links[0].slack;
    assert!(slack.is_some_and(|slack| slack > 11_000), "{slack:?}");
}

#[test]
fn a_summary_that_is_left_out_has_no_dates_in_a_kept_plan_either() {
    let mut plan = chain(&[0, 2, 3]);
    plan.links.clear();
    plan.tasks[1].parent = Some(0);
    plan.tasks[0].id = plan.tasks[2].id;
    plan.tasks.rotate_left(2);
    plan.tasks[2].parent = Some(1);
    let kept = CompiledPlan::new(plan.clone());
    let rows: Vec<Option<TaskDates>> = (0..3).map(|task| kept.task(task)).collect();
    assert_eq!(rows, schedule(&plan).tasks);
    assert!(rows[1].is_none() && rows[2].is_some());
}

#[test]
fn a_data_date_moves_a_milestone_to_the_next_morning() {
    let mut plan = chain(&[5, 0, 2, 1]);
    plan.links.truncate(2);
    finish(&mut plan, 0, Some(5), Some(9));
    plan.tasks[3].actual_start = Some(january(5));
    finish(&mut plan, 3, Some(5), Some(5));
    let mut kept = CompiledPlan::new(plan);
    assert_eq!(dates(&kept.schedule(), 1), (9, 9));
    let changes = kept.edit(Edit::DataDate { project: 0, day: Some(january(12)) });
    // What was finished stays; the milestone is where it was, but nothing before holds it there any more.
    assert_eq!(changes.map(|changes| changes.tasks), Ok(vec![1, 2]));
    assert_eq!(dates(&kept.schedule(), 1), (12, 12));
    assert_eq!(kept.schedule(), schedule(kept.network()));
}
