//! What a project or a program says of itself besides its plan, where that is not what a new one says.
//! The settings of accounts, shares and agents are not here: they belong to an installation.

use chrono::NaiveDate;
use planwright_domain::Role;
use planwright_domain::words::{
    AttributionAudience, BoardCadence, EstimationScale, Health, PercentPolicy, PrioritizationModel,
    Visibility,
};

/// Settings of a project; from version 2.1 on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProjectSettings {
    /// Whether its methodology is that of its program, and not its own.
    pub inherits_methodology: bool,
    /// The health as a person judges it.
    pub health: Option<Health>,
    /// Who may find it.
    pub visibility: Option<Visibility>,
    /// The time zone of its people.
    pub timezone: Option<String>,
    /// Whether its board uses sprints.
    pub board_cadence: Option<BoardCadence>,
    /// After how many days without a change a task is stale.
    pub stale_task_threshold_days: Option<i64>,
    /// By how many days the finish must move so that people are told.
    pub end_date_shift_threshold_days: Option<i64>,
    /// The formula that scores its backlog.
    pub prioritization_model: Option<PrioritizationModel>,
    /// The rank of people who are added without a rank.
    pub default_member_role: Option<Role>,
    /// Whether reports, time tracking, baselines and simulations are shown; none inherits that.
    pub shows: Shows,
    /// Settings that it may inherit, and does not.
    pub overrides: SettingOverrides,
}

/// Which parts of a project are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Shows {
    /// Reports.
    pub reporting: Option<bool>,
    /// Time tracking.
    pub time_tracking: Option<bool>,
    /// Baselines.
    pub baselines: Option<bool>,
    /// Simulations.
    pub monte_carlo: Option<bool>,
}

/// Settings of a program; from version 2.1 on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProgramSettings {
    /// The health as a person judges it.
    pub health: Option<Health>,
    /// Who may find it.
    pub visibility: Option<Visibility>,
    /// The day on which it ought to be done.
    pub target_date: Option<NaiveDate>,
    /// Settings that it may inherit, and does not.
    pub overrides: SettingOverrides,
}

/// Settings that a project or a program may inherit; `None` inherits.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SettingOverrides {
    /// Whether public links may be created.
    pub public_sharing: Option<bool>,
    /// Whether guests may be let in.
    pub allow_guests: Option<bool>,
    /// Whether simulation runs are kept.
    pub mc_history_enabled: Option<bool>,
    /// How many simulation runs are kept.
    pub mc_history_retention_cap: Option<i64>,
    /// Who may see who ran a simulation.
    pub mc_history_attribution_audience: Option<AttributionAudience>,
    /// Whether files may be uploaded.
    pub attachments_enabled: Option<bool>,
    /// What kinds of files may be uploaded: media types in their normal form, sorted.
    pub allowed_attachment_types: Option<Vec<String>>,
    /// Whether agents may read.
    pub mcp_enabled: Option<bool>,
    /// The scale story points are picked from.
    pub estimation_scale: Option<EstimationScale>,
    /// Whether the sprint picker shows only what is ready.
    pub sprint_picker_ready_only_default: Option<bool>,
    /// What a duration change does to percent complete.
    pub task_duration_change_percent_policy: Option<PercentPolicy>,
    /// The word for an iteration, such as sprint.
    pub iteration_label: Option<String>,
}
