//! What a group may be called: pure decisions.

use planwright_web::{ApiError, ApiResult};

use super::model::{GroupRow, PatchedUserDefinedMentionGroupWriteRequest};
use crate::comments::mentions::is_automatic;

/// How many groups a project or a program may have.
pub const MOST: usize = 100;

/// The row with the wanted fields changed; `others` are the groups of the same place.
///
/// # Errors
/// 400 when the name cannot stand behind an @, belongs to a group that makes itself, or to another one.
pub fn changed(
    mut row: GroupRow,
    request: PatchedUserDefinedMentionGroupWriteRequest,
    others: &[GroupRow],
) -> ApiResult<GroupRow> {
    request.name.write_to(&mut row.name);
    request.description.write_to(&mut row.description);
    request.email_default_on.write_to(&mut row.email_default_on);
    row.name_key = row.name.to_lowercase();
    let is_plain =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '-');
    let refused = |message: &str| Err(ApiError::invalid_field("name", message));
    match () {
        () if !row.name.chars().all(is_plain) || row.name.ends_with(['.', '-']) => {
            refused("Use letters, digits, _, . and -, and no . or - at the end.")
        }
        () if is_automatic(&row.name_key) => refused("This name is reserved."),
        () if others.iter().any(|other| other.id != row.id && other.name_key == row.name_key) => {
            refused("A group of this name exists.")
        }
        () => Ok(row),
    }
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::{MentionGroupId, ProjectId};
    use planwright_web::ProjectOrProgram;
    use planwright_web::input::Input;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_name_can_stand_behind_an_at_and_is_free() {
        let home = ProjectOrProgram::Project(ProjectId(Uuid::nil()));
        let fresh = |id| GroupRow::fresh(MentionGroupId(Uuid::from_u128(id)), home, Default::default());
        let taken = GroupRow { name_key: "diggers".into(), ..fresh(1) };
        let named = |name: &str| {
            let body = json!({ "name": name });
            let request =
                PatchedUserDefinedMentionGroupWriteRequest::read(body.as_object().unwrap()).unwrap();
            changed(fresh(2), request, std::slice::from_ref(&taken)).is_ok()
        };
        assert!(named("crew-2.b"));
        for wrong in ["two words", "Übung", "end.", "Owners", "all", "DIGGERS"] {
            assert!(!named(wrong), "{wrong}");
        }
    }
}
