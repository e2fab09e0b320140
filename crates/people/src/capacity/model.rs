//! Capacity on the wire: requests and answers.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use planwright_domain::ids::{CalendarId, ProjectId, ResourceId, TaskId};
use planwright_domain::words::{HeatmapGrouping, LoadBand};
use planwright_web::input;
use planwright_web::input::{Int, Patch};
use schemars::JsonSchema;
use serde::Serialize;

input! {
    /// The days that a page of loads shows.
    pub struct UtilizationQuery {
        /// The first day. The default is eight weeks ago, within the plan.
        pub start: Patch<NaiveDate>,
        /// The last day. The default is eight weeks from now, within the plan.
        pub end: Patch<NaiveDate>,
    }
}

input! {
    /// The weeks that a heat map shows.
    pub struct HeatmapQuery {
        /// The number of weeks. The default is 8.
        pub weeks: Patch<Int<1, 53>>,
        /// A day of the first week. The default is today.
        pub start: Patch<NaiveDate>,
        /// How the rows are grouped. The default is no groups.
        pub group_by: Patch<HeatmapGrouping>,
    }
}

/// The days that an answer shows.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UtilizationWindow {
    pub start: Option<NaiveDate>,
    pub end: Option<NaiveDate>,
}

/// How much of each resource a project uses on each day.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Utilization {
    pub project_id: ProjectId,
    pub window: UtilizationWindow,
    pub resources: Vec<ResourceUtilization>,
    /// Open tasks that nobody is allocated to.
    pub unassigned_task_count: i64,
}

/// How much of a resource is used on each day.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ResourceUtilization {
    pub resource_id: ResourceId,
    pub resource_name: String,
    /// The capacity that counts in the project.
    pub max_units: String,
    /// The hours of a day of its calendar, or of that of the project.
    pub hours_per_day: f64,
    /// The calendar of the resource. Null means the calendar of the project.
    pub calendar_id: Option<CalendarId>,
    pub calendar_differs_from_project: bool,
    /// Whether the resource has more work than capacity on any day of the window.
    pub overallocated: bool,
    /// The days on which the resource has work.
    pub days: BTreeMap<NaiveDate, DayLoad>,
}

/// The load of a resource on a day.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DayLoad {
    /// Hours for tasks of this project.
    pub hours: f64,
    /// Hours for tasks of other projects, which are not named.
    pub hours_elsewhere: f64,
    /// The tasks of this project.
    pub tasks: Vec<LoadingTask>,
    /// The load in percent. It is the higher of two values: the load by this project against the capacity in the
    /// project, and the load by all projects against the whole capacity.
    pub load_pct: i64,
    pub load_band: LoadBand,
    /// Whether there is more work than capacity.
    pub overallocated: bool,
}

/// A task that uses a resource on a day.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LoadingTask {
    pub id: TaskId,
    pub name: String,
    pub units: String,
}

/// How much of each resource is used in each week, over all projects.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ResourceHeatmap {
    /// The weeks, such as 2026-W18.
    pub weeks: Vec<String>,
    pub resources: Vec<HeatmapRow>,
}

/// A resource with its load in each week.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HeatmapRow {
    pub id: ResourceId,
    pub name: String,
    pub initials: String,
    pub job_role: String,
    pub color: &'static str,
    pub calendar_differs_from_project: bool,
    /// The group of the row, if groups were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The load of each week in percent.
    pub util: Vec<i64>,
}

/// A summary of the load of the people of a project in the next eight weeks. All their projects count.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ResourceSummary {
    pub avg_utilization_pct: i64,
    /// The number of people who have a day with more work than capacity.
    pub over_allocated_count: i64,
    /// The number of weeks in which a person has such a day.
    pub over_allocated_weeks: i64,
    /// How many people are used for less than half of their capacity.
    pub under_utilized_count: i64,
    pub under_utilized_names: Vec<String>,
    /// How many people there are, contractors among them.
    pub headcount: i64,
    pub contractor_count: i64,
}
