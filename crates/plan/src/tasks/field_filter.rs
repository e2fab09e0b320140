//! `?custom_fields=`: narrows a list of tasks by what they say in the fields that their projects add; `?custom_field=`
//! orders it by one of them.
//! Values are compared in the forms that `custom_fields.rs` keeps beside the JSON.

use planwright_domain::custom_fields::as_number;
use planwright_domain::ids::CustomFieldId;
use planwright_store::dialect::{contains, pattern};
use planwright_store::page::Key;
use planwright_store::{Engine, Sql, ToValue, Value as Bound};
use planwright_web::{ApiError, ApiResult};
use serde_json::{Map, Value};

/// How many fields one list may ask for.
const MOST_FIELDS: usize = 4;

/// The names of the values of each condition: its field, the one or two values that it compares with, and both as numbers.
const NAMES: [[&str; 5]; MOST_FIELDS] = [
    ["field_a", "value_a", "until_a", "value_number_a", "until_number_a"],
    ["field_b", "value_b", "until_b", "value_number_b", "until_number_b"],
    ["field_c", "value_c", "until_c", "value_number_c", "until_number_c"],
    ["field_d", "value_d", "until_d", "value_number_d", "until_number_d"],
];

/// What stands between the choices of a field that takes several, and here around all of them.
const BETWEEN: char = '\u{1f}';

/// What a task `t` says as a number in the field by which a list is ordered.
pub(super) const BY_NUMBER: &str =
    "(SELECT v.as_number FROM custom_field_values v JOIN custom_fields f ON f.id = v.field_id AND f.deletion_id IS NULL
        WHERE v.task_id = t.id AND v.field_id = :ordering_field)";
/// The same as a text.
const BY_TEXT: &str =
    "(SELECT v.as_text FROM custom_field_values v JOIN custom_fields f ON f.id = v.field_id AND f.deletion_id IS NULL
        WHERE v.task_id = t.id AND v.field_id = :ordering_field)";

/// The keys of an order with both forms of the value where there is one; tasks that say nothing come last.
///
/// # Errors
/// 400 on `custom_field` if the order needs a field and none is given.
pub(super) fn with_texts(keys: Vec<Key>, field: Option<CustomFieldId>) -> ApiResult<Vec<Key>> {
    let is_by_field = |key: &Key| key.column == BY_NUMBER;
    if field.is_none() && keys.iter().any(is_by_field) {
        return Err(ApiError::invalid_field("custom_field", "Say by which field the list is ordered."));
    }
    let both = |key: Key| {
        let text = is_by_field(&key).then_some(Key { column: BY_TEXT, ..key });
        [key].into_iter().chain(text)
    };
    Ok(keys.into_iter().flat_map(both).collect())
}

/// Narrows a list of tasks `t`.
///
/// # Errors
/// 400 on `custom_fields` that names what it takes.
pub(super) fn narrowed(mut tasks: Sql, engine: Engine, text: &str) -> ApiResult<Sql> {
    let wrong = || {
        let message = "Must be a JSON object of at most 4 fields, each id with a value, null or {\"from\": …, \"to\": …}.";
        ApiError::invalid_field("custom_fields", message)
    };
    let asked: Map<String, Value> = serde_json::from_str(text).map_err(|_| wrong())?;
    if asked.is_empty() || asked.len() > MOST_FIELDS {
        return Err(wrong());
    }
    for (names, (field, wanted)) in NAMES.iter().zip(&asked) {
        let field: CustomFieldId = field.parse().map(CustomFieldId).map_err(|_| wrong())?;
        let negation = if wanted.is_null() { "NOT " } else { "" };
        let (condition, values) = condition(engine, names, wanted).ok_or_else(wrong)?;
        let said = format!(
            " AND {negation}EXISTS (SELECT 1 FROM custom_field_values v
                JOIN custom_fields f ON f.id = v.field_id AND f.deletion_id IS NULL
                WHERE v.task_id = t.id AND v.field_id = :{}{condition})",
            names[0]
        );
        tasks = tasks.push(&said).bind(names[0], field);
        for (name, value) in values {
            tasks = tasks.bind(name, value);
        }
    }
    Ok(tasks)
}

