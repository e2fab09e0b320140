//! A policy on the wire and in storage.

use planwright_domain::words::{GuardrailLevel, PolicySource};
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::Patch;
use schemars::JsonSchema;
use serde::Serialize;

use super::rules::{Levels, effective};

row! {
    /// A policy as it is stored.
    pub(super) struct PolicyRow {
        pub(super) levels: serde_json::Value,
        pub(super) policy_source: PolicySource,
        pub(super) source_label: String,
        pub(super) acknowledged_by_team: bool,
        pub(super) server_version: i64,
    }
}

/// A policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// What was set.
    pub levels: Levels,
    /// Who sets it.
    pub policy_source: PolicySource,
    /// What an external source is called.
    pub source_label: String,
    /// Whether the team agreed to an external one.
    pub acknowledged_by_team: bool,
    /// Rises with every change.
    pub server_version: i64,
}

/// How strictly the sprints of a project are guarded.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectGuardrailPolicy {
    /// What was set, by rule.
    pub levels: Levels,
    pub policy_source: PolicySource,
    pub source_label: String,
    pub acknowledged_by_team: bool,
    /// What is in force, for every rule.
    pub effective_levels: Levels,
    pub server_version: i64,
}

impl From<Policy> for ProjectGuardrailPolicy {
    fn from(policy: Policy) -> Self {
        Self {
            effective_levels: effective(&policy),
            levels: policy.levels,
            policy_source: policy.policy_source,
            source_label: policy.source_label,
            acknowledged_by_team: policy.acknowledged_by_team,
            server_version: policy.server_version,
        }
    }
}

input! {
    /// Levels by rule; those that are left out stay.
    pub struct GuardrailLevelsRequest {
        /// A row with rows below it.
        pub summary_in_sprint: Patch<GuardrailLevel>,
        /// A phase; always blocked, whatever stands here.
        pub phase_in_sprint: Patch<GuardrailLevel>,
        /// A task whose dates lie wholly outside the sprint.
        pub task_outside_sprint_window: Patch<GuardrailLevel>,
        /// Recurring work.
        pub recurring_in_sprint: Patch<GuardrailLevel>,
        /// Subtasks spread over sprints; never blocked.
        pub subtasks_split: Patch<GuardrailLevel>,
    }
}

input! {
    /// Other levels, or the consent of the team.
    pub struct PatchedProjectGuardrailPolicyRequest {
        /// Levels by rule.
        pub levels: Patch<GuardrailLevelsRequest>,
        /// Whether the team agreed to an external policy.
        pub acknowledged_by_team: Patch<bool>,
    }
}
