//! What a project may look like and who may change which part of it: pure decisions over rows and requests.
//! Whether a calendar, a program or a lead is there is asked in `change.rs`.

use planwright_domain::Role;
use planwright_domain::words::{ChangeKind, Lifecycle};
use planwright_plan::containers::{ProjectFields, ProjectRow};
use planwright_store::Tracked;
use planwright_store::history::Change;
use planwright_web::Problems;

use super::requests::PatchedProjectRequest;
use crate::inherit::write_inherited;

/// What a Resource Manager may change, who keeps the way a team works but not what the project is.
const OF_RESOURCE_MANAGERS: [&str; 5] = [
    "methodology",
    "board_cadence",
    "estimation_mode",
    "estimation_scale",
    "sprint_picker_ready_only_default",
];

/// What moves dates.
const MOVES_DATES: [&str; 5] = ["start_date", "status_date", "calendar", "program", "lag_calendar"];

/// The fields with what was sent written over them; what is wrong with them is noted.
pub fn changed(
    mut fields: ProjectFields,
    request: PatchedProjectRequest,
    problems: &mut Problems,
) -> ProjectFields {
    request.write_settings(&mut fields.overrides);
    request.name.write_to(&mut fields.name);
    request.start_date.write_to(&mut fields.start_date);
    request.description.write_to(&mut fields.description);
    request.status_date.write_to(&mut fields.status_date);
    request.calendar.write_to(&mut fields.calendar_id);
    request.lag_calendar.write_to(&mut fields.lag_calendar);
    request.code.write_to(&mut fields.code);
    request.health.write_to(&mut fields.health);
    request.visibility.write_to(&mut fields.visibility);
    request.timezone.write_to(&mut fields.timezone);
    request.default_view.write_to(&mut fields.default_view);
    request.lead.write_to(&mut fields.lead_id);
    request.estimation_mode.write_to(&mut fields.estimation_mode);
    request.board_cadence.write_to(&mut fields.board_cadence);
    request.stale_task_threshold_days.write_to(&mut fields.stale_task_threshold_days);
    request.end_date_shift_threshold_days.write_to(&mut fields.end_date_shift_threshold_days);
    request.prioritization_model.write_to(&mut fields.prioritization_model);
    request.default_member_role.write_to(&mut fields.default_member_role);
    request.program.write_to(&mut fields.program_id);
    request.lifecycle.write_to(&mut fields.lifecycle);
    request.draft_started_at.write_to(&mut fields.draft_started_at);
    write_inherited(request.methodology, &mut fields.methodology);
    write_inherited(request.show_reporting, &mut fields.show_reporting);
    write_inherited(request.show_time_tracking, &mut fields.show_time_tracking);
    write_inherited(request.show_baselines, &mut fields.show_baselines);
    write_inherited(request.show_monte_carlo, &mut fields.show_monte_carlo);
    if !is_code(&fields.code) {
        problems.say("code", "Only capital letters, digits, and hyphens between them are allowed.");
    }
    if fields.default_member_role >= Role::Owner {
        problems.say("default_member_role", "Must be below Owner.");
    }
    fields
}

/// Whether a text may be what the tasks of a project are called by; empty is none.
fn is_code(code: &str) -> bool {
    let known = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-';
    code.bytes().all(known) && !code.starts_with('-') && !code.ends_with('-')
}

/// The settings of another project, for one that is being created like it; who it is and when it begins stay its own.
pub fn like(model: &ProjectFields, fresh: ProjectFields) -> ProjectFields {
    ProjectFields {
        calendar_id: model.calendar_id,
        lag_calendar: model.lag_calendar,
        visibility: model.visibility,
        timezone: model.timezone.clone(),
        default_view: model.default_view,
        estimation_mode: model.estimation_mode,
        methodology: model.methodology,
        board_cadence: model.board_cadence,
        stale_task_threshold_days: model.stale_task_threshold_days,
        end_date_shift_threshold_days: model.end_date_shift_threshold_days,
        prioritization_model: model.prioritization_model,
        default_member_role: model.default_member_role,
        overrides: model.overrides.clone(),
        show_reporting: model.show_reporting,
        show_time_tracking: model.show_time_tracking,
        show_baselines: model.show_baselines,
        show_monte_carlo: model.show_monte_carlo,
        ..fresh
    }
}

/// Refuses to make a draft of a plan that is active, or the other way round: what commits a plan also keeps what it promised.
pub fn keep_lifecycle(before: &ProjectFields, after: &ProjectFields, problems: &mut Problems) {
    if after.lifecycle != before.lifecycle {
        problems.say(
            "lifecycle",
            "Read-only. A project is a draft from its creation until it is committed with commit/.",
        );
    }
    if after.draft_started_at != before.draft_started_at {
        problems.say("draft_started_at", "Read-only. It is set when a draft is created.");
    }
}

/// A draft knows since when it is one.
pub fn with_draft_stamp(mut fields: ProjectFields, now: chrono::DateTime<chrono::Utc>) -> ProjectFields {
    if fields.lifecycle == Lifecycle::Draft && fields.draft_started_at.is_none() {
        fields.draft_started_at = Some(now);
    }
    fields
}

/// The names of the fields in which two rows differ.
pub fn differing(before: &ProjectRow, after: &ProjectRow) -> Vec<String> {
    let change = Change::of(ProjectRow::ENTITY, after.id, ChangeKind::Updated, None).between(before, after);
    change.fields.into_iter().map(|(field, _)| field).collect()
}

/// Notes every changed field that is not for this rank to change.
pub fn check_rank(role: Role, changed: &[String], problems: &mut Problems) {
    if role >= Role::ProjectManager {
        return;
    }
    for field in changed.iter().filter(|field| !OF_RESOURCE_MANAGERS.contains(&field.as_str())) {
        problems.say(field, "A Resource Manager may not change this field.");
    }
}

/// Whether a change can move the dates of the plan.
pub fn moves_dates(changed: &[String]) -> bool {
    changed.iter().any(|field| MOVES_DATES.contains(&field.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_made_of_capitals_digits_and_inner_hyphens() {
        for good in ["", "A", "R2-D2", "42"] {
            assert!(is_code(good), "{good}");
        }
        for bad in ["a", "-A", "A-", "A B", "Ä"] {
            assert!(!is_code(bad), "{bad}");
        }
    }

    #[test]
    fn a_resource_manager_changes_how_a_team_works_and_nothing_else() {
        let refused = |role, fields: &[&str]| {
            let mut problems = Problems::default();
            let fields: Vec<String> = fields.iter().map(|field| (*field).to_owned()).collect();
            check_rank(role, &fields, &mut problems);
            problems.into_json().len()
        };
        assert_eq!(refused(Role::ResourceManager, &["methodology", "estimation_scale"]), 0);
        assert_eq!(refused(Role::ResourceManager, &["name", "methodology", "public_sharing"]), 2);
        assert_eq!(refused(Role::ProjectManager, &["name", "public_sharing"]), 0);
    }

    #[test]
    fn what_moves_dates_is_told_from_what_does_not() {
        assert!(moves_dates(&["name".into(), "calendar".into()]));
        assert!(!moves_dates(&["name".into(), "health".into()]));
    }
}
