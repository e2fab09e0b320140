//! The place of a limited finish if the other end is on a day off of the task, and the end of a lead on a calendar
//! with days off. The results were computed by hand.

use planwright_engine::{
    Calendar, Constraint, Day, LagCalendar, LagUnit, Link, LinkKind, MONDAY_TO_FRIDAY, Network, ProjectFrame,
    Schedule, Task, schedule,
};

use LinkKind::{FinishToFinish, FinishToStart, StartToFinish};

const ALL_WEEK: u8 = 0b111_1111;
const TO_SATURDAY: u8 = 0b011_1111;

/// A day of January 2026; the 5th is a Monday.
fn january(day: u32) -> Day {
    Day::from_ymd(2026, 1, day).expect("a day of January")
}

/// First and last day of three days of work that `link` holds to a row of this calendar and duration,
/// planned to begin on a day of January. Lags count on the calendar of that row.
fn held(calendars: [u8; 2], begins: u32, duration: i32, kind: LinkKind, lag: i32) -> (u32, u32) {
    let mut plan = Network {
        projects: vec![ProjectFrame {
            lag_calendar: LagCalendar::Predecessor,
            ..ProjectFrame::starting(january(1))
        }],
        calendars: calendars.map(Calendar::weekly).to_vec(),
        tasks: vec![Task::new(1, duration), Task::new(2, 3)],
        links: vec![Link { kind, lag, ..Link::new(0, 1) }],
        ..Network::default()
    };
    plan.tasks[0].planned_start = Some(january(begins));
    (plan.tasks[0].calendar, plan.tasks[1].calendar) = (Some(0), Some(1));
    let dates = schedule(&plan).tasks[1].expect("a scheduled row");
    (dates.early_start.to_ymd().2, dates.early_finish.to_ymd().2)
}

#[test]
fn a_finish_held_by_a_finish_does_not_end_before_it() {
    // The first row ends on Saturday the 10th.
    assert_eq!(held([TO_SATURDAY, MONDAY_TO_FRIDAY], 5, 6, FinishToFinish, 0), (8, 12));
    assert_eq!(held([ALL_WEEK, MONDAY_TO_FRIDAY], 5, 5, FinishToFinish, 1), (8, 12));
}

#[test]
fn a_finish_held_by_a_start_may_end_on_the_last_working_day_before() {
    // The first row begins on Sunday the 11th.
    assert_eq!(held([ALL_WEEK, MONDAY_TO_FRIDAY], 11, 2, StartToFinish, 0), (7, 9));
    assert_eq!(held([ALL_WEEK, MONDAY_TO_FRIDAY], 12, 2, StartToFinish, -1), (7, 9));
    // A day later than a Saturday's morning is its evening, and that day is worked first.
    assert_eq!(held([ALL_WEEK, MONDAY_TO_FRIDAY], 10, 2, StartToFinish, 1), (8, 12));
    assert_eq!(held([ALL_WEEK, MONDAY_TO_FRIDAY], 10, 0, FinishToFinish, 1), (8, 12));
}

#[test]
fn a_finish_held_by_a_milestone_ends_neither_before_it_nor_before_the_last_day_of_its_calendar() {
    // The milestone's calendar works on Saturday the 10th, the day before it.
    assert_eq!(held([ALL_WEEK, MONDAY_TO_FRIDAY], 11, 0, FinishToFinish, 0), (8, 12));
    // Monday's milestone ends Friday on its own calendar; who works all week still waits for Monday.
    assert_eq!(held([MONDAY_TO_FRIDAY, ALL_WEEK], 12, 0, FinishToFinish, 0), (9, 11));
    assert_eq!(held([MONDAY_TO_FRIDAY; 2], 12, 0, FinishToFinish, 0), (7, 9));
}

#[test]
fn a_lead_to_or_from_a_start_ends_in_a_morning() {
    // The first row ends on Monday the 12th; a working day before is Monday's morning.
    assert_eq!(held([MONDAY_TO_FRIDAY, ALL_WEEK], 12, 1, FinishToStart, -1), (12, 14));
    // It begins on Tuesday the 13th.
    assert_eq!(held([MONDAY_TO_FRIDAY, ALL_WEEK], 13, 2, StartToFinish, -1), (9, 11));
}

#[test]
fn a_lead_between_finishes_ends_in_an_evening() {
    // From Monday evening back to Friday evening, the 9th.
    assert_eq!(held([MONDAY_TO_FRIDAY, ALL_WEEK], 12, 1, FinishToFinish, -1), (7, 9));
    // A milestone on Tuesday's morning is over with Monday.
    assert_eq!(held([MONDAY_TO_FRIDAY, ALL_WEEK], 13, 0, FinishToFinish, -1), (7, 9));
}

#[test]
fn calendar_days_from_a_shown_start_end_on_a_day_that_is_worked() {
    let mut plan = Network {
        projects: vec![ProjectFrame {
            lag_calendar: LagCalendar::Elapsed,
            ..ProjectFrame::starting(january(5))
        }],
        tasks: vec![Task::new(1, 5), Task::new(2, 3)],
        links: vec![Link { kind: StartToFinish, lag: 6, ..Link::new(0, 1) }],
        ..Network::default()
    };
    // The 5th and six days is Sunday the 11th.
    let finish = |plan: &Network| schedule(plan).tasks[1].map(|dates| dates.early_finish);
    assert_eq!(finish(&plan), Some(january(12)));
    plan.links[0].lag = 4;
    assert_eq!(finish(&plan), Some(january(9)));
}

