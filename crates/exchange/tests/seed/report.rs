//! What the command line tells about a document.

use planwright_domain::words::LagCalendar;
use planwright_exchange::samples::SAMPLES;
use planwright_exchange::schedule_report::{Options, schedule};
use planwright_plan_files::json::Format;
use planwright_plan_files::seed::Rejection;
use serde_json::{Value, json};

use super::{small, today, with};

fn options(json: bool) -> Options {
    Options { json, runs: 400, ..Options::on(today()) }
}

fn table(document: &Value) -> String {
    schedule(document.to_string().as_bytes(), &options(false)).expect("valid").text
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
    let text = schedule(small().to_string().as_bytes(), &options(true)).expect("valid").text;
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
            assert!(schedule(sample.text.as_bytes(), &options(json)).expect("valid").text.len() > 1_000);
        }
    }
}

#[test]
fn each_line_of_the_simple_format_gets_its_own_answer() {
    let question = json!({
        "start": "2026-01-05",
        "tasks": [{"id": "a", "duration": 3}, {"id": "b", "duration": 2}],
        "deps": [{"pred": "a", "succ": "b"}],
    });
    let lines = format!("{question}\n\nnonsense\n{question}\n");
    let simple = |format| Options { format, ..options(true) };
    let report = schedule(lines.as_bytes(), &simple(Format::SimpleLines)).expect("readable");
    assert!(!report.is_complete);
    let answers: Vec<Value> =
        report.text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0]["tasks"]["b"]["ef_day"], "2026-01-09");
    assert!(answers[1]["error"].is_string());
    let one = schedule(question.to_string().as_bytes(), &simple(Format::Simple)).expect("readable");
    assert_eq!(one.text.trim_end(), report.text.lines().next().expect("a line"));
    assert!(schedule(b"nonsense", &simple(Format::Simple)).is_err());
}

#[test]
fn a_lag_calendar_can_be_asked_for() {
    let lagged = with(&[("/projects/0/dependencies/0/lag", json!(3))]).to_string();
    let finish = |lag_calendar| {
        let options = Options { lag_calendar, ..options(true) };
        let told: Value =
            serde_json::from_str(&schedule(lagged.as_bytes(), &options).expect("valid").text).expect("JSON");
        told["finish"].clone()
    };
    assert_eq!(finish(None), "2026-01-13");
    assert_eq!(finish(Some(LagCalendar::Successor)), "2026-01-14");
    assert_eq!(finish(Some(LagCalendar::Elapsed)), "2026-01-13");
}

#[test]
fn a_plan_with_estimates_is_told_with_likely_dates() {
    let estimate = json!({"optimistic": 2, "most_likely": 3, "pessimistic": 9});
    let estimated = with(&[("/projects/0/tasks/1/estimate", estimate)]);
    let text = table(&estimated);
    assert!(text.contains("Likely: P50 2026-01-"), "{text}");
    assert!(text.contains("Simulated 400 times from seed 0."), "{text}");
    let told = schedule(estimated.to_string().as_bytes(), &options(true)).expect("valid").text;
    let told: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!(told["simulation"], json!({"runs": 400, "seed": 0}));
    let forecast = &told["projects"][0]["forecast"];
    let dates = ["p10", "p50", "p80", "p90", "p95"].map(|key| forecast[key].as_str().expect("a date"));
    assert!(dates.is_sorted() && dates[0] < dates[4], "{dates:?}");
    assert_eq!(told["projects"][0]["tasks"][1]["criticality_index"], 1.0);
    assert_eq!(told["forecast"], *forecast);
}

#[test]
fn a_plan_without_estimates_is_not_simulated() {
    let told = schedule(small().to_string().as_bytes(), &options(true)).expect("valid").text;
    let told: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!(told["simulation"], Value::Null);
    let forecast = &told["forecast"];
    let dates = ["p10", "p50", "p95"].map(|key| forecast[key].as_str().expect("a date"));
    assert_eq!((dates, &forecast["finish_confidence"]), (["2026-01-09"; 3], &json!(1.0)), "it is certain");
    let without = Options { runs: 0, ..options(true) };
    let told = schedule(small().to_string().as_bytes(), &without).expect("valid").text;
    assert!(told.contains("\"forecast\": null"), "{told}");
}

#[test]
fn the_same_seed_tells_the_same_on_any_number_of_threads() {
    let text = SAMPLES[0].text.as_bytes();
    let told =
        |seed, threads| schedule(text, &Options { seed, threads, ..options(true) }).expect("valid").text;
    assert_eq!(told(7, 1), told(7, 3));
    assert_ne!(told(7, 1), told(8, 1));
}

#[test]
fn the_whole_report_of_a_simple_plan_tells_what_its_line_leaves_out() {
    let plan = json!({
        "start": "2026-01-05",
        "projects": {"p": {}, "q": {}},
        "tasks": [
            {"id": "a", "project": "p", "duration": 3, "estimate": [2, 3, 7], "deadline": "2026-01-06"},
            {"id": "b", "project": "q", "duration": 8},
            {"id": "c", "project": "p", "duration": 1},
        ],
        "deps": [{"pred": "a", "succ": "b", "type": "SS", "lag": 1}],
    });
    let asked = |json, report| Options { format: Format::Simple, report, ..options(json) };
    let text = schedule(plan.to_string().as_bytes(), &asked(false, true)).expect("valid").text;
    assert!(text.contains("Float  In program"), "{text}");
    assert!(text.contains("Note: p:a is due on 2026-01-06, but is expected on 2026-01-07"), "{text}");
    assert!(text.contains("  p:a: due 2026-01-06, expected 2026-01-07, met in "), "{text}");
    let told = schedule(plan.to_string().as_bytes(), &asked(true, true)).expect("valid").text;
    let told: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!(told["links"][0]["driving"], true);
    assert_eq!(told["conflicts"][0]["kind"], "deadline");
    assert_eq!(told["longest_path"], json!(["p:a", "q:b"]));
    assert!(told["projects"][0]["tasks"][0]["deadline_met"].as_f64().expect("a share") < 1.0);
    let bars = told["projects"][0]["forecast"]["histogram"].as_array().expect("bars");
    assert_eq!(bars.iter().filter_map(|bar| bar["runs"].as_u64()).sum::<u64>(), 400);
    let line = schedule(plan.to_string().as_bytes(), &asked(false, false)).expect("valid").text;
    let line: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(line["forecast"], told["forecast"]);
    assert_eq!(line["tasks"]["a"]["deadline_met"], told["projects"][0]["tasks"][0]["deadline_met"]);
}

#[test]
fn a_cycle_is_named_and_all_else_is_scheduled() {
    let knotted = with(&[(
        "/projects/0/dependencies",
        json!([
            {"predecessor": "1.1", "successor": "1.2", "dep_type": "FS"},
            {"predecessor": "1.2", "successor": "1.1", "dep_type": "FS"},
            {"predecessor": "1", "successor": "2", "dep_type": "FS"},
        ]),
    )]);
    let report = schedule(knotted.to_string().as_bytes(), &options(false)).expect("read");
    assert!(!report.is_complete);
    assert!(report.text.contains("(not certain"), "{}", report.text);
    assert!(
        report.text.starts_with("This plan cannot be scheduled as it is")
            && report.text.contains("  cycle through 2 rows: one:1."),
        "{}",
        report.text
    );
    assert!(report.text.contains("2    Done         0  2026-01-07"), "{}", report.text);
    assert!(super::read(&knotted).is_err(), "an import still refuses it");
}
