//! The routes of product backlogs: read one, put it into another order, or into that of its scores.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::TaskId;
use planwright_plan::Edit;
use planwright_plan::tasks::model::Task;
use planwright_plan::tasks::rules::prioritization_score;
use planwright_plan::tasks::write::{Author, WriteContext};
use planwright_plan::tasks::{decorate, queries as tasks};
use planwright_web::{
    ApiError, ApiResult, App, IgnoredBody, Json, OpenBody, ProjectScope, Routes, SparseFields, says,
};
use serde_json::json;

use super::model::*;
use super::{order, queries, rules};

const ONE: &str = "/api/v1/projects/{project_pk}/product-backlog/";
const AUTO_RANK: &str = "/api/v1/projects/{project_pk}/product-backlog/auto-rank/";
const REORDER: &str = "/api/v1/projects/{project_pk}/product-backlog/reorder/";
const QUEUE: &str = "/api/v1/projects/{project_pk}/queue/reorder/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ONE, show, says("The product backlog of a project: what waits in no sprint, by epics."))
        .post(AUTO_RANK, auto_rank, says("Put the product backlog into the order of its scores."))
        .post(REORDER, reorder, says("Put the product backlog, or some rows of it, into another order."))
        .post(QUEUE, reorder_queue, says("Put rows of the board into another order."))
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    fields: SparseFields<Task>,
) -> ApiResult<Json<ProductBacklog>> {
    let (db, project, now) = (&app.db, scope.project, app.clock.now());
    let rows = queries::rows(db, project).await?;
    let epics = queries::epics(db, project).await?;
    let ids: Vec<TaskId> = epics.iter().copied().chain(rules::waiting(&rows).map(|row| row.id)).collect();
    let found = tasks::find_all(db, &scope.actor, &ids).await?;
    let shown = decorate::tasks(db, scope.actor.id, now, found, None).await?;
    let shown = shown.into_iter().map(|task| (task.id, fields.of(task))).collect();
    let (epics, ungrouped) = rules::grouped(&rows, &epics, shown);
    let health = rules::health(&rows, queries::capacity(db, project).await?);
    let scoring = BacklogScoring { model: queries::model(db, project).await? };
    Ok(Json(ProductBacklog { epics, ungrouped, health, scoring }))
}

/// Begins a change of the order of a backlog, when the caller shapes it.
async fn shaping(app: &App, scope: &Author) -> ApiResult<(Edit, WriteContext)> {
    let edit = Edit::of_plan(app, scope).await?;
    let context = WriteContext::bare(&edit, &edit.grant).await?;
    match context.caller.shapes_backlog() {
        true => Ok((edit, context)),
        false => Err(ApiError::forbidden("The order is for Project Managers and Product Owners.")),
    }
}

async fn reorder(
    State(app): State<App>,
    scope: Author,
    OpenBody(request): OpenBody<BacklogOrderRequest>,
) -> ApiResult<Json<Reordered>> {
    let goal = rules::goal(&request)?;
    let (mut edit, context) = shaping(&app, &scope).await?;
    let updated = order::put(&mut edit, &context, &request.stories.0, goal).await?;
    tell_and_commit(edit).await?;
    Ok(Json(Reordered { updated }))
}

async fn auto_rank(State(app): State<App>, scope: Author, _: IgnoredBody) -> ApiResult<Json<AutoRanked>> {
    let (mut edit, context) = shaping(&app, &scope).await?;
    let model = queries::model(&edit, scope.project).await?;
    let before = queries::waiting(&edit, scope.project).await?;
    let ids: Vec<TaskId> = before.iter().map(|row| row.0).collect();
    let records = order::in_project(&edit, &ids).await?;
    let score = |id: TaskId| records.get(&id).and_then(|row| prioritization_score(model, row));
    let after = rules::by_score(ids.iter().map(|id| (*id, score(*id))).collect());
    let reranked = order::arrange(&mut edit, &context, &before, after).await?;
    tell_and_commit(edit).await?;
    Ok(Json(AutoRanked { reranked, model }))
}

async fn reorder_queue(
    State(app): State<App>,
    scope: Author,
    OpenBody(request): OpenBody<QueueOrderRequest>,
) -> ApiResult<Json<Reordered>> {
    let rows = request.stories.0;
    rules::distinct(&rows)?;
    let (mut edit, context) = shaping(&app, &scope).await?;
    let ids: Vec<TaskId> = rows.iter().map(|row| row.id).collect();
    rules::nothing_stale(&rows, &order::in_project(&edit, &ids).await?, &[])?;
    let ranks: Vec<_> = ids.iter().zip(1..).map(|(id, place)| (*id, place * 10)).collect();
    let updated = order::write_ranks(&mut edit, &context, &ranks).await?;
    edit.announce(SocketEvent::QueueReordered, json!({})).await?;
    edit.commit().await?;
    Ok(Json(Reordered { updated }))
}

async fn tell_and_commit(mut edit: Edit) -> ApiResult<()> {
    let project = edit.project()?;
    edit.announce(SocketEvent::BacklogReranked, json!({ "project_id": project })).await?;
    Ok(edit.commit().await?)
}
