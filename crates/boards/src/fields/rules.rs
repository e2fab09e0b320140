//! What a field may be, and what a task may say in it: pure decisions.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use planwright_domain::custom_fields::{StoredValue, stored};
use planwright_domain::ids::UserId;
use planwright_domain::words::FieldType;
use planwright_web::{ApiError, ApiResult, Patch, Problems};
use serde_json::{Value as Json, json};

use super::model::{CustomFieldRow, FieldOption, FieldOptionRequest, PatchedProjectCustomFieldRequest};

/// How many fields a project may have.
pub const MOST_FIELDS: usize = 32;

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
    let options = field.choices();
    let choices: Vec<&str> = options.iter().map(|option| option.value.as_str()).collect();
    stored(field.field_type, &choices, members, sent)
        .map_err(|message| ApiError::invalid_field("value", message))
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
            (Text, json!(1)),
            (Number, json!(1.5)),
            (Number, json!("1")),
            (Date, json!("2026-01-31")),
            (SingleSelect, json!("a")),
            (MultiSelect, json!(["b", "a"])),
            (User, json!(me)),
            (Boolean, json!(false)),
            (Boolean, json!("true")),
        ];
        for (kind, sent) in right {
            assert!(takes(kind, sent.clone()), "{kind:?} {sent}");
        }
        let wrong = [
            (Text, json!(" ")),
            (Text, json!(["x"])),
            (Number, json!("one")),
            (Date, json!("31.1.2026")),
            (Date, json!("2026-02-30")),
            (SingleSelect, json!("c")),
            (MultiSelect, json!(["a", "a"])),
            (MultiSelect, json!([])),
            (User, json!(Uuid::nil())),
            (Boolean, json!("perhaps")),
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
