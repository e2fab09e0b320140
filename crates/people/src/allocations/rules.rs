//! What somebody who allocates should think about: pure decisions over what was read.

use chrono::NaiveDate;
use planwright_domain::words::AllocationWarningCode;

use super::model::AllocationWarning;
use crate::catalog::model::MissingSkill;

/// The warnings of an allocation: of days with more work than capacity, and of skills that are asked for and not there.
pub fn warnings(
    first_day: Option<NaiveDate>,
    days: usize,
    missing: Vec<MissingSkill>,
) -> Vec<AllocationWarning> {
    let mut warnings = Vec::new();
    if let Some(first) = first_day {
        warnings.push(AllocationWarning {
            code: AllocationWarningCode::ResourceOverallocated,
            detail: format!("The resource has more work than capacity on {days} days, first on {first}."),
            days: Some(days as i64),
            first_day: Some(first),
            missing_skills: None,
        });
    }
    if !missing.is_empty() {
        let names: Vec<&str> = missing.iter().map(|skill| skill.skill_name.as_str()).collect();
        warnings.push(AllocationWarning {
            code: AllocationWarningCode::SkillMismatch,
            detail: format!("The resource does not have the required skills: {}.", names.join(", ")),
            days: None,
            first_day: None,
            missing_skills: Some(missing),
        });
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_warned_of_without_a_reason() {
        assert_eq!(warnings(None, 0, Vec::new()), []);
        let told = warnings("2026-01-05".parse().ok(), 3, Vec::new());
        assert_eq!(told.len(), 1);
        assert_eq!((told[0].code, told[0].days), (AllocationWarningCode::ResourceOverallocated, Some(3)));
    }
}
