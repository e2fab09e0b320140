//! A sprint as it is stored. How it looks on the wire is in the area `sprints`.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProjectId, SprintId, TaskId, UserId};
use planwright_domain::words::{ChangeKind, GoalOutcome, SprintState};
use planwright_store::{record, tracked};
use planwright_web::Resource;

record! {
    /// A sprint. What a team completed is not for everybody, so neither the history nor a conflict tells it.
    pub struct SprintRow in sprints {
        #[serde(skip)]
        pub id: SprintId,
        #[serde(skip)]
        pub project_id: ProjectId,
        #[serde(skip)]
        pub short_id: String,
        pub name: String,
        pub goal: String,
        pub notes: String,
        pub state: SprintState,
        pub start_date: NaiveDate,
        pub finish_date: NaiveDate,
        /// The day from which finished work counts, once it has begun.
        #[serde(skip)]
        pub begun_on: Option<NaiveDate>,
        pub capacity_points: Option<i64>,
        pub wip_limit: Option<i64>,
        pub goal_outcome: Option<GoalOutcome>,
        pub exclude_from_velocity: bool,
        pub committed_points: Option<i64>,
        pub committed_task_count: Option<i64>,
        #[serde(skip)]
        pub completed_points: Option<i64>,
        #[serde(skip)]
        pub completed_task_count: Option<i64>,
        #[serde(rename = "target_milestone")]
        pub target_milestone_id: Option<TaskId>,
        #[serde(skip)]
        pub milestone_bound_by: Option<UserId>,
        #[serde(skip)]
        pub milestone_bound_at: Option<DateTime<Utc>>,
        pub binding_committed_snapshot: Option<i64>,
        #[serde(skip)]
        pub activated_at: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub closed_at: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub created_by: Option<UserId>,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub updated_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    SprintRow as "sprint" {
        fn event(kind: ChangeKind) -> Option<SocketEvent> {
            Some(match kind {
                ChangeKind::Created | ChangeKind::Restored => SocketEvent::SprintCreated,
                ChangeKind::Updated => SocketEvent::SprintUpdated,
                ChangeKind::Deleted => SocketEvent::SprintDeleted,
            })
        }
    }
}

impl Resource for SprintRow {
    type Container = ProjectId;

    fn container(&self) -> ProjectId {
        self.project_id
    }
}

impl SprintRow {
    /// A planned sprint before anything else is said of it.
    pub fn fresh(
        id: SprintId,
        project: ProjectId,
        short_id: String,
        dates: (NaiveDate, NaiveDate),
        by: UserId,
        now: DateTime<Utc>,
    ) -> Self {
        Self {
            id,
            project_id: project,
            short_id,
            name: String::new(),
            goal: String::new(),
            notes: String::new(),
            state: SprintState::Planned,
            start_date: dates.0,
            finish_date: dates.1,
            begun_on: None,
            capacity_points: None,
            wip_limit: None,
            goal_outcome: None,
            exclude_from_velocity: false,
            committed_points: None,
            committed_task_count: None,
            completed_points: None,
            completed_task_count: None,
            target_milestone_id: None,
            milestone_bound_by: None,
            milestone_bound_at: None,
            binding_committed_snapshot: None,
            activated_at: None,
            closed_at: None,
            created_by: Some(by),
            created_at: now,
            updated_at: now,
            server_version: 1,
        }
    }

    /// Whether it is over, one way or the other.
    pub fn is_over(&self) -> bool {
        matches!(self.state, SprintState::Completed | SprintState::Cancelled)
    }
}
