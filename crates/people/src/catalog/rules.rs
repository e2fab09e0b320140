//! What a resource may look like, and how well its skills fit a task: pure decisions over rows and requests.

use planwright_domain::person::is_email;
use planwright_domain::words::SkillFit;
use planwright_web::{ApiResult, Problems};

use super::model::{MissingSkill, PatchedResourceRequest, ResourceRow};
use crate::skills::model::{ResourceSkill, TaskSkillRequirement, proficiency_label};

/// What is known of the rows that a request names.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// Whether the calendar is there.
    pub calendar: bool,
    /// Whether the account is there.
    pub user: bool,
}

/// The row with the wanted fields changed.
///
/// # Errors
/// 400 that names every field that is wrong.
pub fn changed(
    mut row: ResourceRow,
    request: PatchedResourceRequest,
    named: Named,
) -> ApiResult<ResourceRow> {
    request.name.write_to(&mut row.name);
    request.email.write_to(&mut row.email);
    request.job_role.write_to(&mut row.job_role);
    request.kind.write_to(&mut row.kind);
    request.calendar.write_to(&mut row.calendar_id);
    request.max_units.write_to(&mut row.max_units);
    if let Some(rate) = request.hourly_rate.given() {
        row.hourly_rate = rate.map(i64::from);
    }
    request.user.write_to(&mut row.user_id);
    let mut problems = Problems::default();
    if !row.email.is_empty() && !is_email(&row.email) {
        problems.say("email", "Enter a valid email address.");
    }
    if !named.calendar {
        problems.say("calendar", "There is no such calendar.");
    }
    if !named.user {
        problems.say("user", "There is no such user.");
    }
    problems.check()?;
    Ok(row)
}

/// How well skills fit what a task asks for: exactly when all of it is there, partly when some of the skills are there,
/// though not all or not well enough.
pub fn fit(skills: &[ResourceSkill], requirements: &[TaskSkillRequirement]) -> (SkillFit, Vec<MissingSkill>) {
    let actual = |wanted: &TaskSkillRequirement| {
        skills.iter().find(|skill| skill.skill == wanted.skill).map(|skill| skill.proficiency)
    };
    let missing: Vec<MissingSkill> = requirements
        .iter()
        .filter(|wanted| actual(wanted).is_none_or(|level| level < wanted.min_proficiency))
        .map(|wanted| MissingSkill {
            skill_id: wanted.skill,
            skill_name: wanted.skill_name.clone(),
            required: wanted.min_proficiency,
            required_label: proficiency_label(wanted.min_proficiency).to_owned(),
            actual: actual(wanted),
            actual_label: actual(wanted).map(|level| proficiency_label(level).to_owned()),
        })
        .collect();
    let has_any = requirements.iter().any(|wanted| actual(wanted).is_some());
    let fit = match () {
        () if missing.is_empty() => SkillFit::Exact,
        () if has_any => SkillFit::Partial,
        () => SkillFit::Missing,
    };
    (fit, missing)
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::{RequirementId, ResourceId, ResourceSkillId, SkillId, TaskId};
    use uuid::Uuid;

    use super::*;

    fn has(skill: u128, proficiency: i64) -> ResourceSkill {
        ResourceSkill {
            id: ResourceSkillId(Uuid::nil()),
            server_version: 1,
            resource: ResourceId(Uuid::nil()),
            skill: SkillId(Uuid::from_u128(skill)),
            skill_name: skill.to_string(),
            proficiency,
        }
    }

    fn asks(skill: u128, min_proficiency: i64) -> TaskSkillRequirement {
        TaskSkillRequirement {
            id: RequirementId(Uuid::nil()),
            server_version: 1,
            task: TaskId(Uuid::nil()),
            skill: SkillId(Uuid::from_u128(skill)),
            skill_name: skill.to_string(),
            min_proficiency,
        }
    }

    #[test]
    fn skills_fit_exactly_partly_or_not_at_all() {
        let asked = [asks(1, 2), asks(2, 1)];
        assert_eq!(fit(&[has(1, 2), has(2, 3)], &asked), (SkillFit::Exact, vec![]));
        assert_eq!(fit(&[], &[]).0, SkillFit::Exact, "nothing is asked for");
        let (partial, missing) = fit(&[has(1, 1), has(3, 3)], &asked);
        assert_eq!(partial, SkillFit::Partial);
        let told: Vec<_> = missing.iter().map(|one| (one.required, one.actual)).collect();
        assert_eq!(told, [(2, Some(1)), (1, None)]);
        assert_eq!(fit(&[has(3, 3)], &asked).0, SkillFit::Missing);
    }
}
