//! Suggesting durations when a sprint closes, and accepting them.

use planwright_domain::words::{EstimateStatus, EstimationMode};
use planwright_plan::Edit;
use planwright_plan::schedule::calendars::working_days;
use planwright_plan::sprints::{SprintRow, velocity};
use planwright_plan::tasks::write::queries::record;
use planwright_plan::tasks::write::{self, Board, PlannedWrite, TaskRecord, WriteContext};
use planwright_store::record::column;
use planwright_web::{ApiError, ApiResult};

use super::model::SuggestionRow;
use super::rules;

/// Suggests durations for the tasks that a sprint held and that are not finished, by the sprints before it.
pub async fn make(edit: &mut Edit, sprint: &SprintRow, held: &[TaskRecord]) -> ApiResult<()> {
    let project = sprint.project_id;
    let past = velocity::completed(edit, project, Some(sprint.id), velocity::WINDOW).await?;
    let calendar = working_days(edit, project).await?;
    let Some(per_day) = rules::velocity_per_day(&past, &calendar) else { return Ok(()) };
    let now = edit.now();
    let rows: Vec<SuggestionRow> =
        held.iter().filter_map(|task| rules::suggested(edit.mint(), sprint.id, task, per_day, now)).collect();
    let number = edit.change_number().await?;
    let rows = rows.iter().map(|row| (row, column("change_number", number)));
    Ok(edit.insert_each(rows.collect()).await?)
}

/// Takes a suggestion over as the most likely duration of its task.
pub async fn accept(edit: &mut Edit, row: &SuggestionRow) -> ApiResult<()> {
    if !rules::is_acceptable(row)? {
        return Ok(());
    }
    let task = record(edit, row.task_id).await?.ok_or_else(ApiError::not_found)?;
    rules::fits(&task, row.suggested_duration)?;
    let context = WriteContext::bare(edit, &edit.grant).await?;
    let is_approved = context.project.estimation_mode == EstimationMode::SuggestApprove;
    let after = TaskRecord {
        most_likely_duration: Some(row.suggested_duration),
        estimate_status: is_approved.then_some(EstimateStatus::Accepted),
        ..task.clone()
    };
    let (tx, lock) = edit.plan();
    write::save(tx, lock, &context, vec![PlannedWrite::direct(task, after)], Board::EachRow).await?;
    let (by, now) = (edit.grant.actor.id, edit.now());
    let accepted = SuggestionRow { accepted_at: Some(now), accepted_by: Some(by), ..row.clone() };
    edit.update(row, accepted).await?;
    Ok(())
}

/// Puts a suggestion aside.
pub async fn dismiss(edit: &mut Edit, row: &SuggestionRow) -> ApiResult<()> {
    if !rules::is_dismissable(row)? {
        return Ok(());
    }
    let (by, now) = (edit.grant.actor.id, edit.now());
    let dismissed = SuggestionRow { dismissed_at: Some(now), dismissed_by: Some(by), ..row.clone() };
    edit.update(row, dismissed).await?;
    Ok(())
}