/// The condition on a value `v`, with what it compares with; nothing for what no field can say.
fn condition(
    engine: Engine,
    names: &[&'static str; 5],
    wanted: &Value,
) -> Option<(String, Vec<(&'static str, Bound)>)> {
    let [_, value, until, ..] = *names;
    match wanted {
        Value::Null => Some((String::new(), Vec::new())),
        Value::Number(number) => {
            Some((format!(" AND v.as_number = :{value}"), vec![(value, number.as_f64()?.to_value())]))
        }
        Value::Bool(told) => equals(engine, value, &told.to_string()),
        Value::String(text) if !text.contains('\0') => {
            let (said, mut values) = equals(engine, value, text)?;
            // A query sends a number as text as well.
            let Some(number) = as_number(wanted).and_then(|number| number.as_f64()) else {
                return Some((said, values));
            };
            let said = said.trim_start_matches(" AND ");
            values.push((until, number.to_value()));
            Some((format!(" AND (v.as_number = :{until} OR {said})"), values))
        }
        Value::Object(range) => in_range(names, range),
        _ => None,
    }
}

/// Between two ends, or on one side of one. A number may come as a text.
fn in_range(
    names: &[&'static str; 5],
    range: &Map<String, Value>,
) -> Option<(String, Vec<(&'static str, Bound)>)> {
    if range.is_empty() || range.keys().any(|key| key != "from" && key != "to") {
        return None;
    }
    let [_, value, until, value_number, until_number] = *names;
    let ends = [("from", ">=", value, value_number), ("to", "<=", until, until_number)];
    let mut condition = String::new();
    let mut values = Vec::new();
    for (key, comparison, name, as_a_number) in ends {
        let Some(end) = range.get(key) else { continue };
        let number = as_number(end).and_then(|number| number.as_f64());
        let text = end.as_str().filter(|text| !text.contains('\0'));
        condition += &match (number, text) {
            (Some(_), Some(_)) => format!(
                " AND CASE WHEN v.as_number IS NULL THEN v.as_text {comparison} :{name}
                    ELSE v.as_number {comparison} :{as_a_number} END"
            ),
            (Some(_), None) => format!(" AND v.as_number {comparison} :{as_a_number}"),
            (None, Some(_)) => format!(" AND v.as_text {comparison} :{name}"),
            (None, None) => return None,
        };
        values.extend(text.map(|text| (name, text.to_value())));
        values.extend(number.map(|number| (as_a_number, number.to_value())));
    }
    Some((condition, values))
}

/// A text, or one of several choices.
fn equals(engine: Engine, name: &'static str, text: &str) -> Option<(String, Vec<(&'static str, Bound)>)> {
    let around = format!("('{BETWEEN}' || v.as_text || '{BETWEEN}')");
    let wanted = pattern(&format!("{BETWEEN}{text}{BETWEEN}")).to_value();
    Some((format!(" AND {}", contains(engine, &around, name)), vec![(name, wanted)]))
}

#[cfg(test)]
mod tests {
    use planwright_store::sql;

    use super::*;

    const FIELD: &str = "019b8d2b-8c00-7f9a-90ba-eb66ac5c898a";

    fn read(wanted: &str) -> ApiResult<Sql> {
        narrowed(sql!("SELECT 1"), Engine::Sqlite, &format!("{{\"{FIELD}\": {wanted}}}"))
    }

    #[test]
    fn a_field_is_asked_for_by_value_by_range_or_for_saying_nothing() {
        for wanted in [
            "1.5",
            "\"granite\"",
            "true",
            "null",
            "{\"from\": 1}",
            "{\"from\": \"2\", \"to\": 10}",
            "{\"from\": \"2026-01-05\", \"to\": \"2026-02-01\"}",
        ] {
            assert!(read(wanted).is_ok(), "{wanted}");
        }
        assert!(read("null").unwrap().text().contains("NOT EXISTS"));
        assert!(read("\"5\"").unwrap().text().contains("v.as_number = :until_a OR"), "text can be a number");
    }

    #[test]
    fn what_is_no_condition_is_refused() {
        for wanted in ["[]", "{}", "{\"from\": null}", "{\"most\": 1}", "\"\\u0000\""] {
            assert!(read(wanted).is_err(), "{wanted}");
        }
        let text = |text: &str| narrowed(sql!("SELECT 1"), Engine::Sqlite, text).is_err();
        assert!(text("granite") && text("{}") && text("[]") && text("{\"x\": 1}"));
        let many: Vec<String> =
            (0..5).map(|at| format!("\"019b8d2b-8c00-7f9a-90ba-eb66ac5c898{at}\": 1")).collect();
        assert!(text(&format!("{{{}}}", many.join(","))));
    }
}
