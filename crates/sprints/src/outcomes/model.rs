//! Outcomes on the wire. Points of a sprint are for those who see the velocity of the team.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{SprintId, SprintOutcomeId, TaskId};
use planwright_domain::words::{
    BurnStatus, GoalOutcome, MilestoneSlipBasis, SprintState, SprintTaskDisposition, TaskStatus,
};
use planwright_web::input;
use planwright_web::input::{List, Name, Patch};
use schemars::JsonSchema;
use serde::Serialize;

/// What was promised, and what was done of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OutcomeCommitment {
    pub committed_points: Option<i64>,
    pub completed_points: Option<i64>,
    pub committed_task_count: Option<i64>,
    pub completed_task_count: Option<i64>,
    pub completion_ratio_points: Option<f64>,
    pub completion_ratio_tasks: Option<f64>,
}

/// How much the team did, beside its last sprints.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OutcomeVelocity {
    pub completed_points: Option<i64>,
    /// By how much it differs from the sprint before.
    pub velocity_delta_points: Option<i64>,
    pub rolling_avg_points: Option<f64>,
    pub burn_status: BurnStatus,
    pub trend_points: Option<i64>,
    pub projected_finish_date: Option<NaiveDate>,
}

/// A task that was not finished.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DidntShipItem {
    pub task_id: Option<TaskId>,
    pub task_short_id: String,
    pub task_title: String,
    pub story_points: Option<i64>,
    pub final_status: TaskStatus,
    /// Null as long as the sprint runs.
    pub disposition: Option<SprintTaskDisposition>,
    pub next_sprint_id: Option<SprintId>,
    pub next_sprint_name: Option<String>,
    pub was_pending: bool,
}

/// What the unfinished tasks add up to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct DidntShipSummary {
    pub carried_count: i64,
    pub carried_points: Option<i64>,
    pub dropped_count: i64,
    pub dropped_points: Option<i64>,
}

/// How many criteria of a task are met.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub struct Acceptance {
    pub met: i64,
    pub total: i64,
}

/// A criterion that is not met.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UnmetCriterion {
    pub id: uuid::Uuid,
    pub text: String,
}

/// A task that was finished.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ShippedItem {
    /// Null as long as the sprint runs.
    pub outcome_id: Option<SprintOutcomeId>,
    pub task_id: Option<TaskId>,
    pub task_short_id: String,
    pub task_title: String,
    pub story_points: Option<i64>,
    pub acceptance: Acceptance,
    pub unmet_criteria: Vec<UnmetCriterion>,
    pub review_note: String,
    pub flagged_to_backlog: bool,
    pub demo_ready: bool,
    pub demo_order: Option<i64>,
    pub presenter: String,
}

/// The promise as a review shows it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReviewCommitment {
    pub committed_points: Option<i64>,
    pub committed_count: Option<i64>,
    pub shipped_points: Option<i64>,
    pub shipped_count: i64,
    pub carried_count: i64,
}

/// What a team shows at the end of a sprint.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SprintReview {
    pub accepted_count: i64,
    pub accepted_points: Option<i64>,
    pub not_accepted_count: i64,
    pub not_accepted_points: Option<i64>,
    pub no_criteria_count: i64,
    pub shipped: Vec<ShippedItem>,
    /// What is demonstrated, in this order.
    pub demo_list: Vec<ShippedItem>,
    pub commitment: ReviewCommitment,
}

/// The retrospective of a sprint in short.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RetroSummary {
    pub retro_id: uuid::Uuid,
    pub action_item_count: i64,
    pub has_notes: bool,
}

/// By how much the milestone of a sprint is later than its baseline.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MilestoneSlip {
    pub milestone_id: TaskId,
    pub milestone_name: String,
    pub milestone_short_id: String,
    /// Negative when it is earlier.
    pub slip_days: i64,
    pub baseline_finish: NaiveDate,
    pub forecast_finish: NaiveDate,
    pub basis: MilestoneSlipBasis,
}

/// What became of a sprint.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SprintOutcome {
    pub sprint_id: SprintId,
    pub state: SprintState,
    /// Whether the sprint goes on, so that all of this may change.
    pub provisional: bool,
    /// Whether it was written down when the sprint closed.
    pub outcome_recorded: bool,
    pub name: String,
    pub start_date: NaiveDate,
    pub finish_date: NaiveDate,
    pub closed_at: Option<DateTime<Utc>>,
    pub goal: String,
    pub goal_outcome: Option<GoalOutcome>,
    pub commitment: OutcomeCommitment,
    /// Null for those who do not see the velocity of the team.
    pub velocity: Option<OutcomeVelocity>,
    pub didnt_ship: Vec<DidntShipItem>,
    pub didnt_ship_summary: DidntShipSummary,
    pub retro_summary: Option<RetroSummary>,
    pub review: SprintReview,
    pub milestone_slip: Option<MilestoneSlip>,
}

/// A task that came over from another sprint.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CarriedItem {
    pub task_id: TaskId,
    pub task_short_id: String,
    pub task_title: String,
    pub story_points: Option<i64>,
    pub status: TaskStatus,
    pub from_sprint_id: SprintId,
    pub from_sprint_name: String,
    pub was_pending: bool,
}

/// What came over from sprints that are over.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct IncomingCarryover {
    pub sprint_id: SprintId,
    pub count: i64,
    pub points: Option<i64>,
    pub items: Vec<CarriedItem>,
}

input! {
    /// Whether a task is demonstrated.
    pub struct DemoRequest {
        /// The other way round when it is left out.
        pub demo_ready: Patch<bool>,
    }
}

input! {
    /// Who demonstrates a task.
    pub struct PresenterRequest {
        /// A name, or nothing.
        pub presenter: Name<0, 120>,
    }
}

input! {
    /// What was said of a task in the review.
    pub struct ReviewNoteRequest {
        /// The note, or nothing.
        pub note: Name<0, 200>,
    }
}

input! {
    /// All that is demonstrated in the order that is wanted.
    pub struct DemoOrderRequest {
        /// The outcomes, each once.
        pub outcome_ids: List<SprintOutcomeId, 1, 500>,
    }
}

/// Whether a task is demonstrated now.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DemoAnswer {
    pub id: SprintOutcomeId,
    pub demo_ready: bool,
}

/// Who demonstrates a task now.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PresenterAnswer {
    pub id: SprintOutcomeId,
    pub presenter: String,
}

/// What is noted of a task now.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReviewNoteAnswer {
    pub id: SprintOutcomeId,
    pub review_note: String,
}

/// The task of the backlog in which a task goes on.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FlagAnswer {
    pub id: SprintOutcomeId,
    pub flagged_to_backlog: bool,
    pub task_id: TaskId,
}
