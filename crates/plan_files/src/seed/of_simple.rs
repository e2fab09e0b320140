//! A plan in the engine's simple format as a seed document, so that it can be imported.
//! What a seed document cannot say is refused by name: a plan that came in with other dates would be worse than none.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{Rejection, Slugs};

/// Keys of the plan that have a counterpart, or mean nothing.
const PLAN_KEYS: [&str; 8] =
    ["name", "start", "status_date", "calendar", "calendars", "lag_calendar", "tasks", "deps"];
/// Keys of a calendar that have one.
const CALENDAR_KEYS: [&str; 2] = ["working_days", "exceptions"];
/// Keys of a task that have one.
const TASK_KEYS: [&str; 14] = [
    "id",
    "name",
    "parent",
    "duration",
    "milestone",
    "calendar",
    "planned_start",
    "constraint",
    "deadline",
    "actual_start",
    "actual_finish",
    "percent_complete",
    "estimate",
    "story_points",
];
/// Keys of a link that have one.
const LINK_KEYS: [&str; 4] = ["pred", "succ", "type", "lag"];
/// A key that says nothing to anybody but people.
const COMMENT: &str = "comment";

/// The seed document of a plan; `name` is what it is called when it does not say so itself.
pub fn seed_of_simple(text: &str, name: &str) -> Result<Value, Rejection> {
    let invalid = |error: String| Rejection::Invalid(vec![error]);
    planwright_engine::simple::parse(text).map_err(|error| invalid(error.to_string()))?;
    let plan: Value = serde_json::from_str(text).map_err(|error| invalid(format!("not JSON: {error}")))?;
    let mut problems = Vec::new();
    only(&plan, "$", &PLAN_KEYS, &mut problems);
    let tasks = list(&plan, "tasks");
    for (index, task) in tasks.iter().enumerate() {
        only(task, &format!("$.tasks[{index}]"), &TASK_KEYS, &mut problems);
    }
    for (name, calendar) in named_calendars(&plan) {
        only(calendar, &format!("$.calendars.{name}"), &CALENDAR_KEYS, &mut problems);
    }
    if let Some(calendar) = plan.get("calendar") {
        only(calendar, "$.calendar", &CALENDAR_KEYS, &mut problems);
    }
    for (index, link) in list(&plan, "deps").iter().enumerate() {
        only(link, &format!("$.deps[{index}]"), &LINK_KEYS, &mut problems);
    }
    if plan["lag_calendar"] == "24h" {
        problems.push("$.lag_calendar: an import does not support 24h yet".to_owned());
    }
    if !problems.is_empty() {
        return Err(Rejection::Invalid(problems));
    }
    let name = plan["name"].as_str().filter(|name| !name.is_empty()).unwrap_or(name);
    let mut calendars = Calendars::of(&plan);
    let slug = Slugs::new().make(name, "plan");
    let paths = paths(tasks);
    let mut project = json!({
        "slug": slug, "name": name, "methodology": "WATERFALL", "start_date": plan["start"],
        "lag_calendar": plan.get("lag_calendar").cloned().unwrap_or_else(|| json!("successor")),
        "tasks": tasks.iter().zip(&paths).map(|(task, path)| row(task, path, &calendars)).collect::<Vec<_>>(),
        "dependencies": list(&plan, "deps").iter().map(|link| dependency(link, tasks, &paths)).collect::<Vec<_>>(),
    });
    put(&mut project, "status_date", plan.get("status_date"));
    let mut document = json!({
        "schema_version": "2.1",
        "program": { "slug": slug, "name": name, "methodology": "WATERFALL" },
    });
    if let Some(calendar) = plan.get("calendar") {
        project["calendar"] = calendars.slug_of_plan(calendar, name);
    }
    if !calendars.list.is_empty() {
        document["calendars"] = Value::Array(calendars.list);
    }
    document["projects"] = json!([project]);
    Ok(document)
}

fn only(object: &Value, place: &str, known: &[&str], problems: &mut Vec<String>) {
    let keys = object.as_object().into_iter().flat_map(Map::keys);
    let strange = keys.filter(|key| *key != COMMENT && !known.contains(&key.as_str()));
    problems.extend(strange.map(|key| format!("{place}.{key}: an import does not support this yet")));
}

fn list<'a>(object: &'a Value, key: &str) -> &'a [Value] {
    object.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// `1`, `1.1`, `2`: rows below the same row are numbered in the order of the plan.
fn paths(tasks: &[Value]) -> Vec<String> {
    let place = |id: &Value| tasks.iter().position(|task| task["id"] == *id);
    let parent_of = |at: usize| tasks[at].get("parent").and_then(place);
    let number = |at: usize| 1 + (0..at).filter(|other| parent_of(*other) == parent_of(at)).count();
    let path = |at: usize| {
        // A circle of parents is refused by the check of the document; here it only has to end.
        let mut numbers: Vec<String> = std::iter::successors(Some(at), |at| parent_of(*at))
            .take(tasks.len())
            .map(|at| number(at).to_string())
            .collect();
        numbers.reverse();
        numbers.join(".")
    };
    (0..tasks.len()).map(path).collect()
}

