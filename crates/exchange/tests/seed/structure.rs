//! Shape: types, keys, ranges, words and formats. Every problem is listed with its path.

use planwright_plan_files::seed::{Ceiling, Draft, Rejection, parse};
use serde_json::{Value, json};

use super::{day, errors, errors_with, read, small, today, with};

#[test]
fn the_small_document_is_valid() {
    let document = read(&small()).expect("valid");
    assert_eq!(document.projects[0].tasks.len(), 4);
    assert_eq!(document.projects[0].sprints[0].finish_date, day("2026-01-16"));
}

#[test]
fn all_structural_problems_are_listed_at_once() {
    let broken = with(&[
        ("/program/slug", json!("Not A Slug")),
        ("/program/colour", json!("red")),
        ("/projects/0/tasks/1/duration", json!(-1)),
        ("/projects/0/tasks/2/wbs_path", json!("1..2")),
        ("/projects/0/tasks/3/status", json!("DONE")),
        ("/projects/0/dependencies/0/dep_type", json!("XX")),
    ]);
    let mut errors = errors(&broken);
    errors.sort();
    assert_eq!(
        errors,
        [
            "$.program.colour: unknown key",
            "$.program.slug: must be a slug (a-z, 0-9, single hyphens, at most 40 characters), not \"Not A Slug\"",
            "$.projects[0].dependencies[0].dep_type: must be one of FS, SS, FF, SF, not \"XX\"",
            "$.projects[0].tasks[1].duration: must be a whole number from 0 to 36525, not -1",
            "$.projects[0].tasks[2].wbs_path: must be an outline path (letters, digits and _, joined by dots, at \
             most 255 characters), not \"1..2\"",
            "$.projects[0].tasks[3].status: must be one of BACKLOG, NOT_STARTED, IN_PROGRESS, REVIEW, ON_HOLD, \
             COMPLETE, not \"DONE\"",
        ]
    );
}

#[test]
fn references_are_looked_at_only_when_the_structure_holds() {
    let broken = with(&[
        ("/projects/0/tasks/1/duration", json!("three")),
        ("/projects/0/dependencies/0/predecessor", json!("9.9")),
    ]);
    assert_eq!(errors(&broken).len(), 1);
}

#[test]
fn unknown_keys_are_refused_everywhere() {
    for place in [
        "",
        "/program",
        "/accounts/0",
        "/calendars/0",
        "/resources/0",
        "/projects/0",
        "/projects/0/tasks/1",
        "/projects/0/dependencies/0",
        "/projects/0/sprints/0",
        "/projects/0/labels/0",
    ] {
        let errors = errors_with(&format!("{place}/extra"), json!(1));
        assert_eq!(errors.len(), 1, "{place}");
        assert!(errors[0].ends_with(".extra: unknown key"), "{errors:?}");
    }
}

#[test]
fn missing_and_null_required_keys_are_named() {
    let errors = errors(&json!({}));
    assert_eq!(
        errors,
        ["$.schema_version: is required", "$.program: is required", "$.projects: is required"]
    );
    assert_eq!(
        errors_with("/projects/0/tasks/1/name", Value::Null),
        ["$.projects[0].tasks[1].name: is required"]
    );
}

#[test]
fn a_value_that_is_not_an_object_is_told_apart() {
    assert_eq!(errors(&json!([])), ["$: must be an object, not a list"]);
    assert_eq!(
        errors_with("/projects/0/tasks/-", json!(7)),
        ["$.projects[0].tasks[4]: must be an object, not a number"]
    );
    assert_eq!(errors_with("/projects", json!({})), ["$.projects: must be a list, not an object"]);
    assert_eq!(errors_with("/projects", json!([])), ["$.projects: must have at least one item"]);
}

