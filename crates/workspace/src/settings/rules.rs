//! Which values the workspace settings may have: pure decisions over the row and a request.
//! Whether a calendar exists is a question for the route.

use chrono::NaiveDate;
use planwright_domain::media_types;
use planwright_domain::words::OverridePolicy;
use planwright_web::input::{Name, Patch};
use planwright_web::{ApiResult, Problems};

use super::model::{Listed, PatchedWorkspaceSettingsRequest, WorkspaceRow};

const DAYS_OF_A_WEEK: usize = 7;

/// A year without a leap day, so that whatever is a day of it is a day of every year.
const COMMON_YEAR: i32 = 2025;

/// The row with the wanted fields changed.
pub fn changed(mut row: WorkspaceRow, wish: PatchedWorkspaceSettingsRequest) -> ApiResult<WorkspaceRow> {
    let mut problems = Problems::default();
    if wish.timezone.as_given().is_some_and(|zone| zone.parse::<chrono_tz::Tz>().is_err()) {
        problems.say("timezone", "Not the IANA name of a time zone, such as Europe/Berlin.");
    }
    if wish.feedback_url.as_given().is_some_and(|url| !is_web_address(url)) {
        problems.say("feedback_url", "Must be an http or https address, or empty.");
    }
    if wish.work_week.as_given().is_some_and(|week| !is_work_week(week)) {
        problems.say("work_week", "Must name seven days, Monday first, of which at least one is worked.");
    }
    write_types(wish.allowed_attachment_types, &mut row, &mut problems);
    wish.name.write_to(&mut row.name);
    wish.timezone.write_to(&mut row.timezone);
    wish.fiscal_year_start_month.write_to(&mut row.fiscal_year_start_month);
    wish.fiscal_year_start_day.write_to(&mut row.fiscal_year_start_day);
    if day_of_year(row.fiscal_year_start_month, row.fiscal_year_start_day).is_none() {
        problems.say("fiscal_year_start_day", "That month does not have such a day every year.");
    }
    wish.work_week.write_to(&mut row.work_week.0);
    wish.default_project_view.write_to(&mut row.default_project_view);
    wish.allow_guests.write_to(&mut row.allow_guests);
    wish.public_sharing.write_to(&mut row.public_sharing);
    write_policy(wish.public_sharing_override_policy, &mut row.public_sharing_override_policy);
    wish.iteration_label.write_to(&mut row.iteration_label);
    write_policy(wish.iteration_label_override_policy, &mut row.iteration_label_override_policy);
    wish.mc_history_enabled.write_to(&mut row.mc_history_enabled);
    wish.mc_history_retention_cap.write_to(&mut row.mc_history_retention_cap);
    wish.mc_history_attribution_audience.write_to(&mut row.mc_history_attribution_audience);
    write_policy(wish.mc_history_override_policy, &mut row.mc_history_override_policy);
    wish.methodology.write_to(&mut row.methodology);
    write_policy(wish.methodology_override_policy, &mut row.methodology_override_policy);
    wish.task_duration_change_percent_policy.write_to(&mut row.task_duration_change_percent_policy);
    write_policy(
        wish.task_duration_change_percent_override_policy,
        &mut row.task_duration_change_percent_override_policy,
    );
    wish.estimation_scale.write_to(&mut row.estimation_scale);
    wish.sprint_picker_ready_only_default.write_to(&mut row.sprint_picker_ready_only_default);
    wish.attachments_enabled.write_to(&mut row.attachments_enabled);
    write_policy(wish.attachments_override_policy, &mut row.attachments_override_policy);
    wish.mcp_enabled.write_to(&mut row.mcp_enabled);
    wish.calendar.write_to(&mut row.calendar_id);
    write_policy(wish.calendar_override_policy, &mut row.calendar_override_policy);
    wish.feedback_enabled.write_to(&mut row.feedback_enabled);
    wish.feedback_url.write_to(&mut row.feedback_url);
    problems.check()?;
    Ok(row)
}

/// This edition cannot enforce, so what is asked for is written down as what will happen.
fn write_policy(wish: Patch<OverridePolicy>, target: &mut OverridePolicy) {
    match wish {
        Patch::Absent => {}
        Patch::Set(OverridePolicy::Enforce) => *target = OverridePolicy::Suggest,
        Patch::Set(other) => *target = other,
    }
}

fn write_types(wish: Patch<Vec<Name<1, 255>>>, row: &mut WorkspaceRow, problems: &mut Problems) {
    let Patch::Set(entries) = wish else { return };
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
