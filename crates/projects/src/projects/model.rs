//! Projects on the wire.
//! How a row becomes what is shown is in `present.rs`; what may be written is in `requests.rs`.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::Role;
use planwright_domain::ids::{CalendarId, ProgramId, ProjectId, TaskId, UserId};
use planwright_domain::words::{
    BoardCadence, CalendarSource, ConstraintType, DefaultView, EstimationMode, Health, LagCalendar,
    Lifecycle, Methodology, PrioritizationModel, ScheduleConflictKind, Visibility,
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::people::UserSummary;
use crate::settings::{EffectiveCalendar, ShownSettings};

/// What is counted over the leaves of a project's plan.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// Leaves that are not complete.
    pub open_task_count: i64,
    /// Those of them that should have been done before today.
    pub overdue_count: i64,
    /// Those of them with little float left.
    pub at_risk_count: i64,
    /// The durations of all leaves together.
    pub weight: f64,
    /// Their percentages, each times its duration, together.
    pub weighted_percent: f64,
}

impl Figures {
    /// How much of the plan is done, in percent with two decimals; nothing while there is nothing to weigh.
    pub fn percent_complete(&self) -> Option<f64> {
        (self.weight > 0.0).then(|| (self.weighted_percent / self.weight * 100.0).round() / 100.0)
    }
}

/// Which parts of the client a project shows.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct SurfaceVisibility {
    /// Reports.
    pub reporting: bool,
    /// Time tracking.
    pub time_tracking: bool,
    /// Baselines.
    pub baselines: bool,
    /// Simulations.
    pub monte_carlo: bool,
}

/// A project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Project {
    /// Its id.
    pub id: ProjectId,
    /// Rises with every change.
    pub server_version: i64,
    /// The shown name.
    pub name: String,
    /// What it is about.
    pub description: String,
    /// No task begins before it.
    pub start_date: NaiveDate,
    /// No work that is left begins before it.
    pub status_date: Option<NaiveDate>,
    /// Its own calendar; null inherits one.
    pub calendar: Option<CalendarId>,
    /// The calendar in force; null means Monday to Friday.
    pub effective_calendar: Option<EffectiveCalendar>,
    /// The scope that the calendar comes from.
    pub calendar_source: CalendarSource,
    /// The calendar that lags are counted on.
    pub lag_calendar: LagCalendar,
    /// What its tasks are called by.
    pub code: String,
    /// A person's verdict.
    pub health: Health,
    /// Who may find it.
    pub visibility: Visibility,
    /// The zone its people work in.
    pub timezone: String,
    /// What opens first.
    pub default_view: DefaultView,
    /// Who leads it.
    pub lead: Option<UserId>,
    /// The same in short.
    pub lead_detail: Option<UserSummary>,
    /// Who may set estimates.
    pub estimation_mode: EstimationMode,
    /// Whether it works in an agile way, wholly or in part.
    pub agile_features: bool,
    /// How it is run; null inherits.
    pub methodology: Option<Methodology>,
    /// Whether its board works in sprints.
    pub board_cadence: BoardCadence,
    /// After how many days without a change a task is stale.
    pub stale_task_threshold_days: i64,
    /// From how many days on a shift of its end is told.
    pub end_date_shift_threshold_days: i64,
    /// What it may inherit.
    #[serde(flatten)]
    pub settings: ShownSettings,
    /// The formula that scores its backlog.
    pub prioritization_model: PrioritizationModel,
    /// The rank of people who are added without one.
    pub default_member_role: Role,
    /// Its name.
    pub default_member_role_label: &'static str,
    /// Whether reports are shown; null inherits, as for the next three.
    pub show_reporting: Option<bool>,
    /// Whether time tracking is shown.
    pub show_time_tracking: Option<bool>,
    /// Whether baselines are shown.
    pub show_baselines: Option<bool>,
    /// Whether simulations are shown.
    pub show_monte_carlo: Option<bool>,
    /// What of it is shown in the end.
    pub effective_surface_visibility: SurfaceVisibility,
    /// What would be shown without a word of its own.
    pub inherited_surface_visibility: SurfaceVisibility,
    /// Its program.
    pub program: Option<ProgramId>,
    /// How many people belong to it.
    pub member_count: i64,
    /// How much is done, weighted by duration; null while there is nothing to weigh.
    pub percent_complete: Option<f64>,
    /// How many tasks are open, phases aside.
    pub open_task_count: i64,
    /// Whether the caller pinned it.
    pub is_pinned: bool,
    /// How many open tasks should have been done before today.
    pub overdue_count: i64,
    /// How many open tasks have five working days of float or less.
    pub at_risk_count: i64,
    /// The caller's rank; null for a project that is only seen through its program.
    pub my_role: Option<Role>,
    /// Its name.
    pub my_role_label: Option<&'static str>,
    /// Whether the caller may author the plan.
    pub can_author: bool,
    /// Whether its plan is a draft.
    pub lifecycle: Lifecycle,
    /// Since when it is a draft.
    pub draft_started_at: Option<DateTime<Utc>>,
    /// Whether it was archived and cannot be changed.
    pub is_archived: bool,
    /// When that happened.
    pub archived_at: Option<DateTime<Utc>>,
    /// Who did it.
    pub archived_by: Option<UserId>,
}

/// The roles a person holds on a project's team.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub struct Facets {
    /// Scrum Master.
    pub is_scrum_master: bool,
    /// Product Owner.
    pub is_product_owner: bool,
}

/// A promised date that a task does not keep.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ScheduleConflict {
    /// The task.
    pub task_id: TaskId,
    /// Its name.
    pub name: String,
    /// What is not kept.
    pub kind: ScheduleConflictKind,
    /// The constraint, unless it is about the deadline alone.
    pub constraint_type: Option<ConstraintType>,
    /// The day that should have been kept.
    pub wanted: NaiveDate,
    /// The day it comes to.
    pub expected: NaiveDate,
    /// Calendar days from the one to the other; negative when it comes too early.
    pub days: i64,
}

/// A project with what only its own page shows.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectDetail {
    /// Everything that lists show.
    #[serde(flatten)]
    pub project: Project,
    /// Tasks assigned to somebody who is no member any more.
    pub unresolved_assignee_count: i64,
    /// The day before which no work that is left begins.
    pub start_floor: NaiveDate,
    /// The promised dates that the plan does not keep: deadlines, constraints, and logic that a date overruled.
    pub schedule_conflicts: Vec<ScheduleConflict>,
    /// When the dates were last computed.
    pub recalculated_at: Option<DateTime<Utc>>,
    /// Whether it came with a bundled sample.
    pub is_sample: bool,
    /// Its program: id, name, code.
    pub program_detail: Option<BTreeMap<&'static str, String>>,
    /// The caller's roles on its team.
    pub my_facets: Facets,
}
