//! What a field may be, and what a task may say in it: pure decisions.

use std::collections::HashSet;

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::UserId;
use planwright_domain::words::FieldType;
use planwright_web::{ApiError, ApiResult, Patch, Problems};
use serde_json::{Value as Json, json};

use super::model::{CustomFieldRow, FieldOption, FieldOptionRequest, PatchedProjectCustomFieldRequest};

/// How many fields a project may have.
pub const MOST_FIELDS: usize = 32;

/// How long a text may be.
const LONGEST_TEXT: usize = 2000;

/// What a task says, as it is stored: as JSON, and in a form that can be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredValue {
    pub value: Json,
    pub as_number: Option<f64>,
    pub as_text: Option<String>,
}

/// The row with the wanted parts changed; `others` are the fields of the project, `is_new` says whether it is one of them.
///
/// # Errors
/// 400 when another field has the name, the kind would change, or the choices do not fit the kind.
pub fn changed(
    mut row: CustomFieldRow,
    request: PatchedProjectCustomFieldRequest,
    others: &[CustomFieldRow],
    is_new: bool,
    now: DateTime<Utc>,
) -> ApiResult<CustomFieldRow> {
    let mut problems = Problems::default();
    request.name.write_to(&mut row.name);
    row.name_key = row.name.to_lowercase();
    if let Patch::Set(kind) = request.field_type {
        if !is_new && kind != row.field_type {
            problems.say("field_type", "The kind of a field cannot be changed.");
        }
        row.field_type = kind;
    }
    request.required.write_to(&mut row.is_required);
    request.order.write_to(&mut row.place);
    request.show_on_card.write_to(&mut row.show_on_card);
    if let Patch::Set(options) = request.options {
        row.options = json!(choices(options.0, &mut problems));
    }
    let has_choices = !row.choices().is_empty();
    match (is_choice(row.field_type), has_choices) {
        (true, false) => problems.say("options", "A field of choices needs at least one."),
        (false, true) => problems.say("options", "Only fields of choices have options."),
        _ => {}
    }
    if others.iter().any(|other| other.id != row.id && other.name_key == row.name_key) {
        problems.say("name", "A field of this name exists in the project.");
    }
    row.updated_at = now;
    match problems.is_empty() {
        true => Ok(row),
        false => Err(ApiError::invalid(problems)),
    }
}

fn is_choice(kind: FieldType) -> bool {
    matches!(kind, FieldType::SingleSelect | FieldType::MultiSelect)
}

fn choices(requested: Vec<FieldOptionRequest>, problems: &mut Problems) -> Vec<FieldOption> {
    let option = |request: FieldOptionRequest| {
        let value = String::from(request.value);
        let label = request.label.given().map_or_else(|| value.clone(), String::from);
        FieldOption { value, label }
    };
    let options: Vec<FieldOption> = requested.into_iter().map(option).collect();
    let mut seen = HashSet::new();
    for option in options.iter().filter(|option| !seen.insert(option.value.as_str())) {
        problems.say("options", format!("The value \"{}\" is there twice.", option.value));
    }
    options
}

/// The choices that a field loses by a change.
pub fn lost_choices(before: &CustomFieldRow, after: &CustomFieldRow) -> Vec<String> {
    let kept: HashSet<String> = after.choices().into_iter().map(|option| option.value).collect();
    before.choices().into_iter().map(|option| option.value).filter(|value| !kept.contains(value)).collect()
}

/// What a task says in a field, if the field takes it. `members` are those of the project.
///
/// # Errors
/// 400 that names what the field takes.
pub fn value(field: &CustomFieldRow, sent: &Json, members: &HashSet<UserId>) -> ApiResult<StoredValue> {
    let checked = match field.field_type {
        FieldType::Text => text(sent),
        FieldType::Number => number(sent),
        FieldType::Date => date(sent),
        FieldType::SingleSelect => choice(field, sent),
        FieldType::MultiSelect => several(field, sent),
        FieldType::User => member(sent, members),
        FieldType::Boolean => sent
            .as_bool()
            .map(|told| texts(sent, told.to_string()))
            .ok_or("Must be true or false.".to_owned()),
    };
    checked.map_err(|message| ApiError::invalid_field("value", message))
}

fn texts(value: &Json, as_text: String) -> StoredValue {
    StoredValue { value: value.clone(), as_number: None, as_text: Some(as_text) }
}

