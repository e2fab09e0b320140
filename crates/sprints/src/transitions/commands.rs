//! What happens when a sprint begins, closes or is cancelled, in one transaction each.

use planwright_domain::access::may;
use planwright_domain::events::{SocketEvent, WebhookEvent};
use planwright_domain::ids::CloseRequestId;
use planwright_domain::words::{PendingDisposition, RunReason, ScopeChangeStatus, SprintState};
use planwright_plan::Edit;
use planwright_plan::sprints::scope::{ScopeChangeRow, pending_in};
use planwright_plan::sprints::velocity_gate::is_public;
use planwright_plan::sprints::{SprintRow, VelocityGate, capacity, load, tasks};
use planwright_plan::tasks::write::TaskRecord;
use planwright_store::outbox::Event;
use planwright_store::record::{column, find_live};
use planwright_web::{ApiError, ApiResult, ProjectScope};
use serde_json::json;

use super::model::{CarryOver, OverCapacity};
use super::rules::{self, Ending};
use super::{payloads, queries};
use crate::milestones::keep_forecast;
use crate::outcomes::rows::OutcomeRow;
use crate::scope_changes::commands::decide;
use crate::sprints::queries::tasks_in;
use crate::suggestions;

/// Begins a sprint with the work that it holds now; the people of whom it asks too much.
pub async fn activate(edit: &mut Edit, row: &SprintRow) -> ApiResult<Vec<OverCapacity>> {
    rules::may_begin(row, queries::active(edit, row.project_id).await?)?;
    let load = load::load(edit, row.id).await?;
    let begun = rules::begun(row, load, edit.now());
    let written = edit.update(row, begun).await?.row;
    let (tx, lock) = edit.plan();
    tasks::seed_ranks(tx, row.id, lock.counter(row.project_id)).await?;
    // Its tasks are promised from now on, so slip conflicts may open.
    lock.moves_dates(row.project_id);
    let body = payloads::activated(&written, &edit.grant.actor.source);
    tell(edit, &written, SocketEvent::SprintActivated, Some((WebhookEvent::SprintActivated, body))).await?;
    let capacity = capacity::capacities(edit, std::slice::from_ref(row)).await?.remove(&row.id);
    Ok(rules::over_capacity(capacity.unwrap_or_default().members, load.points))
}

/// Closes a running sprint; what it held on which nobody had decided.
pub async fn close(
    edit: &mut Edit,
    row: &SprintRow,
    ending: Ending,
) -> ApiResult<(CloseRequestId, Vec<ScopeChangeRow>)> {
    rules::may_close(row)?;
    let waiting = may_end(edit, row, ending).await?;
    let load = load::load(edit, row.id).await?;
    let closed = rules::closed(row, load, edit.now());
    let written = edit.update(row, closed).await?.row;
    let held = tasks_in(edit, row.id).await?;
    keep_outcomes(edit, row, &held, ending).await?;
    suggestions::make(edit, row, &held).await?;
    send_on(edit, row, held, &waiting, ending).await?;
    let public = VelocityGate { is_open: is_public(edit, row.project_id).await? };
    let body = payloads::closed(&written, &edit.grant.actor.source, public);
    tell(edit, &written, SocketEvent::SprintClosed, Some((WebhookEvent::SprintClosed, body))).await?;
    // The forecast starts from the dates that the tasks have now.
    edit.recalculate().await?;
    keep_forecast(edit, &written).await?;
    let (request, by) = (edit.mint(), edit.grant.actor.id);
    queries::note_closing(edit, request, row.project_id, row.id, by).await?;
    Ok((request, waiting))
}

/// Cancels a sprint that is planned or runs; what it held goes where it is sent.
pub async fn cancel(edit: &mut Edit, row: &SprintRow, ending: Ending) -> ApiResult<()> {
    rules::may_cancel(row)?;
    let waiting = may_end(edit, row, ending).await?;
    let cancelled = SprintRow { state: SprintState::Cancelled, updated_at: edit.now(), ..row.clone() };
    let written = edit.update(row, cancelled).await?.row;
    let held = tasks_in(edit, row.id).await?;
    send_on(edit, row, held, &waiting, ending).await?;
    tell(edit, &written, SocketEvent::SprintCancelled, None).await
}

/// Refuses an ending that cannot be; what nobody has decided on.
async fn may_end(edit: &Edit, row: &SprintRow, ending: Ending) -> ApiResult<Vec<ScopeChangeRow>> {
    if let CarryOver::Sprint(next) = ending.carry_over {
        let next: Option<SprintRow> = find_live(edit, next.0).await?;
        let fits = |next: &SprintRow| next.project_id == row.project_id && next.id != row.id;
        let Some(next) = next.filter(fits) else {
            return Err(ApiError::invalid_field(
                "carry_over_to",
                "There is no other such sprint in the project.",
            ));
        };
        if next.is_over() {
            return Err(ApiError::invalid_field("carry_over_to", "That sprint is over."));
        }
    }
    let waiting = pending_in(edit, row.id).await?;
    if ending.pending == PendingDisposition::Reject && !waiting.is_empty() {
        ProjectScope::<may::DecideScope>::of(edit, &edit.grant.actor, row.project_id).await?;
    }
    Ok(waiting)
}

async fn keep_outcomes(
    edit: &mut Edit,
    row: &SprintRow,
    held: &[TaskRecord],
    ending: Ending,
) -> ApiResult<()> {
    let now = edit.now();
    let counted = held.iter().filter(|task| rules::has_outcome(task));
    let outcomes: Vec<OutcomeRow> =
        counted.map(|task| rules::outcome(edit.mint(), row.id, task, ending, now)).collect();
    let number = edit.change_number().await?;
    let rows = outcomes.iter().map(|outcome| (outcome, column("change_number", number)));
    Ok(edit.insert_each(rows.collect()).await?)
}

/// Sends what a sprint held where it goes.
async fn send_on(
    edit: &mut Edit,
    row: &SprintRow,
    held: Vec<TaskRecord>,
    waiting: &[ScopeChangeRow],
    ending: Ending,
) -> ApiResult<()> {
    let now = edit.now();
    let rejects = ending.pending == PendingDisposition::Reject;
    if rejects {
        decide(edit, waiting.to_vec(), ScopeChangeStatus::Rejected, None).await?;
    }
    let stays = held.iter().filter(|task| !(rejects && task.sprint_pending));
    let planned = stays.filter_map(|task| rules::moved(task, ending, now)).collect();
    tasks::write(edit, planned).await?;
    let (tx, lock) = edit.plan();
    tasks::clear_ranks(tx, row.id, lock.counter(row.project_id)).await?;
    lock.because(RunReason::SprintClosed);
    // Even when no task moves, what was promised is no longer, so slip conflicts are resolved.
    lock.moves_dates(row.project_id);
    Ok(())
}

async fn tell(
    edit: &mut Edit,
    row: &SprintRow,
    event: SocketEvent,
    hook: Option<(WebhookEvent, serde_json::Value)>,
) -> ApiResult<()> {
    edit.announce(event, json!({ "id": row.id })).await?;
    if let Some((hook, body)) = hook {
        let (project, program) = (Some(edit.project()?), edit.grant.place.program);
        edit.emit(Event::Webhook(hook), project, program, body).await?;
    }
    Ok(tasks::tell_milestones(edit, row.target_milestone_id).await?)
}
