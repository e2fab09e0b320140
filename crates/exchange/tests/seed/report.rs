//! What the command line tells about a document.

use planwright_exchange::samples::SAMPLES;
use planwright_exchange::schedule_report::{Options, schedule};
use planwright_exchange::seed::Rejection;
use serde_json::{Value, json};

use super::{small, today, with};

fn options(json: bool) -> Options {
    Options { lag_calendar: None, json, today: today() }
}

fn table(document: &Value) -> String {
    schedule(document.to_string().as_bytes(), &options(false)).expect("valid")
}

#[test]
fn people_get_a_table_the_finish_and_the_critical_path() {
    assert_eq!(
        table(&small()),
        "\
One (lags: elapsed)

WBS  Name      Days  Start       Finish      Float
1    Phase           2026-01-05  2026-01-09      0
1.1    First      3  2026-01-05  2026-01-07      0  critical
1.2    Second     2  2026-01-08  2026-01-09      0  critical
2    Done         0  2026-01-05  2026-01-05      5

Finish: 2026-01-09

Critical path:
  1.1  First
  1.2  Second
"
    );
}

#[test]
fn names_cannot_drive_the_terminal() {
    let text = table(&with(&[("/projects/0/tasks/1/name", json!("\u{1b}[2JFirst\nline"))]));
    assert!(text.contains(" [2JFirst line") && !text.contains('\u{1b}'));
}

#[test]
fn programs_get_dates_and_floats_as_json() {
    let text = schedule(small().to_string().as_bytes(), &options(true)).expect("valid");
    let told: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(told["finish"], "2026-01-09");
    assert_eq!(told["critical_path"], json!(["one:1.1", "one:1.2"]));
    let second = &told["projects"][0]["tasks"][2];
    assert_eq!(second["wbs_path"], "1.2");
    assert_eq!((&second["early_start"], &second["total_float"]), (&json!("2026-01-08"), &json!(0)));
}

#[test]
fn an_invalid_document_is_refused_with_its_problems() {
    let broken = with(&[("/projects/0/tasks/1/duration", json!(-1))]);
    let refused = schedule(broken.to_string().as_bytes(), &options(false));
    assert!(matches!(refused, Err(Rejection::Invalid(problems)) if problems.len() == 1));
}

#[test]
fn a_plan_without_work_says_so() {
    let empty = with(&[("/projects/0/tasks", json!([])), ("/projects/0/dependencies", json!([]))]);
    assert!(table(&empty).contains("Finish: nothing to schedule"));
}

#[test]
fn every_sample_can_be_told() {
    for sample in SAMPLES {
        for json in [false, true] {
            assert!(schedule(sample.text.as_bytes(), &options(json)).expect("valid").len() > 1_000);
        }
    }
}
