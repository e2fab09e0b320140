//! What is written is read again.

use super::*;
use crate::seed::parse;

const PLAN: &str = r##"{"schema_version": "2.1", "program": {"slug": "mill", "name": "Mill", "methodology": "WATERFALL"},
    "calendars": [{"slug": "site", "name": "Site", "working_days": 63, "exceptions": [
        {"exc_start": "2026-01-06", "exc_end": "2026-01-07"}]},
        {"slug": "all-week", "name": "All week", "working_days": 127}],
    "resources": [{"slug": "crew", "name": "Crew", "max_units": 2}],
    "projects": [{"slug": "mill", "name": "Mill", "methodology": "WATERFALL", "start_date": "2026-01-05",
        "calendar": "site", "lag_calendar": "project",
        "labels": [{"slug": "wet", "name": "Wet", "color": "blue"}, {"slug": "deep", "name": "Deep", "color": "teal"}],
        "tasks": [
            {"wbs_path": "1", "name": "Start here", "duration": 2, "planned_start": "2026-01-08", "deadline": "2026-01-20"},
            {"wbs_path": "2", "name": "Ground"},
            {"wbs_path": "2.1", "name": "Dig \u2013 deep", "duration": 3, "labels": ["wet", "deep"], "notes": "Mind <it>\nand rest",
             "assignments": [{"resource": "crew", "units": 0.5}], "percent_complete": 50, "status": "IN_PROGRESS",
             "actual_start": "2026-01-05"},
            {"wbs_path": "2.2", "name": "Ready", "duration": 0},
            {"wbs_path": "10", "name": "Last", "duration": 1, "calendar": "all-week", "constraint_type": "FNLT", "constraint_date": "2026-02-01",
             "story_points": 5}],
        "dependencies": [
            {"predecessor": "2.1", "successor": "2.2", "dep_type": "FS"},
            {"predecessor": "2.2", "successor": "10", "dep_type": "SS", "lag": 3}]}]}"##;

fn day(day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 1, day).unwrap()
}

#[test]
fn what_was_written_is_read_again_with_the_same_bytes() {
    let document = parse(PLAN.as_bytes(), day(5)).unwrap();
    let first = write(&document, &Computed::new());
    let lost: Vec<&str> = first.losses.0.iter().map(|loss| loss.field.as_str()).collect();
    assert_eq!(lost, ["story_points", "labels", "methodology", "planned_start", "deadline", "status_date"]);
    let read = super::super::read(&first.content, day(5)).unwrap();
    assert!(read.losses.0.is_empty(), "{:?}", read.losses);
    let project = &read.document.projects[0];
    let rows: Vec<_> =
        project.tasks.iter().map(|task| (task.wbs_path.as_str(), task.name.as_str())).collect();
    let expected =
        [("1", "Start here"), ("2", "Ground"), ("2.1", "Dig \u{2013} deep"), ("2.2", "Ready"), ("3", "Last")];
    assert_eq!(rows, expected);
    let dig = &project.tasks[2];
    assert_eq!(
        (dig.percent_complete, dig.labels.len(), dig.notes.as_str()),
        (50.0, 2, "Mind <it>\nand rest")
    );
    let calendars: Vec<_> = project.tasks.iter().map(|task| task.calendar.as_deref()).collect();
    assert_eq!(calendars, [None, None, None, None, Some("all-week")]);
    assert_eq!(project.lag_calendar, Some(LagCalendar::Project));
    assert_eq!((project.tasks[0].deadline, project.dependencies.len()), (Some(day(20)), 2));
    let second = write(&read.document, &Computed::new());
    let third = super::super::read(&second.content, day(5)).unwrap();
    assert_eq!(third.document, read.document);
    assert_eq!(write(&third.document, &Computed::new()).content, second.content);
}

#[test]
fn letters_that_windows_lacks_make_a_file_in_utf_8() {
    let document = parse(PLAN.replace("Ground", "\u{5730}\u{9762}").as_bytes(), day(5)).unwrap();
    let written = write(&document, &Computed::new());
    assert!(written.losses.0.iter().any(|loss| loss.field == "Encoding"));
    let read = super::super::read(&written.content, day(5)).unwrap();
    assert_eq!(read.document.projects[0].tasks[1].name, "\u{5730}\u{9762}");
}
