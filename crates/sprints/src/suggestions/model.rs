//! Suggested durations on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProjectId, SprintId, TaskId, UserId, VelocitySuggestionId};
use planwright_store::{record, tracked};
use planwright_web::input::Patch;
use planwright_web::{Resource, input};
use schemars::JsonSchema;
use serde::Serialize;

record! {
    /// A suggested duration. What it is follows from the velocity, so the history does not tell it.
    pub struct SuggestionRow in velocity_suggestions {
        #[serde(skip)]
        pub id: VelocitySuggestionId,
        #[serde(skip)]
        pub project_id: ProjectId,
        #[serde(skip)]
        pub task_id: TaskId,
        #[serde(skip)]
        pub sprint_id: SprintId,
        #[serde(skip)]
        pub suggested_duration: i64,
        /// Thousandths of a point.
        #[serde(skip)]
        pub team_velocity_per_day: i64,
        #[serde(skip)]
        pub flag_for_review: bool,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        pub accepted_at: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub accepted_by: Option<UserId>,
        pub dismissed_at: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub dismissed_by: Option<UserId>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! { SuggestionRow as "velocity_suggestion" }

impl Resource for SuggestionRow {
    type Container = ProjectId;

    fn container(&self) -> ProjectId {
        self.project_id
    }
}

record! {
    /// A suggestion with the name of the sprint that it comes from.
    pub struct ListedRow {
        pub sprint_name: String,
    }
    and pub row: SuggestionRow
}

/// A duration that the velocity of a team suggests for a task.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VelocitySuggestion {
    pub id: VelocitySuggestionId,
    pub task: TaskId,
    pub sprint_id: SprintId,
    pub sprint_name: String,
    /// Working days; null for those who do not see the velocity of the team.
    pub suggested_duration: Option<i64>,
    /// Points a working day, such as `1.250`; null for those who do not see the velocity of the team.
    pub team_velocity_per_day: Option<String>,
    /// Whether it is far from what is planned.
    pub flag_for_review: bool,
    /// Whether nobody has accepted or dismissed it.
    pub is_pending: bool,
    pub created_at: DateTime<Utc>,
    pub accepted_at: Option<DateTime<Utc>>,
    pub accepted_by: Option<UserId>,
    pub dismissed_at: Option<DateTime<Utc>>,
    pub dismissed_by: Option<UserId>,
}

input! {
    /// Which suggestions a list shows.
    pub struct SuggestionFilter {
        /// Those for this task.
        pub task: Patch<TaskId>,
        /// Only those that nobody has accepted or dismissed, when true.
        pub pending: Patch<bool>,
    }
}