#[test]
fn values_out_of_range_are_named() {
    for (pointer, value, message) in [
        ("/projects/0/tasks/1/percent_complete", json!(100.5), "must be a number from 0 to 100, not 100.5"),
        ("/projects/0/tasks/1/duration", json!(36_526), "must be a whole number from 0 to 36525, not 36526"),
        ("/projects/0/tasks/1/duration", json!(1.5), "must be a whole number from 0 to 36525, not 1.5"),
        (
            "/projects/0/dependencies/0/lag",
            json!(-36_526),
            "must be a whole number from -36525 to 36525, not -36526",
        ),
        ("/projects/0/tasks/1/is_milestone", json!("yes"), "must be true or false, not \"yes\""),
        ("/projects/0/tasks/1/color", json!("red"), "must be a colour #RRGGBB, not \"red\""),
        ("/projects/0/tasks/1/name", json!("x".repeat(513)), "must have at most 512 characters"),
        ("/projects/0/tasks/1/name", json!("  "), "must not be blank"),
        (
            "/projects/0/code",
            json!("-A"),
            "must be a code (A-Z, 0-9, inner hyphens, at most 12 characters), not \"-A\"",
        ),
        ("/calendars/0/working_days", json!(128), "must be a whole number from 0 to 127, not 128"),
        ("/calendars/0/hours_per_day", json!(0), "must be a number above 0 and at most 24, not 0"),
        ("/resources/0/max_units", json!(100), "must be a number above 0 and at most 99.99, not 100"),
        (
            "/accounts/0/role",
            json!("BOSS"),
            "must be one of MEMBER, VIEWER, SCHEDULER, ADMIN, OWNER, not \"BOSS\"",
        ),
        (
            "/projects/0/start_date",
            json!("05.01.2026"),
            "must be a date (YYYY-MM-DD or A±N), not \"05.01.2026\"",
        ),
        (
            "/projects/0/start_date",
            json!("2026-02-30"),
            "must be a date (YYYY-MM-DD or A±N), not \"2026-02-30\"",
        ),
        ("/anchor", json!("A+1"), "must be a date YYYY-MM-DD"),
    ] {
        let errors = errors_with(pointer, value);
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(errors[0].ends_with(&format!(": {message}")), "{}", errors[0]);
    }
}

#[test]
fn dates_in_the_wrong_order_are_named() {
    let task = "/projects/0/tasks/1";
    let swapped = with(&[
        (&format!("{task}/actual_start"), json!("2026-01-07")),
        (&format!("{task}/actual_finish"), json!("2026-01-06")),
    ]);
    assert_eq!(errors(&swapped), ["$.projects[0].tasks[1].actual_finish: must not be before actual_start"]);
    let sprint = errors_with("/projects/0/sprints/0/finish_date", json!("A+0"));
    assert_eq!(sprint, ["$.projects[0].sprints[0].finish_date: must be later than start_date"]);
    let exception = json!([{"exc_start": "2026-01-07", "exc_end": "2026-01-06"}]);
    assert_eq!(
        errors_with("/calendars/0/exceptions", exception),
        ["$.calendars[0].exceptions[0].exc_end: must not be before exc_start"]
    );
}

#[test]
fn an_estimate_must_be_whole_and_rise() {
    let estimate = |value: Value| errors_with("/projects/0/tasks/1/estimate", value);
    assert_eq!(
        estimate(json!({"optimistic": 3, "most_likely": 2, "pessimistic": 5})),
        ["$.projects[0].tasks[1].estimate: must not fall from optimistic to most_likely to pessimistic"]
    );
    assert_eq!(
        estimate(json!({"optimistic": 3, "most_likely": 4})),
        ["$.projects[0].tasks[1].estimate.pessimistic: is required"]
    );
}

#[test]
fn versions_one_and_two_are_read_and_others_named() {
    for version in ["1.0", "1.7", "2.0", "2.3"] {
        assert!(read(&with(&[("/schema_version", json!(version))])).is_ok(), "{version}");
    }
    for version in [json!("3.0"), json!("2"), json!(2.0)] {
        let errors = errors_with("/schema_version", version);
        assert_eq!(errors.len(), 1);
        assert!(errors[0].starts_with("$.schema_version: must be \"1.0\", \"2.0\" or another 1.x or 2.x"));
    }
}

#[test]
fn events_need_version_two() {
    let events = json!([{"at": "A-1T10:00", "action": "task.comment", "target": "one:1.1", "body": "Hello"}]);
    assert!(read(&with(&[("/events", events.clone())])).is_ok());
    let old = with(&[("/events", events), ("/schema_version", json!("1.0"))]);
    assert_eq!(errors(&old), ["$.events: needs schema version 2.0"]);
}

