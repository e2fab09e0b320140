//! What skills may look like: pure decisions over rows and requests.

use planwright_domain::skills::normalized;
use planwright_web::{ApiError, ApiResult};

use super::model::{PatchedSkillRequest, SkillRow};

/// The row with the wanted fields changed; `other` is the skill that has the wanted name by now.
///
/// # Errors
/// 400 when another skill has the name.
pub fn changed(
    mut row: SkillRow,
    request: PatchedSkillRequest,
    other: Option<&SkillRow>,
) -> ApiResult<SkillRow> {
    request.name.write_to(&mut row.name);
    request.category.write_to(&mut row.category);
    row.normalized_name = normalized(&row.name);
    match other.is_some_and(|other| other.id != row.id && other.normalized_name == row.normalized_name) {
        true => Err(ApiError::invalid_field("name", "A skill with this name already exists.")),
        false => Ok(row),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_without_regard_to_case_and_blanks() {
        assert_eq!(normalized("  Site   Survey "), "site survey");
        assert_eq!(normalized("Übung"), normalized("ÜBUNG"));
        assert_ne!(normalized("site-survey"), normalized("site survey"));
    }
}
