//! Where a held finish lands when the other end lies on a day that its task does not work, and where a
//! lead ends that is counted on a calendar with days off. Worked by hand.

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
    assert_eq!(held([MONDAY_TO_FRIDAY, ALL_WEEK], 13, 0, FinishToFinish, -1), (9, 11));
}

#[test]
fn a_lead_between_finishes_ends_in_an_evening() {
    // From Monday evening back to Friday evening, the 9th.
    assert_eq!(held([MONDAY_TO_FRIDAY, ALL_WEEK], 12, 1, FinishToFinish, -1), (7, 9));
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
fn a_milestone_that_shows_its_deadline_keeps_it() {
    // Work that ends on Saturday reaches an office milestone that shows Friday, the day it is due.
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
        assert_eq!(result.tasks[1].map(|dates| dates.early_finish), Some(monday.plus(4)));
        assert!(result.conflicts.is_empty());
        // Sunday is left; on Monday the milestone would show Monday.
        assert_eq!(floats(&result), [Some(1), Some(0)]);
        plan.tasks[0].duration = 8;
        let result = schedule(&plan);
        assert_eq!(result.conflicts.len(), 1);
        assert_eq!(floats(&result), [Some(-1), Some(-1)]);
    }
}
