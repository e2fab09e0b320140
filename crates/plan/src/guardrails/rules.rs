//! What a policy means, and what it says of a task in a sprint; pure.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use planwright_domain::words::{Guardrail, GuardrailLevel, PolicySource, Word};
use planwright_web::input::Patch;
use planwright_web::{ApiError, ApiResult, Problem, Problems};
use schemars::JsonSchema;
use serde::Serialize;

use super::model::{KnownRules, PatchedProjectGuardrailPolicyRequest, Policy};

/// A level for some or all rules.
pub type Levels = BTreeMap<Guardrail, GuardrailLevel>;

/// The policy with the wanted parts changed.
pub fn changed(mut policy: Policy, request: PatchedProjectGuardrailPolicyRequest) -> ApiResult<Policy> {
    request.acknowledged_by_team.write_to(&mut policy.acknowledged_by_team);
    let Patch::Set(KnownRules(levels)) = request.levels else { return Ok(policy) };
    if levels.subtasks_split.as_given() == Some(&GuardrailLevel::Block) {
        let mut inner = Problems::default();
        inner.say(Guardrail::SubtasksSplit.as_str(), "This rule only warns.");
        let mut problems = Problems::default();
        problems.add("levels", Problem::Fields(inner));
        return Err(ApiError::invalid(problems));
    }
    let requests = [
        (Guardrail::SummaryInSprint, levels.summary_in_sprint),
        (Guardrail::PhaseInSprint, levels.phase_in_sprint),
        (Guardrail::TaskOutsideSprintWindow, levels.task_outside_sprint_window),
        (Guardrail::RecurringInSprint, levels.recurring_in_sprint),
        (Guardrail::SubtasksSplit, levels.subtasks_split),
    ];
    policy.levels.extend(requests.into_iter().filter_map(|(rule, level)| Some((rule, level.given()?))));
    Ok(policy)
}

/// Whether a change lets a rule block that did not before.
pub fn blocks_more(before: &Policy, after: &Policy) -> bool {
    let blocks = |policy: &Policy, rule: &Guardrail| policy.levels.get(rule) == Some(&GuardrailLevel::Block);
    Guardrail::ALL.iter().any(|rule| blocks(after, rule) && !blocks(before, rule))
}

/// The level in force of every rule: a warning, unless somebody who may says otherwise.
pub fn effective(policy: &Policy) -> Levels {
    let unheard = policy.policy_source == PolicySource::External && !policy.acknowledged_by_team;
    let level = |rule: Guardrail| match rule {
        Guardrail::PhaseInSprint => GuardrailLevel::Block,
        Guardrail::SubtasksSplit => GuardrailLevel::Warn,
        _ if unheard => GuardrailLevel::Warn,
        rule => policy.levels.get(&rule).copied().unwrap_or(GuardrailLevel::Warn),
    };
    Guardrail::ALL.iter().map(|rule| (*rule, level(*rule))).collect()
}

/// A task that stands, or is to stand, in a sprint.
#[derive(Clone, Copy, Debug)]
pub struct SprintCase {
    /// Whether any row stands below it.
    pub is_summary: bool,
    /// Whether it comes back by a rule, or was made by one.
    pub is_recurring: bool,
    /// From its planned or early start to its early finish, as far as they are known.
    pub span: Option<(NaiveDate, NaiveDate)>,
    /// First and last day of the sprint.
    pub sprint: (NaiveDate, NaiveDate),
}

/// A guardrail that the write breaks. It only warns.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GuardrailWarning {
    /// The rule.
    pub rule: Guardrail,
    /// A message for people.
    pub detail: String,
}

impl GuardrailWarning {
    /// A task that stands in a sprint has become a phase.
    pub fn phase_in_sprint() -> Self {
        let detail =
            "The parent is in a sprint and is a phase now. Remove it from the sprint and add its tasks.";
        Self { rule: Guardrail::PhaseInSprint, detail: detail.to_owned() }
    }
}