#[test]
fn offsets_count_from_the_anchor_and_move_to_a_working_day_unless_literal() {
    let task = "/projects/0/tasks/1";
    let dated = |anchor: Option<&str>, written: &str| {
        let mut changes = vec![(format!("{task}/planned_start"), json!(written))];
        changes.extend(anchor.map(|anchor| ("/anchor".to_owned(), json!(anchor))));
        let changes: Vec<_> =
            changes.iter().map(|(pointer, value)| (pointer.as_str(), value.clone())).collect();
        read(&with(&changes)).expect("valid").projects[0].tasks[1].planned_start
    };
    assert_eq!(dated(None, "A+5"), Some(day("2026-01-12")));
    assert_eq!(dated(None, "A+5!"), Some(day("2026-01-10")));
    assert_eq!(dated(Some("2026-03-02"), "A-1"), Some(day("2026-03-02")));
    assert_eq!(dated(Some("2026-03-02"), "2026-01-10"), Some(day("2026-01-10")));
}

#[test]
fn offsets_move_by_the_calendar_of_their_project() {
    let document = with(&[
        ("/calendars/0/working_days", json!(63)),
        ("/calendars/0/exceptions", json!([{"exc_start": "A+5", "exc_end": "A+7"}])),
        ("/projects/0/calendar", json!("office")),
        ("/projects/0/tasks/1/planned_start", json!("A+5")),
        ("/projects/0/tasks/2/planned_start", json!("A+12")),
    ]);
    let document = read(&document).expect("valid");
    let starts: Vec<_> = document.projects[0].tasks[1..3].iter().map(|task| task.planned_start).collect();
    assert_eq!(starts, [Some(day("2026-01-13")), Some(day("2026-01-17"))]);
}

#[test]
fn each_sign_of_a_milestone_implies_the_others() {
    for (key, value) in
        [("is_milestone", json!(true)), ("duration", json!(0)), ("delivery_mode", json!("milestone"))]
    {
        let mut document = small();
        let task = json!({"wbs_path": "3", "name": "M", key: value});
        document["projects"][0]["tasks"].as_array_mut().expect("a list").push(task);
        let task = read(&document).expect("valid").projects[0].tasks[4].clone();
        assert!(task.is_milestone && task.duration == 0, "{key}");
        assert_eq!(task.delivery_mode, Some(planwright_domain::words::DeliveryMode::Milestone));
    }
}

#[test]
fn a_phase_of_duration_zero_is_not_a_milestone() {
    let document = read(&with(&[("/projects/0/tasks/0/duration", json!(0))])).expect("valid");
    assert!(!document.projects[0].tasks[0].is_milestone);
}

#[test]
fn an_upload_above_the_ceiling_is_refused_unread() {
    let refused = Draft::read(b"{}  ", Ceiling { bytes: 3, rows: 9 }).expect_err("too large");
    assert!(matches!(refused, Rejection::Unreadable(message) if message.contains("may have at most")));
}

#[test]
fn a_document_with_more_tasks_than_are_taken_in_says_so() {
    let draft =
        Draft::read(small().to_string().as_bytes(), Ceiling { bytes: 1 << 20, rows: 3 }).expect("JSON");
    let refused = draft.parse(today()).expect_err("too many tasks");
    assert_eq!(refused, Rejection::Invalid(vec!["$.projects: The file may have at most 3 rows.".to_owned()]));
}

#[test]
fn what_is_not_json_gets_one_message() {
    for bytes in [&b""[..], b"PK\x03\x04", b"\xff\xfe{", b"{\"a\":", b"nul"] {
        assert!(matches!(parse(bytes, today()), Err(Rejection::Unreadable(_))), "{bytes:?}");
    }
}

#[test]
fn keys_of_the_request_are_taken_out_of_the_document() {
    let text = with(&[("/replace", json!(true))]).to_string();
    let mut draft = Draft::read(text.as_bytes(), Ceiling { bytes: 1 << 20, rows: 99 }).expect("JSON");
    assert_eq!(draft.take("replace"), Some(json!(true)));
    assert_eq!(draft.take("replace"), None);
    assert!(draft.parse(today()).is_ok());
}

#[test]
fn claims_are_told_of_invalid_documents_too() {
    let text = with(&[("/projects/0/tasks/1/duration", json!(-1))]).to_string();
    let draft = Draft::read(text.as_bytes(), Ceiling { bytes: 1 << 20, rows: 99 }).expect("JSON");
    let claims = draft.claims();
    assert_eq!((claims.project_count, claims.task_count, claims.resource_count), (1, 4, 1));
    assert_eq!(claims.program_slug.as_deref(), Some("p"));
    assert_eq!(
        Draft::read(b"[1]", Ceiling { bytes: 99, rows: 9 }).expect("JSON").claims(),
        Default::default()
    );
}
