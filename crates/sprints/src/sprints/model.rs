//! Sprints on the wire. How they are stored is in `plan/src/sprints/model.rs`.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{ProjectId, SprintId, TaskId, UserId};
use planwright_domain::words::{GoalOutcome, SprintState};
use planwright_plan::sprints::{MilestoneRollup, SprintRow};
use planwright_store::record;
use planwright_web::input::{Int, LongText, Name, Patch};
use planwright_web::{Field, Problem, body, input};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

record! {
    /// A sprint with what it shows of its project and of who bound it.
    pub struct ShownRow {
        pub project_code: String,
        pub first_name: Option<String>,
        pub last_name: Option<String>,
        pub username: Option<String>,
    }
    and pub sprint: SprintRow
}

/// The milestone that a sprint aims at.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TargetMilestone {
    pub id: TaskId,
    pub name: String,
    /// Its outline number.
    pub wbs_path: String,
    /// The day the schedule gives it.
    pub finish: Option<NaiveDate>,
    /// The tasks it waits for.
    pub predecessor_ids: Vec<TaskId>,
    pub rollup: Option<MilestoneRollup>,
}

/// A sprint.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Sprint {
    pub id: SprintId,
    pub server_version: i64,
    /// Eight digits, from a counter that tasks and sprints of a project share.
    pub short_id: String,
    pub short_id_display: String,
    pub qualified_id: String,
    pub project: ProjectId,
    pub name: String,
    pub goal: String,
    pub notes: String,
    pub start_date: NaiveDate,
    pub finish_date: NaiveDate,
    pub state: SprintState,
    pub target_milestone: Option<TaskId>,
    pub target_milestone_detail: Option<TargetMilestone>,
    pub milestone_bound_by: Option<UserId>,
    pub milestone_bound_by_name: Option<String>,
    pub milestone_bound_at: Option<DateTime<Utc>>,
    /// The points it held when it was bound.
    pub binding_committed_snapshot: Option<i64>,
    pub capacity_points: Option<i64>,
    pub wip_limit: Option<i64>,
    pub goal_outcome: Option<GoalOutcome>,
    pub exclude_from_velocity: bool,
    /// What it held when it began.
    pub committed_points: Option<i64>,
    pub committed_task_count: Option<i64>,
    /// What was done of it when it closed; null for those who do not see the velocity of the team.
    pub completed_points: Option<i64>,
    pub completed_task_count: Option<i64>,
    pub completion_ratio_points: Option<f64>,
    pub completion_ratio_tasks: Option<f64>,
    /// How many tasks wait for a decision on whether they belong to it.
    pub pending_count: i64,
    /// How many of its tasks are in progress or in review.
    pub wip_count: i64,
    pub activated_at: Option<DateTime<Utc>>,
    pub closed_at: Option<DateTime<Utc>>,
    pub created_by: Option<UserId>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// Points or a limit.
pub type Amount = Int<0, 2147483647>;

/// How the goal ended; an empty text means that nothing is said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict(pub Option<GoalOutcome>);

impl Field for Verdict {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        match value {
            Json::Null => Ok(Self(None)),
            Json::String(text) if text.is_empty() => Ok(Self(None)),
            value => GoalOutcome::from_json(value).map(|verdict| Self(Some(verdict))),
        }
    }
}

#[schemars::for_document]
impl JsonSchema for Verdict {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Verdict".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let verdicts = generator.subschema_for::<GoalOutcome>();
        schemars::json_schema!({ "oneOf": [verdicts, { "type": "string", "enum": [""] }, { "type": "null" }] })
    }
}

body! {
    /// A new sprint, or all of one.
    pub struct SprintRequest;
    /// Some fields of a sprint.
    pub struct PatchedSprintRequest;
    required {
        /// What it is called.
        name: Name<1, 255>,
        /// Its first day.
        start_date: NaiveDate,
        /// Its last day, after the first.
        finish_date: NaiveDate,
    }
    optional {
        /// What it is for.
        goal: LongText<0, 10000>,
        /// What else there is to say.
        notes: LongText<0, 10000>,
        /// A milestone of the project that it aims at.
        target_milestone: Option<TaskId>,
        /// The points it can take.
        capacity_points: Option<Amount>,
        /// How many tasks should be under way at a time.
        wip_limit: Option<Amount>,
        /// How its goal ended.
        goal_outcome: Verdict,
        /// Whether its figures stay out of the velocity.
        exclude_from_velocity: bool,
    }
}

input! {
    /// Which sprints a list shows.
    pub struct SprintFilter {
        /// Those in this state.
        pub state: Patch<SprintState>,
        /// Those in the trash, when true.
        pub deleted: Patch<bool>,
    }
}
