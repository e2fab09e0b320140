//! The routes of planning poker. Each step locks the round, so that of two people who do the same one is told so.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{PokerSessionId, TaskId};
use planwright_domain::words::EstimationScale;
use planwright_plan::containers::inheritance::in_force;
use planwright_plan::edit::{self, Edit};
use planwright_plan::sprints::SprintRow;
use planwright_plan::tasks::write::{self, TaskRecord};
use planwright_store::record::{Tracked, find_live, lock_live};
use planwright_store::{Read, Tx};
use planwright_web::version::Precondition;
use planwright_web::{ApiError, ApiResult, App, Body, Created, Grant, IgnoredBody, Item, Json, Routes, says};
use serde_json::json;

use super::model::*;
use super::queries;
use super::rules::{self, Step};

const OF_SPRINT: &str = "/api/v1/sprints/{sprint_pk}/poker/";
const VOTE: &str = "/api/v1/poker/{id}/vote/";
const REVEAL: &str = "/api/v1/poker/{id}/reveal/";
const REOPEN: &str = "/api/v1/poker/{id}/reopen/";
const COMMIT: &str = "/api/v1/poker/{id}/commit/";
const CANCEL: &str = "/api/v1/poker/{id}/cancel/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(OF_SPRINT, list, says("The live rounds of planning poker in a sprint, newest first."))
        .post(OF_SPRINT, open, says("Open a round of planning poker for a task."))
        .post(VOTE, vote, says("Vote on the size of a task, or change your vote."))
        .post(REVEAL, reveal, says("Show all votes of a round."))
        .post(REOPEN, reopen, says("Let people vote again; their votes stay."))
        .post(COMMIT, commit, says("Give a task the size on which its round agreed."))
        .post(CANCEL, cancel, says("Cancel a round."))
}

type Led = Item<PokerRow, may::LeadCeremonies>;

async fn list(
    State(app): State<App>,
    item: Item<SprintRow, may::ReadProject>,
) -> ApiResult<Json<Vec<PokerSession>>> {
    let rows = queries::live(&app.db, item.row.id).await?;
    let ids: Vec<PokerSessionId> = rows.iter().map(|row| row.session.id).collect();
    let votes = queries::votes(&app.db, &ids).await?;
    let cards = rules::cards(scale(&app.db, &item.scope).await?);
    let me = item.scope.actor.id;
    Ok(Json(rows.into_iter().map(|row| PokerSession::of(row, &votes, me, cards)).collect()))
}

async fn open(
    State(app): State<App>,
    item: Item<SprintRow, may::LeadCeremonies>,
    Body(request): Body<OpenPokerRequest>,
) -> ApiResult<Created<PokerSession>> {
    let (mut edit, sprint) = edit::open(&app, item, Precondition::default()).await?;
    rules::still_planned(sprint.state)?;
    sizable(&edit, &sprint, request.task).await?;
    let (id, by) = (edit.mint(), (edit.grant.actor.id, edit.now()));
    edit.create(&rules::fresh(id, &sprint, request.task, by)).await?;
    finished(edit, id).await.map(|Json(session)| Created(session))
}

/// Refuses a task that is not in the sprint, or that there is a round for.
async fn sizable(tx: &Tx, sprint: &SprintRow, id: TaskId) -> ApiResult<()> {
    // Held, so that it does not go while the round is opened.
    let task: Option<TaskRecord> = lock_live(tx, id.0).await?;
    if task.is_none_or(|task| task.sprint_id != Some(sprint.id)) {
        return Err(ApiError::invalid_field("task", "There is no such task in the sprint."));
    }
    match queries::live_of_task(tx, id).await? {
        None => Ok(()),
        Some(live) => {
            let refusal = ApiError::conflict("There is a round for this task.").with_code("already_live");
            Err(refusal.with("session_id", json!(live)))
        }
    }
}

