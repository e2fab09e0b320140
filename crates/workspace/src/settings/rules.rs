//! Which values the workspace settings may have: pure decisions over the row and a request.
//! Whether a calendar exists is a question for the route.

use chrono::NaiveDate;
use planwright_domain::media_types;
use planwright_domain::words::OverridePolicy;
use planwright_web::input::{Name, Patch};
use planwright_web::{ApiResult, Partial, Problems};

use super::model::{Listed, PatchedWorkspaceSettingsRequest, WorkspaceRow};

const DAYS_OF_A_WEEK: usize = 7;

/// A year without a leap day, so that whatever is a day of it is a day of every year.
const COMMON_YEAR: i32 = 2025;

/// The row with the wanted fields changed; what could not be read is told together with what does not fit.
pub fn changed(
    mut row: WorkspaceRow,
    Partial { read: request, mut problems }: Partial<PatchedWorkspaceSettingsRequest>,
) -> ApiResult<WorkspaceRow> {
    if request.feedback_url.as_given().is_some_and(|url| !is_web_address(url)) {
        problems.say("feedback_url", "Must be an http or https address, or empty.");
    }
    if request.work_week.as_given().is_some_and(|week| !is_work_week(week)) {
        problems
            .say("work_week", "Must contain seven days, Monday first. At least one must be a working day.");
    }
    write_types(request.allowed_attachment_types, &mut row, &mut problems);
    request.name.write_to(&mut row.name);
    request.timezone.write_to(&mut row.timezone);
    request.fiscal_year_start_month.write_to(&mut row.fiscal_year_start_month);
    request.fiscal_year_start_day.write_to(&mut row.fiscal_year_start_day);
    if day_of_year(row.fiscal_year_start_month, row.fiscal_year_start_day).is_none() {
        problems.say("fiscal_year_start_day", "The month does not have this day in every year.");
    }
    request.work_week.write_to(&mut row.work_week.0);
    request.default_project_view.write_to(&mut row.default_project_view);
    request.allow_guests.write_to(&mut row.allow_guests);
    request.public_sharing.write_to(&mut row.public_sharing);
    write_policy(request.public_sharing_override_policy, &mut row.public_sharing_override_policy);
    request.iteration_label.write_to(&mut row.iteration_label);
    write_policy(request.iteration_label_override_policy, &mut row.iteration_label_override_policy);
    request.mc_history_enabled.write_to(&mut row.mc_history_enabled);
    request.mc_history_retention_cap.write_to(&mut row.mc_history_retention_cap);
    request.mc_history_attribution_audience.write_to(&mut row.mc_history_attribution_audience);
    write_policy(request.mc_history_override_policy, &mut row.mc_history_override_policy);
    request.methodology.write_to(&mut row.methodology);
    write_policy(request.methodology_override_policy, &mut row.methodology_override_policy);
    request.task_duration_change_percent_policy.write_to(&mut row.task_duration_change_percent_policy);
    write_policy(
        request.task_duration_change_percent_override_policy,
        &mut row.task_duration_change_percent_override_policy,
    );
    request.estimation_scale.write_to(&mut row.estimation_scale);
    request.sprint_picker_ready_only_default.write_to(&mut row.sprint_picker_ready_only_default);
    request.attachments_enabled.write_to(&mut row.attachments_enabled);
    write_policy(request.attachments_override_policy, &mut row.attachments_override_policy);
    request.mcp_enabled.write_to(&mut row.mcp_enabled);
    request.calendar.write_to(&mut row.calendar_id);
    write_policy(request.calendar_override_policy, &mut row.calendar_override_policy);
    request.feedback_enabled.write_to(&mut row.feedback_enabled);
    request.feedback_url.write_to(&mut row.feedback_url);
    problems.check()?;
    Ok(row)
}

/// This edition cannot enforce, so what is asked for is written down as what will happen.
fn write_policy(request: Patch<OverridePolicy>, target: &mut OverridePolicy) {
    match request {
        Patch::Absent => {}
        Patch::Set(OverridePolicy::Enforce) => *target = OverridePolicy::Suggest,
        Patch::Set(other) => *target = other,
    }
}

fn write_types(request: Patch<Vec<Name<1, 255>>>, row: &mut WorkspaceRow, problems: &mut Problems) {
    let Patch::Set(entries) = request else { return };
    match media_types::allow_list(entries.iter().map(|entry| entry.as_str())) {
        Ok(types) => row.allowed_attachment_types = Listed(types),
        Err(refusal) => problems.say("allowed_attachment_types", refusal.to_string()),
    }
}

/// The day in a common year, when every year has it.
pub(super) fn day_of_year(month: i64, day: i64) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(COMMON_YEAR, u32::try_from(month).ok()?, u32::try_from(day).ok()?)
}

fn is_work_week(week: &[bool]) -> bool {
    week.len() == DAYS_OF_A_WEEK && week.contains(&true)
}

fn is_web_address(text: &str) -> bool {
    let parsed = text.parse::<http::Uri>();
    let is_web = |uri: http::Uri| {
        matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some_and(|host| !host.is_empty())
    };
    text.is_empty() || parsed.is_ok_and(is_web)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fiscal_year_begins_on_a_day_that_every_year_has() {
        assert!(day_of_year(2, 28).is_some());
        assert!(day_of_year(2, 29).is_none());
        assert!(day_of_year(4, 31).is_none());
        assert_eq!(super::super::model::day_in_words(4, 6), "April 6");
    }

    #[test]
    fn a_week_has_seven_days_and_some_work() {
        assert!(is_work_week(&[false, false, false, false, false, false, true]));
        assert!(!is_work_week(&[false; 7]));
        assert!(!is_work_week(&[true; 6]));
    }

    #[test]
    fn feedback_goes_to_the_web_or_nowhere() {
        for good in ["", "http://host/a?b=c", "https://host.example:8443"] {
            assert!(is_web_address(good), "{good}");
        }
        for wrong in ["host", "/path", "ftp://host/", "javascript:alert(1)", "mailto:a@b.example", "http://"]
        {
            assert!(!is_web_address(wrong), "{wrong}");
        }
    }

    #[test]
    fn enforcing_is_written_down_as_suggesting() {
        let mut policy = OverridePolicy::Inherit;
        write_policy(Patch::Absent, &mut policy);
        assert_eq!(policy, OverridePolicy::Inherit);
        write_policy(Patch::Set(OverridePolicy::Enforce), &mut policy);
        assert_eq!(policy, OverridePolicy::Suggest);
    }
}
