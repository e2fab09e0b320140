//! What a program may look like: pure decisions over rows and requests.
//! Whether a calendar or a lead is there is asked in `change.rs`.

use planwright_plan::containers::ProgramFields;
use planwright_web::{Patch, Problems};
use serde_json::{Map, Value as Json};

use super::model::ProgramRow;
use super::requests::PatchedProgramRequest;

/// The fields with what was sent written over them; what is wrong with them is noted.
pub fn changed(
    mut fields: ProgramFields,
    request: PatchedProgramRequest,
    problems: &mut Problems,
) -> ProgramFields {
    request.write_settings(&mut fields.overrides);
    request.name.write_to(&mut fields.name);
    request.description.write_to(&mut fields.description);
    request.code.write_to(&mut fields.code);
    request.methodology.write_to(&mut fields.methodology);
    request.health.write_to(&mut fields.health);
    request.visibility.write_to(&mut fields.visibility);
    request.target_date.write_to(&mut fields.target_date);
    request.lead.write_to(&mut fields.lead_id);
    request.calendar.write_to(&mut fields.calendar_id);
    if let Patch::Set(color) = request.color {
        fields.color = color.map(String::from).filter(|color| !color.is_empty());
    }
    if fields.color.as_deref().is_some_and(|color| !is_color(color)) {
        problems.say("color", "Write a colour like #1A2B3C.");
    }
    fields
}

fn is_color(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A row as history and conflicts tell of it: by the names on the wire.
pub fn as_told(row: &ProgramRow) -> Map<String, Json> {
    match serde_json::to_value(row) {
        Ok(Json::Object(fields)) => fields,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::is_color;

    #[test]
    fn a_colour_is_six_hexadecimal_digits_behind_a_hash() {
        assert!(is_color("#1a2B3c"));
        for wrong in ["", "1a2b3c", "#1a2b3", "#1a2b3g", "#1a2b3c4"] {
            assert!(!is_color(wrong), "{wrong}");
        }
    }
}
