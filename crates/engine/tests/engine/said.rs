//! Wrong values and very long delays are reported with their row and value, and never ignored.

use crate::generate::START;
use planwright_engine::{
    Calendar, CalendarException, CompiledPlan, Conflict, ConflictKind, Constraint, Day, Edit, Fault, Link,
    Network, ProjectFrame, Quantity, Reason, Schedule, Task, explain, schedule,
};

/// A phase with a limit over two rows in a line, and a third row beside it.
fn phase(constraint: Option<Constraint>, deadline: Option<Day>) -> Network {
    let below = |id, days| Task { parent: Some(1), ..Task::new(id, days) };
    let inner = Task { parent: Some(0), ..Task::new(2, 0) };
    Network {
        projects: vec![ProjectFrame::starting(START)],
        tasks: vec![
            Task { constraint, deadline, ..Task::new(1, 0) },
            inner,
            below(3, 2),
            below(4, 3),
            Task::new(5, 8),
        ],
        links: vec![Link::new(2, 3)],
        ..Network::default()
    }
}

fn floats(result: &Schedule) -> Vec<i32> {
    result.tasks.iter().flatten().map(|dates| dates.total_float).collect()
}

#[test]
fn a_constraint_of_a_summary_holds_every_row_below_it() {
    let week = START.plus(7);
    let result = schedule(&phase(Some(Constraint::StartNoEarlierThan(week)), None));
    let start = |row: usize| result.tasks[row].map(|dates| dates.early_start);
    assert_eq!(
        [start(0), start(2), start(3), start(4)],
        [Some(week), Some(week), Some(week.plus(2)), Some(START)]
    );
    let last = START.plus(3);
    for limited in [
        phase(Some(Constraint::FinishNoLaterThan(last)), None),
        phase(Some(Constraint::FinishOn(last)), None),
        phase(None, Some(last)),
    ] {
        let result = schedule(&limited);
        assert_eq!(floats(&result), [-1, -1, -1, -1, 0]);
        let kind =
            if limited.tasks[0].deadline.is_some() { ConflictKind::Deadline } else { ConflictKind::Finish };
        assert_eq!(result.conflicts, [Conflict { task: 0, kind, wanted: last, expected: START.plus(4) }]);
    }
}

#[test]
fn a_summary_that_wants_to_be_late_makes_its_rows_late() {
    let result = schedule(&phase(Some(Constraint::AsLateAsPossible), None));
    let start = |row: usize| result.tasks[row].map(|dates| dates.early_start);
    // Eight days end on the second Wednesday.
    assert_eq!([start(2), start(3)], [Some(START.plus(3)), Some(START.plus(7))]);
}

#[test]
fn what_a_summary_asks_of_no_single_row_is_said_when_it_is_missed() {
    let first = |constraint| {
        let mut plan = phase(Some(constraint), None);
        plan.links.push(Link::new(4, 2));
        schedule(&plan).conflicts.first().map(|conflict| (conflict.task, conflict.kind))
    };
    assert_eq!(first(Constraint::StartNoLaterThan(START)), Some((0, ConflictKind::Start)));
    assert_eq!(first(Constraint::MustStartOn(START)), Some((0, ConflictKind::Start)));
    assert_eq!(first(Constraint::FinishNoEarlierThan(START.plus(60))), Some((0, ConflictKind::Finish)));
    assert_eq!(first(Constraint::StartNoEarlierThan(START)), None);
}

#[test]
fn a_bound_of_a_summary_is_explained_with_the_summary() {
    let plan = phase(Some(Constraint::StartNoEarlierThan(START.plus(7))), Some(START.plus(9)));
    let bound = |quantity, reason| {
        let bounds = explain(&plan, 2, quantity).unwrap_or_default();
        bounds.into_iter().find(|bound| bound.reason == reason).map(|bound| (bound.task, bound.from))
    };
    assert_eq!(bound(Quantity::Early, Reason::Constraint), Some((Some(0), Some(START.plus(7)))));
    assert_eq!(bound(Quantity::Late, Reason::Deadline), Some((Some(0), Some(START.plus(9)))));
}