fn named_calendars(plan: &Value) -> impl Iterator<Item = (&String, &Value)> {
    plan.get("calendars").and_then(Value::as_object).into_iter().flatten()
}

/// The calendars of the document, and how the plan names them.
struct Calendars {
    list: Vec<Value>,
    slugs: Slugs,
    by_name: HashMap<String, String>,
}

impl Calendars {
    fn of(plan: &Value) -> Self {
        let mut calendars = Self { list: Vec::new(), slugs: Slugs::new(), by_name: HashMap::new() };
        for (name, calendar) in named_calendars(plan) {
            let slug = calendars.add(calendar, name);
            calendars.by_name.insert(name.clone(), slug);
        }
        calendars
    }

    fn add(&mut self, calendar: &Value, name: &str) -> String {
        let slug = self.slugs.make(name, "calendar");
        self.list.push(written_calendar(calendar, &slug, name));
        slug
    }

    /// The slug of the calendar that the plan names, or spells out.
    fn slug_of_plan(&mut self, calendar: &Value, plan: &str) -> Value {
        match calendar.as_str() {
            Some(name) => json!(self.by_name.get(name)),
            None => json!(self.add(calendar, &format!("Calendar of {plan}"))),
        }
    }
}

fn row(task: &Value, path: &str, calendars: &Calendars) -> Value {
    let name = task.get("name").filter(|name| name.as_str() != Some("")).unwrap_or(&task["id"]);
    let mut row = json!({ "wbs_path": path, "name": name });
    for key in
        ["planned_start", "deadline", "actual_start", "actual_finish", "percent_complete", "story_points"]
    {
        put(&mut row, key, task.get(key));
    }
    put(&mut row, "duration", task.get("duration").map(whole_days).as_ref());
    // `start` or `finish`, which say the same of a row without a duration.
    put(&mut row, "is_milestone", task.get("milestone").map(|_| json!(true)).as_ref());
    if let Some([optimistic, most_likely, pessimistic]) = task["estimate"].as_array().map(Vec::as_slice) {
        let [optimistic, most_likely, pessimistic] = [optimistic, most_likely, pessimistic].map(whole_days);
        row["estimate"] =
            json!({ "optimistic": optimistic, "most_likely": most_likely, "pessimistic": pessimistic });
    }
    if let Some(slug) = task["calendar"].as_str().and_then(|name| calendars.by_name.get(name)) {
        row["calendar"] = json!(slug);
    }
    constrain(&mut row, task);
    let is_done = task["percent_complete"].as_f64() == Some(100.0) || task.get("actual_finish").is_some();
    let is_begun = task["percent_complete"].as_f64() > Some(0.0) || task.get("actual_start").is_some();
    match (is_done, is_begun) {
        (true, _) => row["status"] = json!("COMPLETE"),
        (false, true) => row["status"] = json!("IN_PROGRESS"),
        (false, false) => {}
    }
    row
}

/// `["SNET", "2026-01-12"]` as two keys; `["ASAP"]` says nothing.
fn constrain(row: &mut Value, task: &Value) {
    let Some([kind, date @ ..]) = task["constraint"].as_array().map(Vec::as_slice) else { return };
    if kind != "ASAP" {
        row["constraint_type"] = kind.clone();
        put(row, "constraint_date", date.first().filter(|date| !date.is_null()));
    }
}

fn dependency(link: &Value, tasks: &[Value], paths: &[String]) -> Value {
    let path = |id: &Value| tasks.iter().position(|task| task["id"] == *id).map(|at| &paths[at]);
    let mut dependency = json!({ "predecessor": path(&link["pred"]), "successor": path(&link["succ"]) });
    dependency["dep_type"] = link.get("type").cloned().unwrap_or_else(|| json!("FS"));
    put(&mut dependency, "lag", link.get("lag").map(whole_days).as_ref());
    dependency
}

fn written_calendar(calendar: &Value, slug: &str, name: &str) -> Value {
    let exception = |exception: &Value| match exception.as_array().map(Vec::as_slice) {
        Some([first, last]) => json!({ "exc_start": first, "exc_end": last }),
        _ => {
            let mut told = json!({ "exc_start": exception["start"], "exc_end": exception["end"] });
            put(&mut told, "working", exception.get("working"));
            told
        }
    };
    let mut own = json!({ "slug": slug, "name": name.chars().take(255).collect::<String>() });
    put(&mut own, "working_days", calendar.get("working_days"));
    own["exceptions"] = list(calendar, "exceptions").iter().map(exception).collect();
    own
}

/// A part of a day counts as a whole one, as it does for the engine.
fn whole_days(days: &Value) -> Value {
    days.as_f64().map_or_else(|| days.clone(), |days| json!(days.ceil() as i64))
}

fn put(object: &mut Value, key: &str, value: Option<&Value>) {
    if let Some(value) = value {
        object[key] = value.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_document_cannot_say_is_refused_by_name() {
        let plan = r#"{"start": "2026-01-05", "progress": "override", "tasks": [{"id": "a", "duration": 1, "remaining": 1}]}"#;
        let refused = seed_of_simple(plan, "file").unwrap_err().to_string();
        assert!(refused.contains("$.progress") && refused.contains("$.tasks[0].remaining"), "{refused}");
    }
}
