//! What phases compute from the rows below them, and therefore nobody writes (contract 1, Task write rules, 2).
//! A lock closes only when a request changes the value; sending back what was shown goes through and writes nothing.

use planwright_domain::words::{DeliveryMode, SprintState};

use super::queries::Shown;
use super::validate::Validation;

/// Closes the locks of phases, milestones that sprints move, and tasks of closed sprints.
pub(super) fn check(validation: &mut Validation<'_>) {
    if validation.is_phase() {
        of_phase(validation);
    }
    of_targeted_milestone(validation);
    let sprint = validation.before.sprint_id.and_then(|sprint| validation.context.sprints.get(&sprint));
    let is_over = sprint.is_some_and(|sprint| sprint.state == SprintState::Completed);
    if is_over && !validation.is_new && validation.after.status != validation.before.status {
        validation.refuse("status", "sprint_completed", "Its sprint is completed, and so is what it says.");
    }
}

fn of_targeted_milestone(validation: &mut Validation<'_>) {
    let Some(rollup) = validation.context.targeted.get(&validation.before.id) else { return };
    let own = validation.before.percent_complete;
    let shown = rollup.percent_complete;
    let sent = validation.request.percent_complete.as_given().map(|percent| percent.0);
    validation.after.percent_complete = own;
    if sent.is_some_and(|sent| Some(sent) != shown && sent != own) {
        let message = "Its progress follows from the sprints that aim at it.";
        validation.refuse("percent_complete", "milestone_rollup_locked", message);
    }
}

fn of_phase(validation: &mut Validation<'_>) {
    // A phase that no recalculation has seen yet shows nothing, and nothing may be written on it either.
    let shown = validation.context.shown.get(&validation.before.id).cloned();
    let shown = shown.unwrap_or_else(|| Shown::nothing(validation.before.id));
    let (request, before) = (validation.request, validation.before);
    let status = shown.rolled_status.unwrap_or(before.status);
    if request.status.as_given().is_some_and(|sent| *sent != status) {
        validation.refuse(
            "status",
            "phase_status_rollup_locked",
            "The status of a phase follows from its tasks.",
        );
    }
    let percent = shown.rolled_percent;
    if request.percent_complete.as_given().is_some_and(|sent| Some(sent.0) != percent) {
        let message = "The progress of a phase follows from its tasks.";
        validation.refuse("percent_complete", "summary_rollup_locked", message);
    }
    if request.assignee.as_given().is_some_and(|sent| *sent != shown.rolled_assignee_id) {
        validation.refuse("assignee", "assignee_on_phase", "A phase is done by whoever does its tasks.");
    }
    let legs = [
        ("optimistic_duration", request.optimistic_duration.as_given(), shown.rolled_optimistic),
        ("pessimistic_duration", request.pessimistic_duration.as_given(), shown.rolled_pessimistic),
        ("most_likely_duration", request.most_likely_duration.as_given(), shown.rolled_most_likely),
    ];
    for (field, sent, computed) in legs {
        if sent.is_some_and(|sent| sent.map(|days| days.0) != computed) {
            let message = "The estimates of a phase follow from its tasks.";
            validation.refuse(field, "phase_estimate_rollup_locked", message);
        }
    }
    // What was written on the row before it became a phase stays for the day it is none any more.
    let own = before.clone();
    let after = &mut validation.after;
    after.status = own.status;
    after.percent_complete = own.percent_complete;
    after.assignee_id = own.assignee_id;
    after.optimistic_duration = own.optimistic_duration;
    after.most_likely_duration = own.most_likely_duration;
    after.pessimistic_duration = own.pessimistic_duration;
    if request.duration.as_given().is_some_and(|days| Some(days.0) == shown.rolled_duration) {
        after.duration = own.duration;
    }
    if after.delivery_mode == DeliveryMode::Milestone {
        validation.refuse("delivery_mode", "milestone_signal_conflict", "A phase cannot be a milestone.");
    }
}