#[test]
fn limits_of_summaries_can_be_edited() {
    let mut plan = CompiledPlan::new(phase(None, None));
    let mut kept = plan.schedule();
    for edit in [
        Edit::Deadline { task: 0, day: Some(START.plus(2)) },
        Edit::Constraint { task: 1, constraint: Some(Constraint::StartNoEarlierThan(START.plus(4))) },
        Edit::Constraint { task: 0, constraint: Some(Constraint::AsLateAsPossible) },
        Edit::Duration { task: 4, days: 30 },
        Edit::Constraint { task: 0, constraint: None },
        Edit::Deadline { task: 0, day: None },
    ] {
        let changes = plan.edit(edit).expect("rows that are there");
        plan.refresh(&mut kept, &changes);
        assert_eq!(kept, schedule(plan.network()));
    }
}

/// One row that works on no day from ten days on, for so many years.
fn closed(years: i32, duration: i32, planned_start: Option<Day>) -> Network {
    let first = START.plus(10);
    let closing = CalendarException { first, last: first.plus(years * 365), working: false };
    Network {
        projects: vec![ProjectFrame { calendar: Some(0), ..ProjectFrame::starting(START) }],
        calendars: vec![Calendar { exceptions: vec![closing], ..Calendar::default() }],
        tasks: vec![Task { planned_start, ..Task::new(7, duration) }, Task::new(8, 2)],
        ..Network::default()
    }
}

#[test]
fn work_that_a_calendar_holds_up_for_fifty_years_is_a_fault() {
    let faults = |plan: &Network| schedule(plan).faults;
    let far = closed(60, 30, None);
    let finish = schedule(&far).tasks[0].map(|dates| dates.early_finish).expect("scheduled all the same");
    assert_eq!(faults(&far), [Fault::BeyondCalendar { task: 0, id: 7, finish }]);
    let text = faults(&far)[0].to_string();
    assert!(
        text.contains("00000000-0000-0000-0000-000000000007") && text.contains(&finish.to_string()),
        "{text}"
    );
    // Work that has to wait, not only work that goes on across it.
    let waiting = closed(60, 1, Some(START.plus(12)));
    assert!(matches!(faults(&waiting)[..], [Fault::BeyondCalendar { task: 0, .. }]));
    // Forty years are said by the dates alone, and what is planned after the standstill does not wait.
    assert_eq!(faults(&closed(40, 30, None)), []);
    assert_eq!(faults(&closed(60, 1, Some(START.plus(11 + 60 * 365)))), []);
    let mut plan = CompiledPlan::new(closed(60, 3, None));
    let mut kept = plan.schedule();
    assert_eq!(kept.faults, []);
    let changes = plan.edit(Edit::Duration { task: 0, days: 20 }).expect("a row");
    plan.refresh(&mut kept, &changes);
    assert_eq!(kept, schedule(plan.network()));
    assert_eq!(kept.faults.len(), 1);
}

#[test]
fn every_fault_names_its_row_and_the_value_that_is_wrong() {
    let mut plan = phase(None, None);
    plan.tasks[2].duration = -4;
    plan.tasks[3].percent_complete = 130.0;
    plan.tasks[4].project = 9;
    plan.tasks.push(Task { parent: Some(77), ..Task::new(0xabc, 1) });
    plan.tasks.push(Task::new(0xdef, 1));
    plan.links = vec![Link { lag: 400_000, ..Link::new(5, 6) }, Link::new(5, 99)];
    let texts: Vec<String> = schedule(&plan).faults.iter().map(Fault::to_string).collect();
    for (id, value) in [("0003", "-4"), ("0004", "130"), ("0005", "9"), ("0abc", "77"), ("0abc", "400000")] {
        let known = texts.iter().any(|text| text.contains(&format!("00000000{id}")) && text.contains(value));
        assert!(known, "{id} {value}: {texts:?}");
    }
    assert!(texts.iter().any(|text| text.contains("→ nothing")), "{texts:?}");
}
