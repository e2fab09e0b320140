//! Every statement about the workspace row, of which there is exactly one.
//! What may stand in it is in `rules.rs`.

use planwright_store::{Read, Result, Tx, sql};

use super::model::WorkspaceRow;
use crate::Administrator;

/// The workspace.
pub async fn find(db: &impl Read) -> Result<WorkspaceRow> {
    db.one(sql!(
        "SELECT name, subdomain, timezone, fiscal_year_start_month, fiscal_year_start_day, work_week,
            default_project_view, allow_guests, public_sharing, public_sharing_override_policy, iteration_label,
            iteration_label_override_policy, mc_history_enabled, mc_history_retention_cap,
            mc_history_attribution_audience, mc_history_override_policy, methodology, methodology_override_policy,
            task_duration_change_percent_policy, task_duration_change_percent_override_policy, estimation_scale,
            sprint_picker_ready_only_default, attachments_enabled, allowed_attachment_types,
            attachments_override_policy, mcp_enabled, calendar_id, calendar_override_policy, feedback_enabled,
            feedback_url, server_version
         FROM workspace WHERE id = 1"
    ))
    .await
}

/// Writes the settings and raises their version; false when the row is no longer at the version it was read at.
pub async fn update(tx: &mut Tx, _: &Administrator, row: &WorkspaceRow) -> Result<bool> {
    let statement = sql!(
        "UPDATE workspace SET name = :name, timezone = :timezone, fiscal_year_start_month = :month,
            fiscal_year_start_day = :day, work_week = :work_week, default_project_view = :view,
            allow_guests = :allow_guests, public_sharing = :public_sharing,
            public_sharing_override_policy = :sharing_policy, iteration_label = :iteration_label,
            iteration_label_override_policy = :label_policy, mc_history_enabled = :history_enabled,
            mc_history_retention_cap = :history_cap, mc_history_attribution_audience = :history_audience,
            mc_history_override_policy = :history_policy, methodology = :methodology,
            methodology_override_policy = :methodology_policy, task_duration_change_percent_policy = :percent,
            task_duration_change_percent_override_policy = :percent_policy, estimation_scale = :scale,
            sprint_picker_ready_only_default = :ready_only, attachments_enabled = :attachments,
            allowed_attachment_types = :types, attachments_override_policy = :attachments_policy,
            mcp_enabled = :agents, calendar_id = :calendar, calendar_override_policy = :calendar_policy,
            feedback_enabled = :feedback, feedback_url = :feedback_url, server_version = server_version + 1
         WHERE id = 1 AND server_version = :version",
        name = &row.name,
        timezone = &row.timezone,
        month = row.fiscal_year_start_month,
        day = row.fiscal_year_start_day,
        work_week = &row.work_week,
        view = &row.default_project_view,
        allow_guests = row.allow_guests,
        public_sharing = row.public_sharing,
        sharing_policy = row.public_sharing_override_policy,
        iteration_label = &row.iteration_label,
        label_policy = row.iteration_label_override_policy,
        history_enabled = row.mc_history_enabled,
        history_cap = row.mc_history_retention_cap,
        history_audience = row.mc_history_attribution_audience,
        history_policy = row.mc_history_override_policy,
        methodology = row.methodology,
        methodology_policy = row.methodology_override_policy,
        percent = row.task_duration_change_percent_policy,
        percent_policy = row.task_duration_change_percent_override_policy,
        scale = row.estimation_scale,
        ready_only = row.sprint_picker_ready_only_default,
        attachments = row.attachments_enabled,
        types = &row.allowed_attachment_types,
        attachments_policy = row.attachments_override_policy,
        agents = row.mcp_enabled,
        calendar = row.calendar_id,
        calendar_policy = row.calendar_override_policy,
        feedback = row.feedback_enabled,
        feedback_url = &row.feedback_url,
        version = row.server_version,
    );
    Ok(tx.run(statement).await? == 1)
}
