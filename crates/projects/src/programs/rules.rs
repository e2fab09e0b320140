//! What a program may look like: pure decisions over rows and requests.
//! Whether a calendar or a lead is there is asked in `change.rs`.

use planwright_domain::color::is_color;
use planwright_plan::containers::ProgramFields;
use planwright_web::{Patch, Problems};

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