async fn vote(
    State(app): State<App>,
    item: Item<PokerRow, may::TakePart>,
    Body(request): Body<CastVoteRequest>,
) -> ApiResult<Json<PokerSession>> {
    let (mut edit, row) = edit::open(&app, item, Precondition::default()).await?;
    let (me, now) = (edit.grant.actor.id, edit.now());
    if !queries::is_in_team(&edit, row.project_id, me).await? {
        return Err(ApiError::forbidden("The members of the default team vote."));
    }
    rules::after(Step::Vote, row.state, sprint_of(&edit, &row).await?.state)?;
    if let Some(card) = request.value {
        rules::fits(scale(&edit, &edit.grant).await?, "value", card)?;
    }
    let comment = request.comment.given().map(String::from).unwrap_or_default();
    queries::vote(&mut edit, row.id, me, (request.value.map(|card| card.0), &comment), now).await?;
    edit.announce(SocketEvent::PokerSessionUpdated, row.payload()).await?;
    finished(edit, row.id).await
}

async fn reveal(State(app): State<App>, item: Led, _: IgnoredBody) -> ApiResult<Json<PokerSession>> {
    step(&app, item, Step::Reveal).await
}

async fn reopen(State(app): State<App>, item: Led, _: IgnoredBody) -> ApiResult<Json<PokerSession>> {
    step(&app, item, Step::Reopen).await
}

async fn cancel(State(app): State<App>, item: Led, _: IgnoredBody) -> ApiResult<Json<PokerSession>> {
    step(&app, item, Step::Cancel).await
}

async fn step(app: &App, item: Led, step: Step) -> ApiResult<Json<PokerSession>> {
    let (mut edit, row) = edit::open(app, item, Precondition::default()).await?;
    let state = rules::after(step, row.state, sprint_of(&edit, &row).await?.state)?;
    let closed_at = (step == Step::Cancel).then(|| edit.now());
    edit.update(&row, PokerRow { state, closed_at, ..row.clone() }).await?;
    finished(edit, row.id).await
}

async fn commit(
    State(app): State<App>,
    item: Led,
    Body(request): Body<CommitPokerRequest>,
) -> ApiResult<Json<PokerSession>> {
    let task =
        Item::<TaskRecord, may::LeadCeremonies>::of(&app.db, &item.scope.actor, item.row.task_id.0).await?;
    let (mut edit, task) = edit::open_plan(&app, task, Precondition::default()).await?;
    let row: PokerRow = edit.lock(item.row.id).await?;
    let state = rules::after(Step::Commit, row.state, sprint_of(&edit, &row).await?.state)?;
    rules::fits(scale(&edit, &edit.grant).await?, "points", request.points)?;
    rules::still_holds(&row, &task)?;
    let (committed_points, closed_at) = (Some(request.points.0), Some(edit.now()));
    edit.update(&row, PokerRow { state, committed_points, closed_at, ..row.clone() }).await?;
    write::change(&mut edit, task, json!({ "story_points": committed_points })).await?;
    edit.recalculate().await?;
    finished(edit, row.id).await
}

async fn sprint_of(db: &dyn Read, row: &PokerRow) -> ApiResult<SprintRow> {
    find_live(db, row.sprint_id.0).await?.ok_or_else(ApiError::not_found)
}

async fn scale(db: &dyn Read, grant: &Grant) -> ApiResult<EstimationScale> {
    Ok(in_force(db, grant.project()?).await?.estimation_scale)
}

/// Ends a change of a round; the round as the caller sees it now.
async fn finished(edit: Edit, id: PokerSessionId) -> ApiResult<Json<PokerSession>> {
    let row = queries::one(&edit, id).await?.ok_or_else(ApiError::not_found)?;
    let votes = queries::votes(&edit, &[id]).await?;
    let cards = rules::cards(scale(&edit, &edit.grant).await?);
    let shown = PokerSession::of(row, &votes, edit.grant.actor.id, cards);
    edit.commit().await?;
    Ok(Json(shown))
}
