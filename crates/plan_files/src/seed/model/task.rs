//! Rows of a plan and what ties them together.

use chrono::NaiveDate;
use planwright_domain::words::{
    ConstraintType, DeliveryMode, DependencyType, GovernanceClass, Readiness, RelationKind, TaskStatus,
    TaskType,
};
use serde::{Deserialize, Serialize};

use super::Around;
use crate::seed::references::TaskReference;

/// One row of the outline. A row with rows below it that are no drawer subtasks is a phase and owns no work itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// Place in the outline, unique in its project.
    pub wbs_path: String,
    /// What people call it.
    pub name: String,
    /// Kind of work (`type`).
    pub kind: TaskType,
    /// The status.
    pub status: TaskStatus,
    /// A point in time without duration. The flag, a duration of 0 and the delivery mode `milestone` each imply
    /// the other two on a row without rows below it.
    pub is_milestone: bool,
    /// A drawer item of its parent rather than a step of the plan.
    pub is_subtask: bool,
    /// Working days; 1 when absent.
    pub duration: u32,
    /// The task starts no earlier than this.
    pub planned_start: Option<NaiveDate>,
    /// The day by whose end it ought to be finished; from version 2.1 on.
    pub deadline: Option<NaiveDate>,
    /// A limit of its dates (`constraint_type`, `constraint_date`), with a date unless it is `ALAP`; from version 2.1 on.
    pub constraint: Option<(ConstraintType, Option<NaiveDate>)>,
    /// Slug of the calendar that it is worked on instead of that of its project; from version 2.1 on.
    pub calendar: Option<String>,
    /// When work began.
    pub actual_start: Option<NaiveDate>,
    /// When work ended.
    pub actual_finish: Option<NaiveDate>,
    /// 0 to 100.
    pub percent_complete: f64,
    /// Free text.
    pub notes: String,
    /// Three-point estimate in working days.
    pub estimate: Option<Estimate>,
    /// Size in points.
    pub story_points: Option<u32>,
    /// Points still open.
    pub remaining_points: Option<u32>,
    /// Account slug.
    pub assignee: Option<String>,
    /// Slug of a sprint of the same project.
    pub sprint: Option<String>,
    /// Path of an epic of the same project.
    pub parent_epic: Option<String>,
    /// How ready a backlog item is (`dor`).
    pub readiness: Readiness,
    /// Order inside the sprint.
    pub sprint_rank: Option<u32>,
    /// How it is governed; what the project's methodology suggests when absent.
    pub governance_class: Option<GovernanceClass>,
    /// How it is delivered; what the project's methodology suggests when absent.
    pub delivery_mode: Option<DeliveryMode>,
    /// `#RRGGBB`.
    pub color: Option<String>,
    /// Label slugs.
    pub labels: Vec<String>,
    /// Relations that do not move dates.
    pub links: Vec<Relation>,
    /// Who works on it.
    pub assignments: Vec<Assignment>,
    /// What stands around it; from version 2.1 on.
    pub around: Around,
}

impl Default for Task {
    fn default() -> Self {
        Self {
            wbs_path: String::new(),
            name: String::new(),
            kind: TaskType::default(),
            status: TaskStatus::default(),
            is_milestone: false,
            is_subtask: false,
            duration: 1,
            planned_start: None,
            deadline: None,
            constraint: None,
            calendar: None,
            actual_start: None,
            actual_finish: None,
            percent_complete: 0.0,
            notes: String::new(),
            estimate: None,
            story_points: None,
            remaining_points: None,
            assignee: None,
            sprint: None,
            parent_epic: None,
            readiness: Readiness::default(),
            sprint_rank: None,
            governance_class: None,
            delivery_mode: None,
            color: None,
            labels: Vec::new(),
            links: Vec::new(),
            assignments: Vec::new(),
            around: Around::default(),
        }
    }
}

impl Task {
    /// The percentage that counts: a row whose status is `REVIEW` or `COMPLETE` is done whatever its number says.
    pub fn percent_done(&self) -> f64 {
        match self.status {
            TaskStatus::Review | TaskStatus::Complete => 100.0,
            _ => self.percent_complete,
        }
    }

    /// Whether the row takes part in scheduling at all: epics, backlog items and work that comes back do not.
    pub fn is_scheduled(&self) -> bool {
        let comes_back = self.around.recurrence.is_some() || self.around.occurrence.is_some();
        self.kind != TaskType::Epic && self.status != TaskStatus::Backlog && !comes_back
    }
}

/// Optimistic ≤ most likely ≤ pessimistic, in working days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Estimate {
    /// If everything goes well.
    pub optimistic: u32,
    /// What is expected.
    pub most_likely: u32,
    /// If everything goes badly.
    pub pessimistic: u32,
}

/// A relation to another task that does not move dates (`links`).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Relation {
    /// The other task.
    pub target: TaskReference,
    /// What the relation says (`link_type`).
    pub kind: RelationKind,
    /// Why.
    pub note: String,
}

/// A share of a resource.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assignment {
    /// Resource slug.
    pub resource: String,
    /// Full-time units; 1 when absent.
    pub units: f64,
}

/// A dependency between two rows, possibly of different projects.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dependency {
    /// The row that drives.
    pub predecessor: TaskReference,
    /// The row that is driven.
    pub successor: TaskReference,
    /// Which ends it ties (`dep_type`).
    pub kind: DependencyType,
    /// Days on the lag calendar of the successor's project; negative is a lead.
    pub lag: i32,
}
