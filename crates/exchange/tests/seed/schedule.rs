//! What of a document the engine gets to see.

use planwright_domain::words::LagCalendar;
use planwright_engine::{Day, LagCalendar as EngineLag, LinkKind, TaskDates};
use planwright_exchange::document_network::network;
use planwright_plan_files::seed::Document;
use planwright_plan_files::seed::engine_day;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::arbitrary::document;
use super::{day, read, small, with};

/// The dates of the row at `path` of the project at `project`.
fn dates(document: &Document, project: usize, path: &str) -> Option<TaskDates> {
    let plan = network(document, None);
    let schedule = planwright_engine::schedule(&plan.network);
    assert!(schedule.faults.is_empty(), "{:?}", schedule.faults);
    let is_it = |row: &planwright_exchange::document_network::Row| {
        row.project == project && document.projects[project].tasks[row.task].wbs_path == path
    };
    plan.rows.iter().position(is_it).and_then(|place| schedule.tasks[place])
}

fn valid(value: &Value) -> Document {
    read(value).expect("valid")
}

#[test]
fn a_path_with_rows_below_it_is_a_summary_of_them() {
    let document = valid(&small());
    let phase = dates(&document, 0, "1").expect("scheduled");
    assert_eq!(
        (phase.early_start.to_string(), phase.early_finish.to_string()),
        ("2026-01-05".into(), "2026-01-09".into())
    );
    let milestone = dates(&document, 0, "2").expect("scheduled");
    assert_eq!(milestone.early_start.to_string(), "2026-01-05");
}

#[test]
fn epics_and_backlog_take_no_part_and_leave_no_empty_phase() {
    let document = with(&[
        ("/projects/0/tasks/1/status", json!("BACKLOG")),
        ("/projects/0/tasks/2/type", json!("epic")),
    ]);
    let plan = network(&valid(&document), None);
    assert_eq!(plan.network.tasks.len(), 1);
    assert_eq!(plan.network.links.len(), 0);
}

#[test]
fn rows_below_an_epic_hang_on_the_nearest_phase() {
    let mut document = small();
    let tasks = document["projects"][0]["tasks"].as_array_mut().expect("a list");
    tasks.push(json!({"wbs_path": "1.3", "name": "Epic", "type": "epic"}));
    tasks.push(json!({"wbs_path": "1.3.1", "name": "Story", "duration": 9}));
    let document = valid(&document);
    assert_eq!(dates(&document, 0, "1.3"), None);
    assert_eq!(
        dates(&document, 0, "1").map(|phase| phase.early_finish.to_string()).as_deref(),
        Some("2026-01-15")
    );
}

#[test]
fn a_task_starts_no_earlier_than_its_plan_or_else_its_sprint() {
    let document = valid(&with(&[
        ("/projects/0/sprints/0/start_date", json!("A+7")),
        ("/projects/0/tasks/1/sprint", json!("s")),
        ("/projects/0/tasks/2/planned_start", json!("2026-01-24")),
        ("/projects/0/tasks/3/sprint", json!("s")),
    ]));
    let start = |path| dates(&document, 0, path).map(|dates| dates.early_start);
    assert_eq!(start("1.1"), Some(engine_day(day("2026-01-12"))));
    assert_eq!(start("1.2"), Some(engine_day(day("2026-01-26"))));
    assert_eq!(start("2"), Some(engine_day(day("2026-01-05"))), "a milestone is not held by its sprint");
}

#[test]
fn progress_comes_from_actual_dates_percentages_and_status() {
    let document = valid(&with(&[
        ("/projects/0/status_date", json!("2026-01-12")),
        ("/projects/0/tasks/1/actual_start", json!("2026-01-06")),
        ("/projects/0/tasks/1/actual_finish", json!("2026-01-08")),
        ("/projects/0/tasks/2/percent_complete", json!(50)),
        ("/projects/0/tasks/3/status", json!("COMPLETE")),
    ]));
    let of = |path| dates(&document, 0, path).expect("scheduled");
    assert_eq!((of("1.1").early_start, of("1.1").early_finish), (Day(20459), Day(20461)));
    assert_eq!(
        (of("1.2").early_start.to_string(), of("1.2").remaining_duration),
        ("2026-01-12".to_owned(), 1)
    );
    assert_eq!(of("2").progress, planwright_engine::Progress::Complete);
}

