//! What writing a sprint brings with it: its number, its milestone, the dates of its tasks.

use planwright_domain::ids::{DeletionId, SprintId, TaskId};
use planwright_domain::words::SprintState;
use planwright_plan::Edit;
use planwright_plan::edit::Written;
use planwright_plan::schedule;
use planwright_plan::sprints::{SprintRow, load, milestones, tasks};
use planwright_plan::tasks::write::queries::reserve_short_ids;
use planwright_plan::tasks::write::{PlannedWrite, TaskRecord, short_id};
use planwright_web::{ApiError, ApiResult};

use super::model::{PatchedSprintRequest, SprintRequest};
use super::{queries, rules};

/// Plans a sprint.
pub async fn create(edit: &mut Edit, request: SprintRequest) -> ApiResult<SprintId> {
    let grant = edit.grant.clone();
    let dates = (request.start_date, request.finish_date);
    let (id, now) = (edit.mint(), edit.now());
    let fresh = SprintRow::fresh(id, grant.project()?, String::new(), dates, grant.actor.id, now);
    let mut row = rules::changed(&fresh, PatchedSprintRequest::from(request), grant.role)?;
    aim(edit, &fresh, &mut row).await?;
    row.short_id = short_id(reserve_short_ids(edit, grant.project()?, 1).await? + 1);
    edit.create(&row).await?;
    tasks::tell_milestones(edit, row.target_milestone_id).await?;
    Ok(id)
}

/// Writes a sprint whose fields have changed, and what follows for its milestones and the dates of its tasks.
pub async fn change(
    edit: &mut Edit,
    before: &SprintRow,
    mut after: SprintRow,
) -> ApiResult<Written<SprintRow>> {
    aim(edit, before, &mut after).await?;
    after.updated_at = edit.now();
    let written = edit.update(before, after).await?;
    if written.row.start_date != before.start_date {
        let (tx, lock) = edit.plan();
        schedule::forget(tx, before.project_id).await?;
        lock.moves_dates(before.project_id);
    }
    if written.is_changed {
        let targets = [before.target_milestone_id, written.row.target_milestone_id];
        tasks::tell_milestones(edit, targets.into_iter().flatten()).await?;
    }
    Ok(written)
}

/// Deletes a sprint; its tasks stay, without a sprint.
pub async fn delete(edit: &mut Edit, row: &SprintRow) -> ApiResult<()> {
    let held = queries::tasks_in(edit, row.id).await?;
    let ids: Vec<TaskId> = held.iter().map(|task| task.id).collect();
    let outside = |task: &TaskRecord| TaskRecord { sprint_id: None, sprint_rank: None, ..task.clone() };
    let left = held.into_iter().map(|task| PlannedWrite::direct(task.clone(), outside(&task)));
    tasks::write(edit, left.collect()).await?;
    edit.delete(row).await?;
    if let Some(act) = queries::act_of(edit, row.id).await? {
        queries::note_departures(edit, act, &ids).await?;
    }
    Ok(tasks::tell_milestones(edit, row.target_milestone_id).await?)
}

/// Brings a deleted sprint back; its tasks are in it again, unless they are in another one by now.
pub async fn restore(edit: &mut Edit, row: &SprintRow, deletion: DeletionId) -> ApiResult<()> {
    edit.restore(row, deletion).await?;
    let departed = queries::departed(edit, deletion).await?;
    let inside = |task: &TaskRecord| TaskRecord { sprint_id: Some(row.id), ..task.clone() };
    let back = departed.into_iter().map(|task| PlannedWrite::direct(task.clone(), inside(&task)));
    tasks::write(edit, back.collect()).await?;
    Ok(tasks::tell_milestones(edit, row.target_milestone_id).await?)
}

/// Notes when, by whom and with how many points a sprint was aimed at another milestone.
///
/// # Errors
/// 400 when the project has no such milestone.
async fn aim(edit: &Edit, before: &SprintRow, after: &mut SprintRow) -> ApiResult<()> {
    if before.target_milestone_id == after.target_milestone_id {
        return Ok(());
    }
    let Some(target) = after.target_milestone_id else {
        (after.milestone_bound_by, after.milestone_bound_at) = (None, None);
        after.binding_committed_snapshot = None;
        return Ok(());
    };
    let found = milestones::milestones(edit, &[target]).await?.remove(&target);
    if found.is_none_or(|milestone| milestone.project_id != after.project_id) {
        return Err(ApiError::invalid_field(
            "target_milestone",
            "There is no such milestone in the project.",
        ));
    }
    after.milestone_bound_by = Some(edit.grant.actor.id);
    after.milestone_bound_at = Some(edit.now());
    after.binding_committed_snapshot = match before.state {
        SprintState::Completed | SprintState::Cancelled => before.committed_points,
        _ => Some(load::load(edit, before.id).await?.points),
    };
    Ok(())
}
