//! Risks, and the events that a version 2 document replays.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::words::{EventAction, GoalOutcome, RiskCategory, RiskResponse, RiskStatus};
use serde::{Deserialize, Serialize};

use super::Estimate;
use crate::seed::references::TaskReference;

/// The keys of the working days that a risk costs: the fewest, the most likely, the most.
pub const DELAY_KEYS: [&str; 3] = ["delay_low_days", "delay_days", "delay_high_days"];

/// Something that may go wrong.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Risk {
    /// How events name it.
    pub slug: String,
    /// What may happen.
    pub title: String,
    /// The status.
    pub status: RiskStatus,
    /// 1 (unlikely) to 5.
    pub probability: u8,
    /// 1 (slight) to 5.
    pub impact: u8,
    /// More about it. Since 2.1.
    pub description: String,
    /// How likely it is that it happens, in percent. Since 2.1.
    pub likelihood_percent: Option<i64>,
    /// The fewest, the most likely and the most working days that it costs. Since 2.1.
    pub delay_days: [Option<i64>; 3],
    /// Where it comes from.
    pub category: Option<RiskCategory>,
    /// What is done about it.
    pub response: Option<RiskResponse>,
    /// When that should be done.
    pub mitigation_due_date: Option<NaiveDate>,
    /// How one notices that it happens.
    pub trigger: String,
    /// What to do then.
    pub contingency: String,
    /// Free text.
    pub notes: String,
    /// Account slug.
    pub owner: Option<String>,
    /// Rows it threatens.
    pub tasks: Vec<TaskReference>,
}

impl Risk {
    /// Forgets what a document of version 2.0 has no key for.
    pub fn drop_what_2_0_lacks(&mut self) {
        (self.description, self.likelihood_percent, self.delay_days) = (String::new(), None, [None; 3]);
    }
}

/// One event of the past.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// When it happened.
    pub at: DateTime<Utc>,
    /// What happened.
    pub action: EventAction,
    /// Account slug of who did it.
    pub actor: Option<String>,
    /// What it happened to: a task, sprint or risk, written as a reference.
    pub target: Option<String>,
    /// Value before.
    pub from: Option<String>,
    /// Value after.
    pub to: Option<String>,
    /// What it means for the sprint goal.
    pub goal_impact: Option<String>,
    /// New size in points.
    pub points: Option<u32>,
    /// Points left after it.
    pub remaining_points: Option<u32>,
    /// New three-point estimate.
    pub estimate: Option<Estimate>,
    /// Account slug of the new assignee.
    pub assignee: Option<String>,
    /// Text of a comment or an action.
    pub body: String,
    /// How a sprint goal ended.
    pub goal_outcome: Option<GoalOutcome>,
}
