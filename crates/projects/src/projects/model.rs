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
use planwright_plan::people::UserSummary;
use schemars::JsonSchema;
use serde::Serialize;

use crate::settings::{EffectiveCalendar, ShownSettings};

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
    /// The version. It rises by 1 with every change.
    pub server_version: i64,
    /// The name.
    pub name: String,
    /// The description.
    pub description: String,
    /// The start of the project. No task begins before this day.
    pub start_date: NaiveDate,
    /// The data date. No remaining work begins before this day.
    pub status_date: Option<NaiveDate>,
    /// Its own calendar. Null means that one is inherited.
    pub calendar: Option<CalendarId>,
    /// The effective calendar. Null means Monday to Friday.
    pub effective_calendar: Option<EffectiveCalendar>,
    /// The scope that the calendar comes from.
    pub calendar_source: CalendarSource,
    /// The calendar that counts lags.
    pub lag_calendar: LagCalendar,
    /// The first part of the short ids of its tasks.
    pub code: String,
    /// The health as a person judges it.
    pub health: Health,
    /// Who may find it.
    pub visibility: Visibility,
    /// The time zone of its people.
    pub timezone: String,
    /// The first view.
    pub default_view: DefaultView,
    /// Who leads it.
    pub lead: Option<UserId>,
    /// The same person in short form.
    pub lead_detail: Option<UserSummary>,
    /// Who may set estimates.
    pub estimation_mode: EstimationMode,
    /// Whether it is agile, fully or in part.
    pub agile_features: bool,
    /// The methodology. Null means that it is inherited.
    pub methodology: Option<Methodology>,
    /// Whether its board uses sprints.
    pub board_cadence: BoardCadence,
    /// The number of days without a change after which a task is stale.
    pub stale_task_threshold_days: i64,
    /// The number of days by which the finish must move so that people are told.
    pub end_date_shift_threshold_days: i64,
    /// What it may inherit.
    #[serde(flatten)]
    pub settings: ShownSettings,
    /// The formula that scores its backlog.
    pub prioritization_model: PrioritizationModel,
    /// The rank of people who are added without a rank.
    pub default_member_role: Role,
    /// Its name.
    pub default_member_role_label: &'static str,
    /// Whether reports are shown. Null means that it is inherited. The same is true for the next three fields.
    pub show_reporting: Option<bool>,
    /// Whether time tracking is shown.
    pub show_time_tracking: Option<bool>,
    /// Whether baselines are shown.
    pub show_baselines: Option<bool>,
    /// Whether simulations are shown.
    pub show_monte_carlo: Option<bool>,
    /// The views that are shown, after inheritance.
    pub effective_surface_visibility: SurfaceVisibility,
    /// The views that are shown if it has no settings of its own.
    pub inherited_surface_visibility: SurfaceVisibility,
    /// Its program.
    pub program: Option<ProgramId>,
    /// How many people belong to it.
    pub member_count: i64,
    /// Percent complete, weighted by duration. Null if no task has a duration.
    pub percent_complete: Option<f64>,
    /// The number of open tasks, without phases.
    pub open_task_count: i64,
    /// Whether the caller pinned it.
    pub is_pinned: bool,
    /// The number of open tasks that should have been finished before today.
    pub overdue_count: i64,
    /// The number of open tasks with at most five working days of float.
    pub at_risk_count: i64,
    /// The rank of the caller. Null if the caller sees the project only through its program.
    pub my_role: Option<Role>,
    /// Its name.
    pub my_role_label: Option<&'static str>,
    /// Whether the caller may author the plan.
    pub can_author: bool,
    /// Whether its plan is a draft.
    pub lifecycle: Lifecycle,
    /// The time at which it became a draft.
    pub draft_started_at: Option<DateTime<Utc>>,
    /// Whether it was archived and cannot be changed.
    pub is_archived: bool,
    /// The time at which it was archived.
    pub archived_at: Option<DateTime<Utc>>,
    /// Who archived it.
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

/// A deadline, a constraint or a link that the plan does not meet.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ScheduleConflict {
    /// The task.
    pub task_id: TaskId,
    /// Its name.
    pub name: String,
    /// The kind of date that is not met.
    pub kind: ScheduleConflictKind,
    /// The type of the constraint. Null if only the deadline is missed.
    pub constraint_type: Option<ConstraintType>,
    /// The wanted day.
    pub wanted: NaiveDate,
    /// The expected day.
    pub expected: NaiveDate,
    /// The calendar days from the wanted date to the expected one. Negative if the expected date is earlier.
    pub days: i64,
}

/// A project with all its fields. Lists leave some of them out.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectDetail {
    /// Everything that lists show.
    #[serde(flatten)]
    pub project: Project,
    /// The number of tasks that are assigned to a person who is no longer a member.
    pub unresolved_assignee_count: i64,
    /// The day before which no remaining work begins.
    pub start_floor: NaiveDate,
    /// The dates that the plan does not meet: deadlines, constraints, and links that a fixed date overruled.
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