#[test]
fn elapsed_days_are_calendar_days() {
    let mut plan = Network {
        projects: vec![ProjectFrame::starting(january(5))],
        tasks: vec![Task::new(1, 3), Task::new(2, 3)],
        links: vec![Link { lag: 7, lag_unit: LagUnit::Elapsed, ..Link::new(0, 1) }],
        ..Network::default()
    };
    // The first row ends on Wednesday the 7th.
    let start = |plan: &Network| schedule(plan).tasks[1].map(|dates| dates.early_start);
    assert_eq!(start(&plan), Some(january(15)));
    plan.links[0].lag = 2;
    assert_eq!(start(&plan), Some(january(12)));
}

#[test]
fn a_milestone_keeps_its_deadline_only_if_it_is_reached_by_its_evening() {
    // Work that ends on Saturday reaches an office milestone that is due on Friday; the office sees it on Monday.
    let monday = Day::from_ymd(2026, 1, 5).expect("a day");
    let due = [
        Task { deadline: Some(monday.plus(4)), ..Task::new(2, 0) },
        Task { constraint: Some(Constraint::FinishNoLaterThan(monday.plus(4))), ..Task::new(2, 0) },
        Task { constraint: Some(Constraint::MustFinishOn(monday.plus(4))), ..Task::new(2, 0) },
    ];
    for milestone in due {
        let mut plan = Network {
            projects: vec![ProjectFrame::starting(monday)],
            calendars: vec![Calendar::weekly(0b111_1111)],
            tasks: vec![Task { calendar: Some(0), ..Task::new(1, 6) }, milestone, Task::new(3, 20)],
            links: vec![Link::new(0, 1)],
            ..Network::default()
        };
        let result = schedule(&plan);
        let floats =
            |schedule: &Schedule| [0, 1].map(|row| schedule.tasks[row].map(|dates| dates.total_float));
        assert_eq!(result.tasks[1].map(|dates| dates.early_finish), Some(monday.plus(7)));
        let missed: Vec<(Day, Day)> =
            result.conflicts.iter().map(|conflict| (conflict.wanted, conflict.expected)).collect();
        assert_eq!(missed, [(monday.plus(4), monday.plus(7))]);
        // Both are a day of their own calendars too late.
        assert_eq!(floats(&result), [Some(-1), Some(-1)]);
        plan.tasks[0].duration = 5;
        let result = schedule(&plan);
        assert!(result.conflicts.is_empty());
        assert_eq!(floats(&result), [Some(0), Some(0)]);
        plan.tasks[0].duration = 8;
        // Monday evening is a day too late for the office and three for who works all week.
        assert_eq!(floats(&schedule(&plan)), [Some(-3), Some(-1)]);
    }
}

#[test]
fn a_row_that_nothing_is_linked_to_moves_nothing() {
    // T5 must be over on Friday the 9th. A day less than T2's finish is the morning of the day that T2 takes,
    // and Monday's morning is behind Friday's evening: T2 can be no later than Friday.
    let thursday = january(8);
    let mut plan = Network {
        projects: vec![ProjectFrame::starting(thursday)],
        calendars: vec![Calendar::weekly(ALL_WEEK)],
        tasks: [1, 0, 3].into_iter().zip(1..).map(|(days, id)| Task::new(id, days)).collect(),
        links: vec![Link { lag: -1, ..Link::new(0, 1) }],
        ..Network::default()
    };
    plan.tasks[0].constraint = Some(Constraint::AsLateAsPossible);
    plan.tasks[1].constraint = Some(Constraint::FinishOn(january(9)));
    let of_first = |plan: &Network| {
        let dates = schedule(plan).tasks[0].expect("a scheduled row");
        (dates.early_start, dates.early_finish, dates.total_float, dates.critical)
    };
    assert_eq!(of_first(&plan), (january(9), january(9), 0, true));
    let mut with_milestone = plan.clone();
    with_milestone.tasks.push(Task { calendar: Some(0), ..Task::new(9, 0) });
    assert_eq!(of_first(&with_milestone), of_first(&plan));
    let mut program = plan.clone();
    program.projects.push(ProjectFrame { calendar: Some(0), ..ProjectFrame::starting(thursday) });
    program.tasks.push(Task { project: 1, ..Task::new(9, 4) });
    assert_eq!(of_first(&program), of_first(&plan));
}

#[test]
fn a_milestone_inside_a_phase_holds_what_the_phase_holds_as_it_does_itself() {
    // Work on all days ends on Saturday the 10th; the milestone behind it is on all days too, or the office's.
    for (calendar, finish) in [(Some(0), 12), (None, 9)] {
        let mut plan = Network {
            projects: vec![ProjectFrame::starting(january(5))],
            calendars: vec![Calendar::weekly(ALL_WEEK)],
            tasks: [6, 0, 0, 2].into_iter().zip(1..).map(|(days, id)| Task::new(id, days)).collect(),
            links: vec![Link::new(0, 2), Link { kind: FinishToFinish, ..Link::new(1, 3) }],
            ..Network::default()
        };
        plan.tasks[0].calendar = Some(0);
        plan.tasks[2] = Task { parent: Some(1), calendar, ..plan.tasks[2].clone() };
        let by_phase = schedule(&plan).tasks[3].map(|dates| dates.early_finish);
        plan.links[1].predecessor = 2;
        let by_milestone = schedule(&plan).tasks[3].map(|dates| dates.early_finish);
        // Saturday's evening holds the office until Monday. In Monday's morning nothing is worked since Friday.
        assert_eq!((by_phase, by_milestone), (Some(january(finish)), Some(january(finish))));
    }
}
