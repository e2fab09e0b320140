//! What a task may say in a field that its project adds, by the kind of the field.
//! The values are kept twice: as JSON, and in a form that can be compared. Nothing here reads or writes.

use std::collections::HashSet;

use chrono::{Datelike, NaiveDate};
use serde_json::{Value, json};

use crate::booleans::parse_bool;
use crate::ids::UserId;
use crate::words::FieldType;

/// How long a text may be, in characters.
const LONGEST_TEXT: usize = 2000;

/// What a task says, as it is stored: as JSON, and in a form that can be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredValue {
    /// As JSON.
    pub value: Value,
    /// Numbers.
    pub as_number: Option<f64>,
    /// Everything else: texts in lower case, dates as `YYYY-MM-DD`, several choices with U+001F between them.
    pub as_text: Option<String>,
}

/// A value that a field takes. `choices` are those of the field, `members` the people of its project.
///
/// # Errors
/// What the field takes, as a sentence.
pub fn stored(
    kind: FieldType,
    choices: &[&str],
    members: &HashSet<UserId>,
    sent: &Value,
) -> Result<StoredValue, String> {
    match kind {
        FieldType::Text => text(sent),
        FieldType::Number => number(sent),
        FieldType::Date => date(sent),
        FieldType::SingleSelect => choice(choices, sent),
        FieldType::MultiSelect => several(choices, sent),
        FieldType::User => member(sent, members),
        FieldType::Boolean => boolean(sent)
            .map(|told| texts(&json!(told), told.to_string()))
            .ok_or_else(|| "Must be true or false.".to_owned()),
    }
}

fn texts(value: &Value, as_text: String) -> StoredValue {
    StoredValue { value: value.clone(), as_number: None, as_text: Some(as_text) }
}

fn text(sent: &Value) -> Result<StoredValue, String> {
    let sent = &if sent.is_number() { json!(sent.to_string()) } else { sent.clone() };
    match sent.as_str() {
        Some(text) if text.chars().count() > LONGEST_TEXT => {
            Err(format!("May have at most {LONGEST_TEXT} characters."))
        }
        Some(text) if text.trim().is_empty() => Err("May not be blank.".to_owned()),
        Some(text) if text.contains('\0') => Err("May not contain null characters.".to_owned()),
        Some(text) => Ok(texts(sent, text.to_lowercase())),
        None => Err("Must be a text.".to_owned()),
    }
}

fn number(sent: &Value) -> Result<StoredValue, String> {
    let sent = as_number(sent).ok_or("Must be a number.")?;
    let number = sent.as_f64().filter(|number| number.abs() < 1e15);
    // Zero has no sign: it would be shown, and another zero would be a change.
    let number = number.ok_or("Must be a number with at most 15 digits before the point.")? + 0.0;
    let value = if number == 0.0 { json!(0) } else { sent };
    Ok(StoredValue { value, as_number: Some(number), as_text: None })
}

/// A number that was sent as one, or as text, as forms and queries send it.
pub fn as_number(sent: &Value) -> Option<Value> {
    let read = |text: &str| serde_json::from_str::<Value>(text.trim()).ok();
    let number = sent.as_str().and_then(read).unwrap_or_else(|| sent.clone());
    number.is_number().then_some(number)
}

fn date(sent: &Value) -> Result<StoredValue, String> {
    let parsed =
        sent.as_str().filter(|text| text.len() == 10).and_then(|text| text.parse::<NaiveDate>().ok());
    parsed
        .filter(|date| date.year() > 0)
        .map(|date| texts(sent, date.to_string()))
        .ok_or_else(|| "Must be a date like 2026-01-31.".to_owned())
}

fn choice(choices: &[&str], sent: &Value) -> Result<StoredValue, String> {
    match sent.as_str() {
        Some(text) if choices.contains(&text) => Ok(texts(sent, text.to_owned())),
        _ => Err("Must be one of the choices of the field.".to_owned()),
    }
}

fn several(choices: &[&str], sent: &Value) -> Result<StoredValue, String> {
    let wrong = || "Must be a list of different choices of the field.".to_owned();
    let items = sent.as_array().filter(|items| !items.is_empty()).ok_or_else(wrong)?;
    let chosen: Vec<&str> =
        items.iter().map(|item| item.as_str().ok_or_else(wrong)).collect::<Result<_, _>>()?;
    let place = |text: &str| choices.iter().position(|choice| *choice == text);
    let mut places: Vec<usize> =
        chosen.iter().map(|text| place(text).ok_or_else(wrong)).collect::<Result<_, _>>()?;
    places.sort_unstable();
    if places.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(wrong());
    }
    let values: Vec<&str> = places.into_iter().map(|place| choices[place]).collect();
    Ok(texts(&json!(values), values.join("\u{1f}")))
}

fn boolean(sent: &Value) -> Option<bool> {
    sent.as_bool().or_else(|| parse_bool(sent.as_str()?))
}

fn member(sent: &Value, members: &HashSet<UserId>) -> Result<StoredValue, String> {
    let id = sent.as_str().and_then(|text| text.parse().ok()).map(UserId);
    match id.filter(|id| members.contains(id)) {
        Some(id) => Ok(texts(&json!(id), id.to_string())),
        None => Err("Must be the id of a member of the project.".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is kept of a number, as a client reads it.
    fn kept(text: &str) -> Option<String> {
        let sent = serde_json::from_str(text).unwrap();
        number(&sent).ok().map(|stored| stored.value.to_string())
    }

    #[test]
    fn a_yes_or_no_is_kept_as_one_however_it_was_sent() {
        let kept = |sent: Value| {
            let stored = stored(FieldType::Boolean, &[], &HashSet::new(), &sent);
            stored.ok().map(|stored| (stored.value, stored.as_text))
        };
        assert_eq!(kept(json!("Yes")), Some((json!(true), Some("true".to_owned()))));
        assert_eq!(kept(json!(false)), Some((json!(false), Some("false".to_owned()))));
        assert_eq!([kept(json!(1)), kept(json!(null)), kept(json!("maybe"))], [None, None, None]);
    }

    #[test]
    fn a_number_of_fifteen_digits_is_kept_as_it_was_sent() {
        for text in ["999999999999999", "999999999999999.9", "-999999999999999.9", "0.1", "2.675"] {
            assert_eq!(kept(text).as_deref(), Some(text));
        }
        assert_eq!(kept("-0.0").as_deref(), Some("0"));
        for text in ["1000000000000000", "-1e15", "1e300", "\"nan\"", "true"] {
            assert_eq!(kept(text), None, "{text}");
        }
    }
}
