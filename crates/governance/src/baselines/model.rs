//! Baselines on the wire and in storage.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{BaselineId, CalendarId, ProjectId, TaskId, UserId};
use planwright_domain::words::ChangeKind;
use planwright_store::{record, tracked};
use planwright_web::input::{Name, Patch};
use planwright_web::{Resource, input};
use schemars::JsonSchema;
use serde::Serialize;

record! {
    /// A baseline as it is stored.
    pub struct BaselineRow in baselines {
        #[serde(skip)]
        pub id: BaselineId,
        #[serde(skip)]
        pub project_id: ProjectId,
        pub name: String,
        pub is_active: bool,
        #[serde(skip)]
        pub created_by: Option<UserId>,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        /// The calendar that was in force.
        #[serde(skip)]
        pub calendar_id: Option<CalendarId>,
        /// Its working days, Monday to Sunday as bits.
        #[serde(skip)]
        pub working_days: Option<i64>,
        /// Its hours of a working day.
        #[serde(skip)]
        pub hours_per_day: Option<f64>,
        /// What its tasks were to cost, in hundredths. None if nobody with a rate was allocated.
        #[serde(skip)]
        pub budget: Option<i64>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    BaselineRow as "baseline" {
        fn event(kind: ChangeKind) -> Option<SocketEvent> {
            match kind {
                ChangeKind::Created | ChangeKind::Restored => Some(SocketEvent::BaselineCreated),
                // Which of two is active now is told once.
                ChangeKind::Updated => None,
                ChangeKind::Deleted => Some(SocketEvent::BaselineDeleted),
            }
        }
    }
}

impl Resource for BaselineRow {
    type Container = ProjectId;

    fn container(&self) -> ProjectId {
        self.project_id
    }
}

record! {
    /// A baseline with what is counted in it.
    pub struct CountedRow {
        pub task_count: i64,
        pub undated_count: i64,
    }
    and pub baseline: BaselineRow
}

record! {
    /// What a baseline kept of a task.
    pub struct KeptRow in baseline_tasks {
        pub baseline_id: BaselineId,
        pub task_id: TaskId,
        pub task_name: Option<String>,
        pub start_date: Option<NaiveDate>,
        pub finish_date: Option<NaiveDate>,
        pub duration: Option<i64>,
        pub story_points: Option<i64>,
        pub actual_start: Option<NaiveDate>,
        pub actual_finish: Option<NaiveDate>,
        /// What it was to cost, in hundredths. None if nobody with a rate was allocated.
        pub budget: Option<i64>,
        /// Whether it was work of the plan: no phase, no subtask, and no template of a recurrence.
        pub is_leaf: Option<bool>,
    }
}

input! {
    /// A baseline to capture.
    pub struct BaselineRequest {
        /// What people call it, unique in the project. `Baseline 1` and so on if it is left out or blank.
        pub name: Patch<Name<0, 255>>,
    }
}

/// A baseline of a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Baseline {
    pub id: BaselineId,
    pub project: ProjectId,
    pub name: String,
    pub created_by: Option<UserId>,
    pub created_at: DateTime<Utc>,
    /// Whether variances are measured against it.
    pub is_active: bool,
    /// Whether every task in it has dates.
    pub has_cpm_dates: bool,
    pub task_count: i64,
    pub server_version: i64,
}

impl From<CountedRow> for Baseline {
    fn from(CountedRow { task_count, undated_count, baseline }: CountedRow) -> Self {
        let BaselineRow { id, project_id, name, created_by, created_at, is_active, server_version, .. } =
            baseline;
        let has_cpm_dates = undated_count == 0;
        Self {
            id,
            project: project_id,
            name,
            created_by,
            created_at,
            is_active,
            has_cpm_dates,
            task_count,
            server_version,
        }
    }
}

/// What a baseline kept of a task.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BaselineTask {
    pub task_id: TaskId,
    /// Its name when the baseline was captured.
    pub task_name: String,
    /// The first day.
    pub start: Option<NaiveDate>,
    /// The last day.
    pub finish: Option<NaiveDate>,
    /// Working days.
    pub duration: i64,
    pub actual_start: Option<NaiveDate>,
    pub actual_finish: Option<NaiveDate>,
    pub story_points: Option<i64>,
}

impl From<KeptRow> for BaselineTask {
    fn from(row: KeptRow) -> Self {
        Self {
            task_id: row.task_id,
            task_name: row.task_name.unwrap_or_default(),
            start: row.start_date,
            finish: row.finish_date,
            duration: row.duration.unwrap_or_default(),
            actual_start: row.actual_start,
            actual_finish: row.actual_finish,
            story_points: row.story_points,
        }
    }
}

/// A baseline with all that it kept.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BaselineDetail {
    #[serde(flatten)]
    pub baseline: Baseline,
    /// The calendar that was in force.
    pub calendar: Option<CalendarId>,
    /// Its working days: Monday is 1, Tuesday 2, Wednesday 4 and so on.
    pub working_days: Option<i64>,
    /// Its hours of a working day.
    pub hours_per_day: Option<f64>,
    /// In the order of the outline.
    pub tasks: Vec<BaselineTask>,
}
