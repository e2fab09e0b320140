//! Milestones on the wire, as sprints see them.

use chrono::NaiveDate;
use planwright_domain::ids::TaskId;
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::{Name, Patch};
use schemars::JsonSchema;
use serde::Serialize;

input! {
    /// The milestone that a sprint is to aim at: one that exists, or a new one.
    pub struct PromoteRequest {
        /// A milestone of the project.
        pub milestone_id: Patch<Option<TaskId>>,
        /// What a new one is called; the goal of the sprint when it is left out.
        pub name: Patch<Name<0, 512>>,
        /// The day of a new one; the last day of the sprint when it is left out.
        pub target_date: Patch<Option<NaiveDate>>,
    }
}

input! {
    /// Which milestone is looked at.
    pub struct PreviewQuery {
        /// That of the sprint when it is left out.
        pub milestone_id: Patch<TaskId>,
    }
}

input! {
    /// Which milestones a list shows.
    pub struct MilestoneFilter {
        /// Only those at which no sprint aims, when true.
        pub unbound: Patch<bool>,
    }
}

row! {
    /// A milestone of a project, as it is read.
    pub struct ListedMilestone {
        pub id: TaskId,
        pub name: String,
        pub outline: Option<String>,
        pub early_finish: Option<i32>,
        pub is_bound: bool,
        pub confidence: Option<f64>,
    }
}

/// A milestone of a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MilestoneListItem {
    pub id: TaskId,
    pub name: String,
    /// Its outline number.
    pub wbs_path: String,
    pub early_finish: Option<NaiveDate>,
    /// Whether a sprint aims at it.
    pub is_bound: bool,
    /// How likely it is met, in percent, by the newest simulation. Null without one.
    pub confidence: Option<f64>,
}

/// When a milestone would be reached at the pace of the team.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReforecastPreview {
    pub basis: String,
    /// The day that the schedule gives it.
    pub cpm_finish: Option<NaiveDate>,
    /// By this day in half of the cases.
    pub p50: Option<NaiveDate>,
    pub p80: Option<NaiveDate>,
    pub p95: Option<NaiveDate>,
    /// Null for those who do not see the velocity of the team.
    pub velocity_low: Option<i64>,
    pub velocity_high: Option<i64>,
    /// Whether it waits for tasks that are in none of its sprints.
    pub unmodeled_dependency: bool,
    pub unmodeled_predecessor_ids: Vec<TaskId>,
}
