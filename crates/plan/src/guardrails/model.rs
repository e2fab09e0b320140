//! A policy on the wire and in storage.

use planwright_domain::words::{Guardrail, GuardrailLevel, PolicySource, Word};
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::Patch;
use planwright_web::{Field, Problem, Problems};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

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
    /// The version. It rises by 1 with every change.
    pub server_version: i64,
}

/// The guardrail levels of a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectGuardrailPolicy {
    /// The level that was set for a rule.
    pub levels: Levels,
    pub policy_source: PolicySource,
    pub source_label: String,
    pub acknowledged_by_team: bool,
    /// The effective level of every rule.
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
    /// The levels by rule. Rules that are left out do not change.
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

/// Levels whose keys are rules; a rule that does not exist is refused, since nobody would notice that nothing guards.
#[derive(Clone, Debug)]
pub struct KnownRules(pub GuardrailLevelsRequest);

impl Field for KnownRules {
    fn from_json(value: &Json) -> Result<Self, Problem> {
        let names = value.as_object().into_iter().flatten().map(|(name, _)| name);
        let unknown: Vec<&String> = names.filter(|name| Guardrail::parse(name).is_none()).collect();
        let read = GuardrailLevelsRequest::from_json(value);
        if unknown.is_empty() {
            return read.map(Self);
        }
        let mut problems = match read {
            Err(Problem::Fields(problems)) => problems,
            _ => Problems::default(),
        };
        unknown.iter().for_each(|name| problems.say(name, "There is no such rule."));
        Err(Problem::Fields(problems))
    }
}

#[schemars::for_document]
impl JsonSchema for KnownRules {
    fn inline_schema() -> bool {
        GuardrailLevelsRequest::inline_schema()
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        GuardrailLevelsRequest::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        GuardrailLevelsRequest::json_schema(generator)
    }
}

input! {
    /// New levels, or the consent of the team.
    pub struct PatchedProjectGuardrailPolicyRequest {
        /// Levels by rule.
        pub levels: Patch<KnownRules>,
        /// Whether the team agreed to an external policy.
        pub acknowledged_by_team: Patch<bool>,
    }
}
