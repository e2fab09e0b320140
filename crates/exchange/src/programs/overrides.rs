//! The settings that a project or a program does not inherit: between the rows of a plan and a document.

use planwright_plan::containers::{AttachmentTypes, Overrides};
use planwright_plan_files::seed::model::SettingOverrides;

/// What a document says, as columns of a row.
pub(super) fn to_columns(said: &SettingOverrides) -> Overrides {
    let said = said.clone();
    Overrides {
        public_sharing: said.public_sharing,
        allow_guests: said.allow_guests,
        mc_history_enabled: said.mc_history_enabled,
        mc_history_retention_cap: said.mc_history_retention_cap,
        mc_history_attribution_audience: said.mc_history_attribution_audience,
        attachments_enabled: said.attachments_enabled,
        allowed_attachment_types: said.allowed_attachment_types.map(AttachmentTypes::of),
        mcp_enabled: said.mcp_enabled,
        estimation_scale: said.estimation_scale,
        sprint_picker_ready_only_default: said.sprint_picker_ready_only_default,
        task_duration_change_percent_policy: said.task_duration_change_percent_policy,
        iteration_label: said.iteration_label,
    }
}

/// The columns of a row, as a document says them.
pub(super) fn from_columns(row: Overrides) -> SettingOverrides {
    SettingOverrides {
        public_sharing: row.public_sharing,
        allow_guests: row.allow_guests,
        mc_history_enabled: row.mc_history_enabled,
        mc_history_retention_cap: row.mc_history_retention_cap,
        mc_history_attribution_audience: row.mc_history_attribution_audience,
        attachments_enabled: row.attachments_enabled,
        allowed_attachment_types: row.allowed_attachment_types.map(|types| types.as_slice().to_vec()),
        mcp_enabled: row.mcp_enabled,
        estimation_scale: row.estimation_scale,
        sprint_picker_ready_only_default: row.sprint_picker_ready_only_default,
        task_duration_change_percent_policy: row.task_duration_change_percent_policy,
        iteration_label: row.iteration_label,
    }
}
