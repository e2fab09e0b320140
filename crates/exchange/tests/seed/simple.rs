//! Plans in the simple format of the engine, which are scheduled as they are and as the documents that are made of them.

use chrono::NaiveDate;
use planwright_exchange::schedule_report::{Options, schedule};
use planwright_plan_files::json::Format;
use planwright_plan_files::seed::{parse, seed_of_simple};
use serde_json::{Value, json};

use super::today;

const PLAN: &str = r#"{"name": "Yard", "start": "2026-01-05", "comment": "by hand",
    "calendar": {"working_days": 63, "exceptions": [["2026-01-07", "2026-01-08"], {"start": "2026-01-11", "end": "2026-01-11", "working": true}]},
    "calendars": {"every day": {"working_days": 127}},
    "tasks": [{"id": "phase", "name": "Ground"}, {"id": "a", "parent": "phase", "duration": 4, "estimate": [3, 4, 8]},
              {"id": "b", "parent": "phase", "duration": 2, "planned_start": "2026-01-12", "deadline": "2026-01-13",
               "calendar": "every day", "constraint": ["FNLT", "2026-01-20"]},
              {"id": "end", "name": "Done", "duration": 0, "constraint": ["MSO", "2026-01-28"]}],
    "deps": [{"pred": "a", "succ": "b", "lag": 1}, {"pred": "b", "succ": "end", "type": "FF"}]}"#;

fn dates(bytes: &[u8], format: Format) -> Vec<(String, String)> {
    dates_of(bytes, format, 4)
}

fn dates_of(bytes: &[u8], format: Format, count: usize) -> Vec<(String, String)> {
    let options = Options { format, json: true, report: true, runs: 0, ..Options::on(today()) };
    let text = schedule(bytes, &options).unwrap().text;
    let told: Value = serde_json::from_str(&text).unwrap();
    let rows = told["projects"][0]["tasks"].as_array().cloned().unwrap_or_default();
    assert_eq!(rows.len(), count, "{told}");
    rows.iter().map(|row| (row["early_start"].to_string(), row["early_finish"].to_string())).collect()
}

#[test]
fn a_simple_plan_has_the_same_dates_as_the_document_that_is_made_of_it() {
    let document = seed_of_simple(PLAN, "file").unwrap();
    assert!(parse(document.to_string().as_bytes(), NaiveDate::default()).is_ok(), "{document}");
    let row = &document["projects"][0]["tasks"][2];
    assert_eq!((&row["wbs_path"], &row["constraint_type"]), (&json!("1.2"), &json!("FNLT")));
    assert_eq!(dates(document.to_string().as_bytes(), Format::Seed), dates(PLAN.as_bytes(), Format::Simple));
}

#[test]
fn a_part_of_a_day_is_a_whole_day_in_the_document_too() {
    let plan = r#"{"start": "2026-01-05", "tasks": [{"id": "a", "duration": 2.5, "estimate": [1.5, 2.5, 4]},
        {"id": "b", "duration": 1}], "deps": [{"pred": "a", "succ": "b", "lag": 0.5}]}"#;
    let document = seed_of_simple(plan, "file").unwrap();
    let project = &document["projects"][0];
    assert_eq!(
        (&project["tasks"][0]["duration"], &project["dependencies"][0]["lag"]),
        (&json!(3), &json!(1))
    );
    assert_eq!(project["tasks"][0]["estimate"]["optimistic"], 2);
    let parts = |text: &str, format| dates_of(text.as_bytes(), format, 2);
    assert_eq!(parts(&document.to_string(), Format::Seed), parts(plan, Format::Simple));
}