fn text(sent: &Json) -> Result<StoredValue, String> {
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

fn number(sent: &Json) -> Result<StoredValue, String> {
    let number = sent.as_f64().filter(|number| number.is_finite() && number.abs() < 1e15);
    number
        .map(|number| StoredValue { value: sent.clone(), as_number: Some(number), as_text: None })
        .ok_or_else(|| "Must be a number.".to_owned())
}

fn date(sent: &Json) -> Result<StoredValue, String> {
    let parsed =
        sent.as_str().filter(|text| text.len() == 10).and_then(|text| text.parse::<NaiveDate>().ok());
    parsed
        .map(|date| texts(sent, date.to_string()))
        .ok_or_else(|| "Must be a date like 2026-01-31.".to_owned())
}

fn choice(field: &CustomFieldRow, sent: &Json) -> Result<StoredValue, String> {
    let is_known = |text: &str| field.choices().iter().any(|option| option.value == text);
    match sent.as_str() {
        Some(text) if is_known(text) => Ok(texts(sent, text.to_owned())),
        _ => Err("Must be one of the choices of the field.".to_owned()),
    }
}

fn several(field: &CustomFieldRow, sent: &Json) -> Result<StoredValue, String> {
    let wrong = || "Must be a list of different choices of the field.".to_owned();
    let items = sent.as_array().filter(|items| !items.is_empty()).ok_or_else(wrong)?;
    let chosen: Vec<&str> =
        items.iter().map(|item| item.as_str().ok_or_else(wrong)).collect::<Result<_, _>>()?;
    let options = field.choices();
    let place = |text: &str| options.iter().position(|option| option.value == text);
    let mut places: Vec<usize> =
        chosen.iter().map(|text| place(text).ok_or_else(wrong)).collect::<Result<_, _>>()?;
    places.sort_unstable();
    if places.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(wrong());
    }
    let values: Vec<&str> = places.into_iter().map(|place| options[place].value.as_str()).collect();
    Ok(texts(&json!(values), values.join("\u{1f}")))
}

fn member(sent: &Json, members: &HashSet<UserId>) -> Result<StoredValue, String> {
    let id = sent.as_str().and_then(|text| text.parse().ok()).map(UserId);
    match id.filter(|id| members.contains(id)) {
        Some(id) => Ok(texts(&json!(id), id.to_string())),
        None => Err("Must be the id of a member of the project.".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::{CustomFieldId, ProjectId};
    use uuid::Uuid;

    use super::*;

    fn field(kind: FieldType) -> CustomFieldRow {
        let fresh =
            CustomFieldRow::fresh(CustomFieldId(Uuid::nil()), ProjectId(Uuid::nil()), 1, Default::default());
        let options = json!([{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]);
        CustomFieldRow { field_type: kind, options, ..fresh }
    }

    #[test]
    fn each_kind_of_field_takes_its_own_values() {
        let me = UserId(Uuid::from_u128(7));
        let members = HashSet::from([me]);
        let takes = |kind, sent: Json| value(&field(kind), &sent, &members).is_ok();
        use FieldType::*;
        let right = [
            (Text, json!("x")),
            (Number, json!(1.5)),
            (Date, json!("2026-01-31")),
            (SingleSelect, json!("a")),
            (MultiSelect, json!(["b", "a"])),
            (User, json!(me)),
            (Boolean, json!(false)),
        ];
        for (kind, sent) in right {
            assert!(takes(kind, sent.clone()), "{kind:?} {sent}");
        }
        let wrong = [
            (Text, json!(" ")),
            (Text, json!(1)),
            (Number, json!("1")),
            (Date, json!("31.1.2026")),
            (Date, json!("2026-02-30")),
            (SingleSelect, json!("c")),
            (MultiSelect, json!(["a", "a"])),
            (MultiSelect, json!([])),
            (User, json!(Uuid::nil())),
            (Boolean, json!("true")),
        ];
        for (kind, sent) in wrong {
            assert!(!takes(kind, sent.clone()), "{kind:?} {sent}");
        }
    }

    #[test]
    fn several_choices_are_kept_in_the_order_of_the_field() {
        let stored = value(&field(FieldType::MultiSelect), &json!(["b", "a"]), &HashSet::new()).unwrap();
        assert_eq!(stored.value, json!(["a", "b"]));
    }

    #[test]
    fn a_field_of_choices_has_some_and_others_have_none() {
        let asked = |body: Json| {
            let body = body.as_object().unwrap().clone();
            <PatchedProjectCustomFieldRequest as planwright_web::input::Input>::read(&body).unwrap()
        };
        let bare = CustomFieldRow { options: json!([]), ..field(FieldType::Text) };
        let made = |body| changed(bare.clone(), asked(body), &[], true, Default::default());
        assert!(made(json!({"name": "A", "field_type": "SINGLE_SELECT"})).is_err());
        assert!(made(json!({"name": "A", "field_type": "TEXT", "options": [{"value": "a"}]})).is_err());
        assert!(made(json!({"name": "A", "field_type": "SINGLE_SELECT", "options": [{"value": "a"}, {"value": "a"}]})).is_err());
        let row =
            made(json!({"name": "A", "field_type": "SINGLE_SELECT", "options": [{"value": "a"}]})).unwrap();
        assert_eq!(row.choices()[0].label, "a");
        let kind = asked(json!({"field_type": "NUMBER"}));
        assert!(changed(row, kind, &[], false, Default::default()).is_err(), "a kind stays");
    }
}
