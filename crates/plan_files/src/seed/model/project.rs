//! A project and what belongs to it besides rows: labels, sprints, baselines, forecast history.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::words::{
    DefaultView, EstimationMode, GoalOutcome, LabelColor, LagCalendar, Methodology, SprintState, Withheld,
};
use serde::{Deserialize, Serialize};

use super::{CustomField, Dependency, Overlay, ProjectSettings, Risk, RosterEntry, Task};
use crate::seed::references::TaskReference;

/// One project.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Project {
    /// How references name it.
    pub slug: String,
    /// What people call it.
    pub name: String,
    /// How it is run.
    pub methodology: Methodology,
    /// Nothing starts earlier.
    pub start_date: NaiveDate,
    /// The data date: open work is not planned before it.
    pub status_date: Option<NaiveDate>,
    /// Free text.
    pub description: String,
    /// Calendar slug; Monday to Friday when absent.
    pub calendar: Option<String>,
    /// Which calendar counts the days of the lags in `dependencies`. `None` is a document without the key, whose
    /// lags are calendar days ([`LagCalendar::Elapsed`]), unless whoever reads it knows better.
    pub lag_calendar: Option<LagCalendar>,
    /// Short code, upper case.
    pub code: String,
    /// Page it opens on.
    pub default_view: Option<DefaultView>,
    /// Who may set estimates.
    pub estimation_mode: EstimationMode,
    /// Recent forecasts, to draw a trend from the first day.
    pub forecast_history: Option<ForecastHistory>,
    /// Names of the board's columns.
    pub board_columns: Vec<String>,
    /// Labels that tasks may carry.
    pub labels: Vec<Label>,
    /// The rows, in document order.
    pub tasks: Vec<Task>,
    /// Dependencies, of which one end may lie in another project.
    pub dependencies: Vec<Dependency>,
    /// Sprints.
    pub sprints: Vec<Sprint>,
    /// Frozen plans.
    pub baselines: Vec<Baseline>,
    /// Risks of this project.
    pub risks: Vec<Risk>,
    /// Who is on its roster, besides everybody who works in it; from version 2.1 on. Without the key it is they alone.
    pub roster: Option<Vec<RosterEntry>>,
    /// Calendars whose days off count besides those of its own; from version 2.1 on.
    pub overlays: Vec<Overlay>,
    /// Fields that it adds to its tasks; from version 2.1 on.
    pub custom_fields: Vec<CustomField>,
    /// Whether it is a draft (`lifecycle`); from version 2.1 on.
    pub is_draft: bool,
    /// What else it says of itself; from version 2.1 on.
    pub settings: ProjectSettings,
    /// What is missing because whoever exported it may not see it; from version 2.1 on.
    pub withheld: Vec<Withheld>,
}

impl Project {
    /// The day before which a row does not start: its own, else the first day of its sprint. Milestones wait for no sprint.
    pub fn planned_start_of(&self, task: &Task) -> Option<NaiveDate> {
        let sprint = task.sprint.as_deref().filter(|_| !task.is_milestone);
        let begins = || Some(self.sprint(sprint?)?.start_date);
        task.planned_start.or_else(begins)
    }

    /// The sprint with this slug.
    pub fn sprint(&self, slug: &str) -> Option<&Sprint> {
        self.sprints.iter().find(|sprint| sprint.slug == slug)
    }
}

/// A label.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Label {
    /// How tasks name it.
    pub slug: String,
    /// The name.
    pub name: String,
    /// Colour.
    pub color: LabelColor,
    /// Order among the labels.
    pub position: Option<u32>,
}

/// A sprint.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sprint {
    /// How tasks name it.
    pub slug: String,
    /// What people call it.
    pub name: String,
    /// The status.
    pub state: SprintState,
    /// First day.
    pub start_date: NaiveDate,
    /// Last day, later than the first.
    pub finish_date: NaiveDate,
    /// The goal.
    pub goal: String,
    /// Free text.
    pub notes: String,
    /// Points promised at its start.
    pub committed_points: Option<u32>,
    /// Points done at its end.
    pub completed_points: Option<u32>,
    /// Points the team can take on.
    pub capacity_points: Option<u32>,
    /// Path of the milestone it works towards.
    pub target_milestone: Option<String>,
    /// How it went; from version 2.1 on.
    pub record: SprintRecord,
}

