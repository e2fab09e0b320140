//! What follows from a write by itself: a status that moves on, dates that are stamped, per cent that keeps step.
//! Pure; the rules are those of facts-scheduling §1.4, and what a caller says outright always wins.

use planwright_domain::words::*;

use super::context::WriteContext;
use super::record::TaskRecord;
use super::request::PatchedTaskRequest;
use super::validate::DurationEvent;

/// Brings a row into agreement with itself; tells what a change of its duration did.
pub(super) fn settle(
    context: &WriteContext,
    before: &TaskRecord,
    is_new: bool,
    request: &PatchedTaskRequest,
    after: &mut TaskRecord,
) -> Option<DurationEvent> {
    let is_phase = !is_new && context.family(before.id).structural > 0;
    let event = if is_new || is_phase { None } else { duration(context, before, request, after) };
    let sprint = before.sprint_id.and_then(|sprint| context.sprints.get(&sprint));
    let is_over = sprint.is_some_and(|sprint| sprint.state == SprintState::Completed);
    if !is_new && !is_phase && !is_over {
        progress(context, before, request, after);
    }
    if !is_phase {
        status(context, before, is_new, request, after);
    }
    estimate(context, before, after);
    blocked(context, before, after);
    event
}

fn duration(
    context: &WriteContext,
    before: &TaskRecord,
    request: &PatchedTaskRequest,
    after: &mut TaskRecord,
) -> Option<DurationEvent> {
    let under_way = before.percent_complete > 0.0 && !before.is_milestone && !after.is_milestone;
    if after.duration == before.duration || !under_way {
        return None;
    }
    let policy = context
        .settings
        .as_ref()
        .map_or(PercentPolicy::Keep, |settings| settings.task_duration_change_percent_policy);
    let mut event = DurationEvent {
        old_duration: before.duration,
        new_duration: after.duration,
        percent_complete_at_change: before.percent_complete,
        percent_complete_after: None,
        policy,
        sprint: before.sprint_id.filter(|sprint| {
            context.sprints.get(sprint).is_some_and(|sprint| sprint.state == SprintState::Active)
        }),
    };
    // What is in review or complete is done whatever its duration.
    let is_done = matches!(after.status, TaskStatus::Review | TaskStatus::Complete);
    let prorates = policy == PercentPolicy::Prorate && !is_done;
    if prorates && after.duration > 0 && !request.percent_complete.is_given() {
        let share = before.percent_complete * before.duration as f64 / after.duration as f64;
        after.percent_complete = ((share * 10.0).round() / 10.0).clamp(0.0, 100.0);
        event.percent_complete_after = Some(after.percent_complete);
    }
    Some(event)
}

fn progress(
    context: &WriteContext,
    before: &TaskRecord,
    request: &PatchedTaskRequest,
    after: &mut TaskRecord,
) {
    let said_nothing = !request.status.is_given();
    let moved_start = request.planned_start.is_given() && after.planned_start != before.planned_start;
    let begun = after.planned_start.filter(|start| moved_start && *start <= context.today);
    if let Some(start) = begun
        && said_nothing
        && after.status == TaskStatus::NotStarted
    {
        after.status = TaskStatus::InProgress;
        if start < context.today && !request.actual_start.is_given() {
            after.actual_start = after.actual_start.or(Some(start));
        }
    }
    let percent = after.percent_complete;
    if said_nothing
        && before.percent_complete == 0.0
        && percent > 0.0
        && percent < 100.0
        && after.status == TaskStatus::NotStarted
    {
        after.status = TaskStatus::InProgress;
    }
    let settled = [TaskStatus::Complete, TaskStatus::Review, TaskStatus::Backlog].contains(&after.status);
    let reached = request.percent_complete.is_given() && percent >= 100.0 && before.percent_complete < 100.0;
    if said_nothing && reached && !settled {
        after.status = if context.caller.manages() { TaskStatus::Complete } else { TaskStatus::Review };
    }
}

fn status(
    context: &WriteContext,
    before: &TaskRecord,
    is_new: bool,
    request: &PatchedTaskRequest,
    after: &mut TaskRecord,
) {
    let changed = is_new || before.status != after.status;
    if changed && !is_new {
        after.status_changed_at = Some(context.now);
        match after.status {
            TaskStatus::InProgress if !request.actual_start.is_given() => {
                // A finish that was told bounds the start that was not.
                let today = after.actual_finish.map_or(context.today, |finish| finish.min(context.today));
                after.actual_start = after.actual_start.or(Some(today));
            }
            TaskStatus::Complete => {
                if !request.actual_finish.is_given() {
                    // A task that was begun in the future by mistake still finishes after it began.
                    let earliest = after.actual_start.unwrap_or(context.today);
                    after.actual_finish = after.actual_finish.or(Some(context.today.max(earliest)));
                }
                if !request.remaining_points.is_given() {
                    after.remaining_points = Some(0);
                }
            }
            _ => {}
        }
        if before.status == TaskStatus::Complete {
            if !request.actual_finish.is_given() {
                after.actual_finish = None;
            }
            if !request.remaining_points.is_given() {
                after.remaining_points = after.story_points;
            }
        }
    }
    if matches!(after.status, TaskStatus::Review | TaskStatus::Complete) {
        after.percent_complete = 100.0;
    }
}

fn estimate(context: &WriteContext, before: &TaskRecord, after: &mut TaskRecord) {
    let legs =
        |row: &TaskRecord| (row.optimistic_duration, row.most_likely_duration, row.pessimistic_duration);
    if legs(before) != legs(after) {
        let waits = context.project.estimation_mode == EstimationMode::SuggestApprove;
        after.estimate_status = waits.then_some(EstimateStatus::Pending);
    }
}

fn blocked(context: &WriteContext, before: &TaskRecord, after: &mut TaskRecord) {
    match (before.blocked_reason.is_empty(), after.blocked_reason.is_empty()) {
        (true, false) => {
            after.blocked_since = Some(context.now);
            after.blocked_by_id = Some(context.caller.id);
        }
        (false, true) => {
            after.blocked_since = None;
            after.blocked_by_id = None;
            after.blocker_type = None;
            after.blocking_task_id = None;
        }
        _ => {}
    }
}
