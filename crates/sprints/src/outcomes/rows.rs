//! Outcomes as they are stored.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProjectId, SprintId, SprintOutcomeId, TaskId};
use planwright_domain::words::{SprintTaskDisposition, TaskStatus};
use planwright_store::{record, tracked};
use planwright_web::Resource;

record! {
    /// What became of a task in a sprint, as it stood when the sprint closed.
    pub struct OutcomeRow in sprint_task_outcomes {
        #[serde(skip)]
        pub id: SprintOutcomeId,
        #[serde(skip)]
        pub project_id: ProjectId,
        #[serde(skip)]
        pub sprint_id: SprintId,
        #[serde(skip)]
        pub task_id: Option<TaskId>,
        #[serde(skip)]
        pub task_short_id: String,
        #[serde(skip)]
        pub task_title: String,
        #[serde(skip)]
        pub story_points: Option<i64>,
        #[serde(skip)]
        pub final_status: TaskStatus,
        #[serde(skip)]
        pub disposition: SprintTaskDisposition,
        #[serde(skip)]
        pub next_sprint_id: Option<SprintId>,
        #[serde(skip)]
        pub was_pending: bool,
        #[serde(skip)]
        pub backfilled: bool,
        pub demo_ready: bool,
        pub demo_order: Option<i64>,
        pub presenter: String,
        pub review_note: String,
        #[serde(rename = "flagged_to_backlog_task")]
        pub flagged_to_backlog_task_id: Option<TaskId>,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! { OutcomeRow as "sprint_task_outcome" }

impl Resource for OutcomeRow {
    type Container = ProjectId;

    fn container(&self) -> ProjectId {
        self.project_id
    }
}