/// What the guardrails say of a write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// The rules that warn.
    pub warnings: Vec<GuardrailWarning>,
    /// The first rule that blocks.
    pub blocked: Option<GuardrailWarning>,
}

impl Judgement {
    /// The warnings of a write that may go ahead, or the 400 of one that may not.
    pub fn pass(self) -> ApiResult<Vec<GuardrailWarning>> {
        let Some(met) = self.blocked else { return Ok(self.warnings) };
        let action = match met.rule {
            Guardrail::SummaryInSprint | Guardrail::PhaseInSprint => "assign_child_tasks",
            Guardrail::TaskOutsideSprintWindow => "align_dates_or_sprint",
            Guardrail::RecurringInSprint | Guardrail::SubtasksSplit => "remove_from_sprint",
        };
        Err(ApiError::bad_request(met.detail)
            .with_code("guardrail_blocked")
            .with("rule", met.rule.as_str())
            .with("suggested_action", action))
    }
}

/// Judges a task in a sprint.
pub fn validate(levels: &Levels, case: &SprintCase) -> Judgement {
    let (first, last) = case.sprint;
    let outside = case.span.is_some_and(|(start, finish)| finish < first || start > last);
    let found = [
        (Guardrail::SummaryInSprint, case.is_summary, "A row with rows below it is in a sprint."),
        (Guardrail::TaskOutsideSprintWindow, outside, "The dates of the task are outside its sprint."),
        (Guardrail::RecurringInSprint, case.is_recurring, "A recurring task is in a sprint."),
    ];
    let mut validation = Judgement::default();
    for (rule, _, detail) in found.into_iter().filter(|(_, met, _)| *met) {
        let met = GuardrailWarning { rule, detail: detail.to_owned() };
        match levels.get(&rule) {
            Some(GuardrailLevel::Block) if validation.blocked.is_none() => validation.blocked = Some(met),
            Some(GuardrailLevel::Block) => {}
            _ => validation.warnings.push(met),
        }
    }
    validation
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(source: PolicySource, acknowledged: bool) -> Policy {
        Policy {
            levels: Levels::from([(Guardrail::RecurringInSprint, GuardrailLevel::Block)]),
            policy_source: source,
            source_label: String::new(),
            acknowledged_by_team: acknowledged,
            server_version: 1,
        }
    }

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn what_is_not_set_warns_and_an_outside_policy_waits_for_the_team() {
        let own = effective(&policy(PolicySource::Owner, false));
        assert_eq!(own[&Guardrail::RecurringInSprint], GuardrailLevel::Block);
        assert_eq!(own[&Guardrail::SummaryInSprint], GuardrailLevel::Warn);
        assert_eq!(own[&Guardrail::PhaseInSprint], GuardrailLevel::Block);
        let unheard = effective(&policy(PolicySource::External, false));
        assert_eq!(unheard[&Guardrail::RecurringInSprint], GuardrailLevel::Warn);
        assert_eq!(effective(&policy(PolicySource::External, true)), own);
    }

    #[test]
    fn a_task_is_outside_its_sprint_only_when_all_of_it_is() {
        let levels = effective(&policy(PolicySource::Owner, false));
        let case = |from: &str, to: &str| SprintCase {
            is_summary: false,
            is_recurring: false,
            span: Some((day(from), day(to))),
            sprint: (day("2026-01-05"), day("2026-01-16")),
        };
        assert!(validate(&levels, &case("2026-01-16", "2026-01-20")).warnings.is_empty());
        let outside = validate(&levels, &case("2026-01-17", "2026-01-20"));
        assert_eq!(outside.warnings[0].rule, Guardrail::TaskOutsideSprintWindow);
        let recurring = SprintCase { is_recurring: true, ..case("2026-01-17", "2026-01-20") };
        let planned = validate(&levels, &recurring);
        assert_eq!(planned.warnings.len(), 1);
        let refused = planned.pass().unwrap_err();
        assert_eq!(refused.body()["code"], "guardrail_blocked");
        assert_eq!(refused.body()["rule"], "recurring_in_sprint");
    }
}
