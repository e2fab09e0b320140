//! The types of slip conflicts for a recalculation. The area `editing` has the types for answers.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{DependencyId, ProjectId, SprintId, TaskId, UserId};
use planwright_domain::words::SlipResolution;
use planwright_store::row;
use uuid::Uuid;

row! {
    /// What a recalculation knows of a conflict, and writes.
    #[derive(PartialEq)]
    pub struct Conflict {
        pub id: Uuid,
        pub sprint_id: SprintId,
        pub task_id: TaskId,
        pub project_id: ProjectId,
        pub dependency_id: Option<DependencyId>,
        pub upstream_task_id: Option<TaskId>,
        pub pushed_to: NaiveDate,
        pub detected_at: DateTime<Utc>,
        pub re_slip_count: i64,
        pub resolution: SlipResolution,
        pub resolved_at: Option<DateTime<Utc>>,
        pub acknowledged_by: Option<UserId>,
        pub acknowledged_at: Option<DateTime<Utc>>,
    }
}

/// A task that runs past its sprint, and the link from another project that it comes after.
#[derive(Clone, Debug, PartialEq)]
pub struct Slip {
    /// The running sprint.
    pub sprint: SprintId,
    /// The task.
    pub task: TaskId,
    /// Its project.
    pub project: ProjectId,
    /// The link.
    pub dependency: DependencyId,
    /// The task that drives the link.
    pub upstream: TaskId,
    /// The day on which the task would finish.
    pub pushed_to: NaiveDate,
}
