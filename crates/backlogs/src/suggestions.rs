//! `/api/v1/tasks/{id}/suggestions/`: that somebody takes a task, until they accept or decline or it is taken back.
//! A suggestion is made by the commands of others, such as the promotion of an action item.

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{SuggestionId, TaskId, UserId};
use planwright_domain::words::SuggestionState;
use planwright_plan::edit::{self, Edit};
use planwright_plan::tasks::suggestions::SuggestionRow;
use planwright_plan::tasks::write::{self, TaskRecord};
use planwright_store::{Read, Record, Result, sql};
use planwright_web::version::Precondition;
use planwright_web::{ApiError, ApiResult, App, IgnoredBody, Item, Json, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

const ALL: &str = "/api/v1/tasks/{task_pk}/suggestions/";
const ACCEPT: &str = "/api/v1/tasks/{task_pk}/suggestions/{id}/accept/";
const DECLINE: &str = "/api/v1/tasks/{task_pk}/suggestions/{id}/decline/";
const REVOKE: &str = "/api/v1/tasks/{task_pk}/suggestions/{id}/revoke/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("Who was asked to take a task, newest first; what became of it is for those whom it concerns."))
        .post(ACCEPT, accept, says("Take a task that was suggested to you."))
        .post(DECLINE, decline, says("Decline a task that was suggested to you."))
        .post(REVOKE, revoke, says("Take back the suggestion that somebody takes a task."))
}

/// A suggestion that somebody takes a task.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(extend("additionalProperties" = true))]
pub struct TaskSuggestion {
    /// The suggestion.
    pub id: SuggestionId,
    /// The task.
    pub task: TaskId,
    /// Who was asked to take it.
    pub suggested_user: UserId,
    /// Who asked.
    pub suggested_by: UserId,
    pub state: SuggestionState,
    pub created_at: DateTime<Utc>,
    pub accepted_at: Option<DateTime<Utc>>,
    pub declined_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
}

impl From<SuggestionRow> for TaskSuggestion {
    fn from(row: SuggestionRow) -> Self {
        let when = |state: SuggestionState| row.decided_at.filter(|_| row.state == state);
        Self {
            id: row.id,
            task: row.task_id,
            suggested_user: row.suggested_user_id,
            suggested_by: row.suggested_by_id,
            state: row.state,
            created_at: row.created_at,
            accepted_at: when(SuggestionState::Accepted),
            declined_at: when(SuggestionState::Declined),
            revoked_at: when(SuggestionState::Revoked),
        }
    }
}

type Asked = Item<SuggestionRow, may::TakePart>;

async fn list(
    State(app): State<App>,
    item: Item<TaskRecord, may::ReadProject>,
) -> ApiResult<Json<Vec<TaskSuggestion>>> {
    let rows = on_task(&app.db, item.row.id).await?;
    let (me, manages) = (item.scope.actor.id, item.scope.role >= Role::ProjectManager);
    // Who declined is for those whom it concerns.
    let concerns = |row: &SuggestionRow| {
        manages
            || row.state == SuggestionState::Pending
            || [row.suggested_user_id, row.suggested_by_id].contains(&me)
    };
    Ok(Json(rows.into_iter().filter(concerns).map(TaskSuggestion::from).collect()))
}

async fn accept(State(app): State<App>, item: Asked, _: IgnoredBody) -> ApiResult<Json<TaskSuggestion>> {
    let id = item.row.id;
    let task = Item::<TaskRecord, may::TakePart>::of(&app.db, &item.scope.actor, item.row.task_id.0).await?;
    let (mut edit, task) = edit::open_plan(&app, task, Precondition::default()).await?;
    let row: SuggestionRow = edit.lock(id).await?;
    let me = edit.grant.actor.id;
    for_the_suggested(&row, me)?;
    let row = decide(&mut edit, row, SuggestionState::Accepted).await?;
    let taken = task.assignee_id.filter(|assignee| *assignee != me);
    if taken.is_none() {
        write::change(&mut edit, task, json!({ "assignee": me })).await?;
    }
    // The answer of the person is kept even if somebody else has the task by now.
    edit.commit().await?;
    taken.map_or_else(|| Ok(Json(row.clone().into())), |assignee| Err(is_taken(&row, assignee)))
}

fn is_taken(row: &SuggestionRow, assignee: UserId) -> ApiError {
    let refusal = ApiError::conflict("Somebody else has this task by now.");
    refusal.with("task_id", json!(row.task_id)).with("current_assignee_id", json!(assignee))
}

async fn decline(State(app): State<App>, item: Asked, _: IgnoredBody) -> ApiResult<Json<TaskSuggestion>> {
    let (mut edit, row) = edit::open(&app, item, Precondition::default()).await?;
    for_the_suggested(&row, edit.grant.actor.id)?;
    let row = decide(&mut edit, row, SuggestionState::Declined).await?;
    withdrawn(edit, row, SocketEvent::SuggestionDeclined).await
}

async fn revoke(State(app): State<App>, item: Asked, _: IgnoredBody) -> ApiResult<Json<TaskSuggestion>> {
    let (mut edit, row) = edit::open(&app, item, Precondition::default()).await?;
    if row.suggested_by_id != edit.grant.actor.id && edit.grant.role < Role::ProjectManager {
        return Err(ApiError::forbidden(
            "Those who suggested it and those who manage the project take it back.",
        ));
    }
    let row = decide(&mut edit, row, SuggestionState::Revoked).await?;
    withdrawn(edit, row, SocketEvent::SuggestionRevoked).await
}

fn for_the_suggested(row: &SuggestionRow, me: UserId) -> ApiResult<()> {
    match row.suggested_user_id == me {
        true => Ok(()),
        false => Err(ApiError::forbidden("The task was suggested to somebody else.")),
    }
}

/// Writes what became of a suggestion.
///
/// # Errors
/// 409 when that was decided before.
async fn decide(edit: &mut Edit, row: SuggestionRow, state: SuggestionState) -> ApiResult<SuggestionRow> {
    if row.state != SuggestionState::Pending {
        return Err(ApiError::conflict("The suggestion was decided before.").with("state", json!(row.state)));
    }
    let after = SuggestionRow { state, decided_at: Some(edit.now()), ..row.clone() };
    Ok(edit.update(&row, after).await?.row)
}

/// Tells of a suggestion that stands no more, without saying whose it was.
async fn withdrawn(
    mut edit: Edit,
    row: SuggestionRow,
    event: SocketEvent,
) -> ApiResult<Json<TaskSuggestion>> {
    edit.announce(event, json!({ "id": row.id, "task_id": row.task_id })).await?;
    edit.commit().await?;
    Ok(Json(row.into()))
}

async fn on_task(db: &dyn Read, task: TaskId) -> Result<Vec<SuggestionRow>> {
    let columns = SuggestionRow::select_list("s");
    let select = format!(
        "SELECT {columns} FROM task_suggestions s WHERE s.task_id = :task AND s.deletion_id IS NULL
         ORDER BY s.created_at DESC, s.id DESC"
    );
    db.all(sql!(select, task = task)).await
}
