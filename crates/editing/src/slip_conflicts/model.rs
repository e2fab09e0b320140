//! Slip conflicts on the wire and in storage.
//! When one opens or is resolved is decided in `plan/src/schedule/slip_conflicts/rules.rs`.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{DependencyId, ProgramId, ProjectId, SprintId, TaskId, UserId};
use planwright_domain::person::display_name;
use planwright_domain::words::SlipResolution;
use planwright_plan::cards::{Cards, ExternalTaskCard};
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::Patch;
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

row! {
    /// A conflict joined with what it shows of its sprint, its task and who acknowledged it.
    pub struct ConflictRow {
        pub id: Uuid,
        pub sprint_id: SprintId,
        pub sprint_name: String,
        pub sprint_finish_date: NaiveDate,
        pub task_id: TaskId,
        pub task_name: String,
        pub task_short_id: String,
        pub project_id: ProjectId,
        pub program_id: Option<ProgramId>,
        pub dependency_id: Option<DependencyId>,
        pub upstream_task_id: Option<TaskId>,
        pub pushed_to: NaiveDate,
        pub detected_at: DateTime<Utc>,
        pub re_slip_count: i64,
        pub resolution: SlipResolution,
        pub resolved_at: Option<DateTime<Utc>>,
        pub acknowledged_by: Option<UserId>,
        pub first_name: Option<String>,
        pub last_name: Option<String>,
        pub username: Option<String>,
        pub acknowledged_at: Option<DateTime<Utc>>,
    }
}

/// A task of a running sprint that another project pushes past the sprint's end.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CrossProjectSlipConflict {
    pub id: Uuid,
    pub sprint: SprintId,
    pub sprint_name: String,
    pub sprint_finish_date: NaiveDate,
    pub task: TaskId,
    pub task_name: String,
    pub task_hex_id: String,
    pub project_id: ProjectId,
    /// The link from the other project.
    pub dependency: Option<DependencyId>,
    /// The task that drives that link.
    pub upstream_task: Option<ExternalTaskCard>,
    /// The day the task would finish.
    pub pushed_to: NaiveDate,
    pub detected_at: DateTime<Utc>,
    /// How often it slipped again after somebody had acknowledged it or it had been resolved.
    pub re_slip_count: i64,
    pub resolution: SlipResolution,
    pub resolved_at: Option<DateTime<Utc>>,
    pub acknowledged_by: Option<UserId>,
    pub acknowledged_by_name: Option<String>,
    pub acknowledged_at: Option<DateTime<Utc>>,
    /// Whether the task still runs past its sprint, acknowledged or not.
    pub is_open: bool,
}

impl ConflictRow {
    /// The conflict on the wire.
    pub fn shown(self, cards: &Cards) -> CrossProjectSlipConflict {
        let text = |text: Option<String>| text.unwrap_or_default();
        let name = self
            .acknowledged_by
            .map(|_| display_name(&text(self.first_name), &text(self.last_name), &text(self.username)));
        CrossProjectSlipConflict {
            id: self.id,
            sprint: self.sprint_id,
            sprint_name: self.sprint_name,
            sprint_finish_date: self.sprint_finish_date,
            task: self.task_id,
            task_name: self.task_name,
            task_hex_id: self.task_short_id,
            project_id: self.project_id,
            dependency: self.dependency_id,
            upstream_task: self.upstream_task_id.and_then(|task| cards.get(task)),
            pushed_to: self.pushed_to,
            detected_at: self.detected_at,
            re_slip_count: self.re_slip_count,
            resolution: self.resolution,
            resolved_at: self.resolved_at,
            acknowledged_by: self.acknowledged_by,
            acknowledged_by_name: name,
            acknowledged_at: self.acknowledged_at,
            is_open: self.resolution == SlipResolution::Unresolved,
        }
    }
}

input! {
    /// Which conflicts a list shows.
    pub struct ConflictFilter {
        /// Conflicts in projects of this program.
        pub program: Patch<ProgramId>,
        /// Conflicts in this project.
        pub project: Patch<ProjectId>,
        /// Conflicts of this sprint.
        pub sprint: Patch<SprintId>,
        /// Only those that are not resolved, when true.
        pub open: Patch<bool>,
    }
}
