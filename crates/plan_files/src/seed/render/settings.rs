//! Writes the settings of projects and programs, without those that are as at first.

use planwright_domain::words::Word;
use serde_json::Value;

use super::object::Object;
use crate::seed::model::{ProgramSettings, ProjectSettings, SettingOverrides};

/// `None` when there is nothing to say.
pub(super) fn project(settings: &ProjectSettings) -> Option<Value> {
    if *settings == ProjectSettings::default() {
        return None;
    }
    let mut object = Object::new();
    object.put_flag("inherits_methodology", settings.inherits_methodology);
    object.put_some("health", settings.health.map(Word::as_str));
    object.put_some("visibility", settings.visibility.map(Word::as_str));
    object.put_some("timezone", settings.timezone.as_deref());
    object.put_some("board_cadence", settings.board_cadence.map(Word::as_str));
    object.put_some("stale_task_threshold_days", settings.stale_task_threshold_days);
    object.put_some("end_date_shift_threshold_days", settings.end_date_shift_threshold_days);
    object.put_some("prioritization_model", settings.prioritization_model.map(Word::as_str));
    object.put_some("default_member_role", settings.default_member_role.map(|role| role.rank()));
    object.put_some("show_reporting", settings.shows.reporting);
    object.put_some("show_time_tracking", settings.shows.time_tracking);
    object.put_some("show_baselines", settings.shows.baselines);
    object.put_some("show_monte_carlo", settings.shows.monte_carlo);
    overrides(&mut object, &settings.overrides);
    Some(object.finish())
}

/// `None` when there is nothing to say.
pub(super) fn program(settings: &ProgramSettings) -> Option<Value> {
    if *settings == ProgramSettings::default() {
        return None;
    }
    let mut object = Object::new();
    object.put_some("health", settings.health.map(Word::as_str));
    object.put_some("visibility", settings.visibility.map(Word::as_str));
    object.put_date("target_date", settings.target_date);
    overrides(&mut object, &settings.overrides);
    Some(object.finish())
}

fn overrides(object: &mut Object, own: &SettingOverrides) {
    object.put_some("public_sharing", own.public_sharing);
    object.put_some("allow_guests", own.allow_guests);
    object.put_some("mc_history_enabled", own.mc_history_enabled);
    object.put_some("mc_history_retention_cap", own.mc_history_retention_cap);
    object.put_some("mc_history_attribution_audience", own.mc_history_attribution_audience.map(Word::as_str));
    object.put_some("attachments_enabled", own.attachments_enabled);
    object.put_some("allowed_attachment_types", own.allowed_attachment_types.clone());
    object.put_some("mcp_enabled", own.mcp_enabled);
    object.put_some("estimation_scale", own.estimation_scale.map(Word::as_str));
    object.put_some("sprint_picker_ready_only_default", own.sprint_picker_ready_only_default);
    object.put_some(
        "task_duration_change_percent_policy",
        own.task_duration_change_percent_policy.map(Word::as_str),
    );
    object.put_some("iteration_label", own.iteration_label.as_deref());
}