/// What is written down of a sprint while it runs and when it closes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SprintRecord {
    /// Whether its goal was met.
    pub goal_outcome: Option<GoalOutcome>,
    /// How many tasks may be in work at once.
    pub wip_limit: Option<u32>,
    /// Whether the velocity leaves it out.
    pub exclude_from_velocity: bool,
    /// Tasks promised at its start.
    pub committed_task_count: Option<u32>,
    /// Tasks done at its end.
    pub completed_task_count: Option<u32>,
    /// The day from which finished work counts.
    pub begun_on: Option<NaiveDate>,
    /// When it began.
    pub activated_at: Option<DateTime<Utc>>,
    /// When it closed.
    pub closed_at: Option<DateTime<Utc>>,
}

/// A frozen copy of the plan's dates.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Baseline {
    /// Unique in its project.
    pub name: String,
    /// What was frozen.
    pub tasks: Vec<BaselineTask>,
    /// Whether this is the one that variances are measured against.
    pub is_active: bool,
    /// When it was taken.
    pub captured_at: Option<DateTime<Utc>>,
    /// The calendar that was in force; from version 2.1 on.
    pub calendar: BaselineCalendar,
}

/// The calendar that was in force when a baseline was taken; from version 2.1 on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BaselineCalendar {
    /// Slug of the calendar.
    pub calendar: Option<String>,
    /// Its working days then; bit 0 is Monday, bit 6 Sunday.
    pub working_days: Option<u8>,
    /// Hours a working day counted for.
    pub hours_per_day: Option<f64>,
}

/// One row of a baseline.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BaselineTask {
    /// The row it froze.
    pub task: TaskReference,
    /// Planned first day.
    pub start: Option<NaiveDate>,
    /// Planned last day.
    pub finish: Option<NaiveDate>,
    /// Working days.
    pub duration: Option<u32>,
    /// Size in points.
    pub story_points: Option<u32>,
    /// What else was kept; from version 2.1 on.
    pub kept: KeptOfTask,
}

/// What a baseline kept of a task besides its plan; from version 2.1 on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KeptOfTask {
    /// Its name then.
    pub name: Option<String>,
    /// When it had begun.
    pub actual_start: Option<NaiveDate>,
    /// When it had ended.
    pub actual_finish: Option<NaiveDate>,
    /// What it was to cost.
    pub budget: Option<f64>,
    /// Whether it was work of the plan then. Without it that is read off the rows as they are in the document.
    pub is_leaf: Option<bool>,
}

impl Baseline {
    /// Forgets what a document of version 2.0 has no key for.
    pub fn drop_what_2_0_lacks(&mut self) {
        self.calendar = BaselineCalendar::default();
        self.tasks.iter_mut().for_each(|row| row.kept = KeptOfTask::default());
    }
}

/// How forecasts moved over the last days: daily points are drawn between each `start` and `end`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ForecastHistory {
    /// How many days back it goes.
    pub days: u32,
    /// The date that was promised.
    pub commitment_finish: NaiveDate,
    /// Computed finish, first and last (`cpm_start`, `cpm_end`).
    pub computed: (NaiveDate, NaiveDate),
    /// Forecast dates, first and last, per percentile (`p50_start`, `p50_end`, …).
    pub percentiles: [Percentile; 3],
    /// Runs behind each forecast.
    pub mc_iterations: Option<u32>,
    /// Share of the work done by now, 0 to 1.
    pub completion_ratio: Option<f64>,
}

/// First and last forecast at one confidence; the three of a [`ForecastHistory`] are P50, P80 and P95.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Percentile {
    /// On the first day of the history.
    pub start: Option<NaiveDate>,
    /// On the last.
    pub end: Option<NaiveDate>,
}
