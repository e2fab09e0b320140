//! The settings that a program or project may set for itself, each of which is inherited while it is null.
//! What is in force after inheritance is computed in `inheritance.rs`.

use planwright_domain::words::{AttributionAudience, EstimationScale, PercentPolicy};
use planwright_store::Sql;

use super::AttachmentTypes;

/// Settings of one scope; `None` inherits from the scope above.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// Whether public links may be made.
    pub public_sharing: Option<bool>,
    /// Whether guests may be let in.
    pub allow_guests: Option<bool>,
    /// Whether simulation runs are kept.
    pub mc_history_enabled: Option<bool>,
    /// How many simulation runs are kept.
    pub mc_history_retention_cap: Option<i64>,
    /// Who sees who ran a simulation.
    pub mc_history_attribution_audience: Option<AttributionAudience>,
    /// Whether files may be uploaded.
    pub attachments_enabled: Option<bool>,
    /// What kinds of files may be uploaded.
    pub allowed_attachment_types: Option<AttachmentTypes>,
    /// Whether agents may read.
    pub mcp_enabled: Option<bool>,
    /// The scale story points are picked from.
    pub estimation_scale: Option<EstimationScale>,
    /// Whether the sprint picker shows only what is ready.
    pub sprint_picker_ready_only_default: Option<bool>,
    /// What a duration change does to percent complete.
    pub task_duration_change_percent_policy: Option<PercentPolicy>,
    /// What an iteration is called.
    pub iteration_label: Option<String>,
}

/// The columns of the settings, as an `INSERT` lists them.
pub const COLUMNS: &str =
    "public_sharing, allow_guests, mc_history_enabled, mc_history_retention_cap, mc_history_attribution_audience,
     attachments_enabled, allowed_attachment_types, mcp_enabled, estimation_scale, sprint_picker_ready_only_default,
     task_duration_change_percent_policy, iteration_label";

/// The binds of [`COLUMNS`], in the same order.
pub const BINDS: &str =
    ":public_sharing, :allow_guests, :mc_history_enabled, :mc_history_retention_cap, :mc_history_audience,
     :attachments_enabled, :attachment_types, :mcp_enabled, :estimation_scale, :ready_only,
     :percent_policy, :iteration_label";

/// The same as assignments of an `UPDATE`.
pub const ASSIGNMENTS: &str = "public_sharing = :public_sharing, allow_guests = :allow_guests,
     mc_history_enabled = :mc_history_enabled, mc_history_retention_cap = :mc_history_retention_cap,
     mc_history_attribution_audience = :mc_history_audience, attachments_enabled = :attachments_enabled,
     allowed_attachment_types = :attachment_types, mcp_enabled = :mcp_enabled, estimation_scale = :estimation_scale,
     sprint_picker_ready_only_default = :ready_only, task_duration_change_percent_policy = :percent_policy,
     iteration_label = :iteration_label";

impl Overrides {
    /// Adds the values for [`BINDS`] or [`ASSIGNMENTS`] to a statement.
    pub fn bind_to(&self, sql: Sql) -> Sql {
        sql.bind("public_sharing", self.public_sharing)
            .bind("allow_guests", self.allow_guests)
            .bind("mc_history_enabled", self.mc_history_enabled)
            .bind("mc_history_retention_cap", self.mc_history_retention_cap)
            .bind("mc_history_audience", self.mc_history_attribution_audience)
            .bind("attachments_enabled", self.attachments_enabled)
            .bind("attachment_types", self.allowed_attachment_types.clone())
            .bind("mcp_enabled", self.mcp_enabled)
            .bind("estimation_scale", self.estimation_scale)
            .bind("ready_only", self.sprint_picker_ready_only_default)
            .bind("percent_policy", self.task_duration_change_percent_policy)
            .bind("iteration_label", self.iteration_label.clone())
    }
}
