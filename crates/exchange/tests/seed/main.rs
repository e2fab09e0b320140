//! Seed documents from outside: what is refused and how, what comes back unchanged, what the sample and real plans
//! amount to.

mod arbitrary;
mod files;
mod mutations;
mod real_plans;
mod references;
mod report;
mod round_trip;
mod sample;
mod schedule;
mod simple;
mod stored;
mod structure;
mod surroundings;

use chrono::NaiveDate;
use planwright_plan_files::seed::{Document, Rejection, parse};
use serde_json::{Value, json};

/// A Monday.
fn today() -> NaiveDate {
    day("2026-01-05")
}

fn day(text: &str) -> NaiveDate {
    text.parse().expect("a date")
}

/// The least a document needs, with three rows to work on.
fn small() -> Value {
    json!({
        "schema_version": "2.0",
        "program": {"slug": "p", "name": "Program", "methodology": "HYBRID"},
        "accounts": [{"slug": "ann", "username": "ann"}],
        "calendars": [{"slug": "office", "name": "Office"}],
        "resources": [{"slug": "crew", "name": "Crew"}],
        "projects": [{
            "slug": "one", "name": "One", "methodology": "WATERFALL", "start_date": "2026-01-05",
            "labels": [{"slug": "red", "name": "Red", "color": "rose"}],
            "tasks": [
                {"wbs_path": "1", "name": "Phase"},
                {"wbs_path": "1.1", "name": "First", "duration": 3},
                {"wbs_path": "1.2", "name": "Second", "duration": 2},
                {"wbs_path": "2", "name": "Done", "is_milestone": true},
            ],
            "dependencies": [{"predecessor": "1.1", "successor": "1.2", "dep_type": "FS"}],
            "sprints": [{"slug": "s", "name": "S", "state": "PLANNED", "start_date": "A+0", "finish_date": "A+11"}],
        }]
    })
}

/// The small document with the value at a JSON pointer replaced or added.
fn with(changes: &[(&str, Value)]) -> Value {
    let mut document = small();
    for (pointer, value) in changes {
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
        match document.pointer_mut(parent).expect("a parent") {
            Value::Array(items) if key == "-" => items.push(value.clone()),
            Value::Array(items) => items[key.parse::<usize>().expect("an index")] = value.clone(),
            Value::Object(map) => drop(map.insert(key.to_owned(), value.clone())),
            other => panic!("{pointer}: {other}"),
        }
    }
    document
}

fn read(value: &Value) -> Result<Document, Rejection> {
    parse(value.to_string().as_bytes(), today())
}

fn errors(value: &Value) -> Vec<String> {
    match read(value) {
        Err(Rejection::Invalid(errors)) => errors,
        other => panic!("expected a list of errors, got {other:?}"),
    }
}

/// The errors of the small document with one change.
fn errors_with(pointer: &str, value: Value) -> Vec<String> {
    errors(&with(&[(pointer, value)]))
}