#[test]
fn lags_count_on_the_calendar_that_their_project_says() {
    let lagged = |version: &str, key: Value, overruled: Option<LagCalendar>| {
        let document = valid(&with(&[
            ("/schema_version", json!(version)),
            ("/projects/0/lag_calendar", key),
            ("/projects/0/dependencies/0/lag", json!(2)),
        ]));
        network(&document, overruled).network.projects[0].lag_calendar
    };
    assert_eq!(lagged("1.0", Value::Null, None), EngineLag::Elapsed);
    assert_eq!(lagged("2.0", Value::Null, None), EngineLag::Elapsed);
    assert_eq!(lagged("2.1", Value::Null, None), EngineLag::Successor);
    assert_eq!(lagged("1.0", json!("predecessor"), None), EngineLag::Predecessor);
    assert_eq!(lagged("2.0", json!("project"), Some(LagCalendar::Successor)), EngineLag::Successor);
}

#[test]
fn projects_of_one_program_share_one_network() {
    let mut document = small();
    let mut second = document["projects"][0].clone();
    second["slug"] = json!("two");
    second["dependencies"] =
        json!([{"predecessor": "one:1", "successor": "1.1", "dep_type": "FS", "lag": 1}]);
    document["projects"].as_array_mut().expect("a list").push(second);
    let document = valid(&document);
    assert_eq!(network(&document, None).network.projects.len(), 2);
    let first = dates(&document, 1, "1.1").expect("scheduled");
    assert_eq!(first.early_start.to_string(), "2026-01-12");
}

#[test]
fn every_kind_of_link_is_passed_on() {
    for (word, kind) in [
        ("FS", LinkKind::FinishToStart),
        ("SS", LinkKind::StartToStart),
        ("FF", LinkKind::FinishToFinish),
        ("SF", LinkKind::StartToFinish),
    ] {
        let document = valid(&with(&[("/projects/0/dependencies/0/dep_type", json!(word))]));
        assert_eq!(network(&document, None).network.links[0].kind, kind);
    }
}

#[test]
fn adding_a_row_changes_the_id_of_no_other() {
    let before = network(&valid(&small()), None).network.tasks;
    let mut document = small();
    document["projects"][0]["tasks"]
        .as_array_mut()
        .expect("a list")
        .insert(0, json!({"wbs_path": "0", "name": "New"}));
    let after = network(&valid(&document), None).network.tasks;
    assert!(before.iter().zip(&after[1..]).all(|(before, after)| before.id == after.id));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_engine_finds_no_fault_with_a_valid_document(document in document()) {
        for lag_calendar in [None, Some(LagCalendar::Successor), Some(LagCalendar::Project)] {
            let plan = network(&document, lag_calendar);
            let schedule = planwright_engine::schedule(&plan.network);
            prop_assert!(schedule.faults.is_empty(), "{:?}", schedule.faults);
            prop_assert_eq!(schedule.tasks.iter().flatten().count(), plan.rows.len());
        }
    }
}

#[test]
fn a_typical_sprint_has_the_working_days_of_the_week_of_its_project() {
    let sprint = json!([{"slug": "done", "name": "Done", "state": "COMPLETED", "start_date": "2025-12-22",
        "finish_date": "2026-01-04", "completed_points": 20}]);
    let days_with = |weekdays: u8| {
        let document = valid(&with(&[
            ("/calendars/0/working_days", json!(weekdays)),
            ("/projects/0/calendar", json!(small()["calendars"][0]["slug"])),
            ("/projects/0/sprints", sprint.clone()),
        ]));
        network(&document, None).network.projects[0].velocity.as_ref().map(|velocity| velocity.sprint_days)
    };
    assert_eq!((days_with(0b001_1111), days_with(0b011_1111)), (Some(10), Some(12)));
}
