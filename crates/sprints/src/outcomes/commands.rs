//! Preparing a review: what is demonstrated in which order, and in which task of the backlog work goes on.

use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{SprintOutcomeId, TaskId};
use planwright_domain::words::TaskStatus;
use planwright_plan::Edit;
use planwright_plan::sprints::SprintRow;
use planwright_plan::tasks::write::{self, Board, PlannedWrite, TaskRecord, WriteContext};
use planwright_store::Read;
use planwright_web::{ApiError, ApiResult};
use serde_json::{Value, json};

use super::queries;
use super::rows::OutcomeRow;

/// Puts all that is demonstrated of a sprint in another order; how many are at another place.
///
/// # Errors
/// 409 with those that are missing, that are not demonstrated, or that are there twice.
pub async fn reorder(edit: &mut Edit, sprint: &SprintRow, wanted: Vec<SprintOutcomeId>) -> ApiResult<i64> {
    let shown = queries::demonstrated(edit, sprint.id).await?;
    let missing = shown.iter().map(|row| row.id).filter(|id| !wanted.contains(id));
    let is_known = |id: SprintOutcomeId| shown.iter().any(|row| row.id == id);
    let strange = wanted.iter().enumerate().filter(|(at, id)| !is_known(**id) || wanted[..*at].contains(id));
    let conflicts: Vec<SprintOutcomeId> = missing.chain(strange.map(|(_, id)| *id)).collect();
    if !conflicts.is_empty() {
        return Err(ApiError::conflict("Send all that is demonstrated as it is now, each once.")
            .with("conflicts", json!(conflicts)));
    }
    let moved = wanted.iter().zip(&shown).filter(|(wanted, row)| **wanted != row.id).count() as i64;
    if moved > 0 {
        let number = edit.change_number().await?;
        queries::place(edit, &wanted, number).await?;
        edit.announce(SocketEvent::DemoReordered, json!({ "sprint_id": sprint.id })).await?;
    }
    Ok(moved)
}

/// The place of a task among those that are demonstrated: its own, behind the others, or none.
pub async fn place(db: &dyn Read, before: &OutcomeRow, demo_ready: bool) -> ApiResult<Option<i64>> {
    if demo_ready == before.demo_ready {
        return Ok(before.demo_order);
    }
    let shown = queries::demonstrated(db, before.sprint_id).await?;
    let last = shown.iter().filter_map(|row| row.demo_order).max();
    Ok(demo_ready.then(|| last.unwrap_or_default() + 1))
}

/// Writes an outcome and tells those who look at the sprint, if anything is new.
pub async fn write(
    edit: &mut Edit,
    before: &OutcomeRow,
    after: OutcomeRow,
    event: SocketEvent,
    (key, value): (&str, Value),
) -> ApiResult<()> {
    if !edit.update(before, after).await?.is_changed {
        return Ok(());
    }
    let mut told = json!({ "id": before.id, "sprint_id": before.sprint_id });
    told[key] = value;
    Ok(edit.announce(event, told).await?)
}

/// The task of the backlog in which work goes on: the one that was added before, or a new one.
pub async fn flag(edit: &mut Edit, row: &OutcomeRow) -> ApiResult<TaskId> {
    if let Some(task) = row.flagged_to_backlog_task_id {
        return Ok(task);
    }
    let context = WriteContext::bare(edit, &edit.grant).await?;
    let (tx, lock) = edit.plan();
    let fresh = TaskRecord::fresh(tx.mint(), row.project_id, tx.now());
    let backlog = TaskRecord { name: row.task_title.clone(), status: TaskStatus::Backlog, ..fresh };
    let task = write::by_hand(tx, &context, backlog).await?;
    let id = task.id;
    write::save(tx, lock, &context, vec![PlannedWrite::fresh(task)], Board::EachRow).await?;
    let after = OutcomeRow { flagged_to_backlog_task_id: Some(id), ..row.clone() };
    self::write(edit, row, after, SocketEvent::FlaggedForBacklog, ("task_id", json!(id))).await?;
    Ok(id)
}
