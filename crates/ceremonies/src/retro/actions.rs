//! What becomes of action items: each may become a task once, and that task may go into a planned sprint.
//! When the task goes, the action item may become another one.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::SprintId;
use planwright_domain::words::{SprintState, TaskStatus};
use planwright_plan::Edit;
use planwright_plan::guardrails::GuardrailWarning;
use planwright_plan::sprints::SprintRow;
use planwright_plan::tasks::write::{self, Board, PlannedWrite, TaskRecord, WriteContext};
use planwright_plan::tasks::{decorate, suggestions};
use planwright_store::Read;
use planwright_store::record::find_live;
use planwright_web::{ApiError, ApiResult, App, Created, IgnoredBody, Item, Json, OpenBody, Routes, says};
use serde_json::json;

use super::model::*;
use super::queries;

const PROMOTE: &str = "/api/v1/sprints/{sprint_pk}/retrospective/action-items/{id}/promote/";
const PULL: &str = "/api/v1/sprints/{sprint_pk}/retrospective/action-items/{id}/pull-to-sprint/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().post(PROMOTE, promote, says("Make a task of an action item.")).post(
        PULL,
        pull,
        says("Put the task of an action item into a planned sprint, and make it if it is not there."),
    )
}

async fn promote(
    State(app): State<App>,
    item: Item<ActionRow, may::AuthorPlan>,
    _: IgnoredBody,
) -> ApiResult<Created<PromotedAction>> {
    let mut edit = Edit::of_plan(&app, &item.scope).await?;
    let row: ActionRow = edit.lock(item.row.id).await?;
    if let Some(task) = queries::action(&edit, row.id).await?.live_task_id {
        return Err(ApiError::conflict("The action item is a task already.").with("task_id", json!(task)));
    }
    let task = made(&mut edit, &row).await?;
    Ok(Created(finished(edit, &task, Vec::new()).await?))
}

async fn pull(
    State(app): State<App>,
    item: Item<ActionRow, may::ManagePlan>,
    OpenBody(request): OpenBody<PullToSprintRequest>,
) -> ApiResult<Json<PromotedAction>> {
    let mut edit = Edit::of_plan(&app, &item.scope).await?;
    let row: ActionRow = edit.lock(item.row.id).await?;
    let sprint = planned(&edit, &row, request.target_sprint_id).await?;
    let task = match queries::action(&edit, row.id).await?.live_task_id {
        Some(task) => edit.lock(task).await?,
        None => made(&mut edit, &row).await?,
    };
    let status = if task.status == TaskStatus::Backlog { TaskStatus::NotStarted } else { task.status };
    let fields = json!({ "sprint": sprint.id, "status": status });
    let warnings = write::change(&mut edit, task.clone(), fields).await?;
    Ok(Json(finished(edit, &task, warnings).await?))
}

/// A planned sprint of the project of an action item.
async fn planned(db: &dyn Read, row: &ActionRow, id: SprintId) -> ApiResult<SprintRow> {
    let sprint: Option<SprintRow> = find_live(db, id.0).await?;
    let fits =
        |sprint: &SprintRow| sprint.project_id == row.project_id && sprint.state == SprintState::Planned;
    let missing =
        || ApiError::invalid_field("target_sprint_id", "There is no such planned sprint in the project.");
    sprint.filter(fits).ok_or_else(missing)
}

/// The task that an action item becomes. Its assignee has it when that is the caller; somebody else is asked to take it.
async fn made(edit: &mut Edit, row: &ActionRow) -> ApiResult<TaskRecord> {
    let me = edit.grant.actor.id;
    let context = WriteContext::bare(edit, &edit.grant).await?;
    let fresh = TaskRecord {
        name: title(&row.text),
        status: TaskStatus::Backlog,
        story_points: row.story_points,
        assignee_id: row.assignee_id.filter(|assignee| *assignee == me),
        ..TaskRecord::fresh(edit.mint(), row.project_id, edit.now())
    };
    let task = write::by_hand(edit, &context, fresh).await?;
    let (tx, lock) = edit.plan();
    write::save(tx, lock, &context, vec![PlannedWrite::fresh(task.clone())], Board::EachRow).await?;
    if let Some(other) = row.assignee_id.filter(|assignee| *assignee != me) {
        suggestions::suggest(edit, task.id, other).await?;
    }
    edit.update(row, ActionRow { promoted_task_id: Some(task.id), ..row.clone() }).await?;
    edit.announce(SocketEvent::SprintRetroUpdated, json!({ "sprint_id": row.sprint_id })).await?;
    Ok(task)
}

/// The name of the task of a text: its first 255 characters, in one line.
fn title(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(255).collect()
}

/// Ends the edit; the task as its caller sees it, with what the guardrails of its sprint say.
async fn finished(
    mut edit: Edit,
    task: &TaskRecord,
    warnings: Vec<GuardrailWarning>,
) -> ApiResult<PromotedAction> {
    edit.recalculate().await?;
    let task = decorate::one(&edit, &edit.grant.actor, task.id).await?.with_warnings(warnings);
    edit.commit().await?;
    Ok(PromotedAction { task })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_one_short_line() {
        assert_eq!(title("Write\n tests  now"), "Write tests now");
        assert_eq!(title(&"ü".repeat(300)).chars().count(), 255);
    }
}
