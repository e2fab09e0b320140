//! What a project or a program says of itself besides its plan, where that is not what a new one says.
//! The settings of accounts, shares and agents are not here: they belong to an installation.

use chrono::NaiveDate;
use planwright_domain::Role;
use planwright_domain::words::{BoardCadence, Health, PrioritizationModel, Visibility};
use planwright_plan::containers::Overrides;

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
    pub overrides: Overrides,
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
    pub overrides: Overrides,
}
