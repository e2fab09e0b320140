//! `/api/v1/projects/{id}/tasks/bulk/`: writes of many tasks and links in one request, each row on its own.
//! One transaction and one recalculation, however many rows there are.

use axum::extract::State;
use planwright_plan::span::Reach;
use planwright_plan::tasks::write::{self, Author};
use planwright_web::{ApiResult, App, Body, MultiStatus, Routes, says};

use super::model::{TaskBulkRequest, TaskBulkResponse};
use super::{answer, edges, rows};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().post(
        "/api/v1/projects/{id}/tasks/bulk/",
        bulk,
        says("Create, change and delete many tasks and link them; each row is answered for itself."),
    )
}

async fn bulk(
    State(app): State<App>,
    scope: Author,
    Body(request): Body<TaskBulkRequest>,
) -> ApiResult<MultiStatus<TaskBulkResponse>> {
    let mut tx = app.db.begin().await?;
    let (scope, mut lock) = write::lock_plan(&mut tx, &scope.actor, scope.project).await?;
    let reach = Reach::of(&tx, scope.project).await?;
    let links = request.dependencies.given().and_then(|bucket| bucket.created.given()).map(|list| list.0);
    let written = rows::write(&mut tx, &mut lock, &scope, request.operations.0).await?;
    let linked = edges::write(&mut tx, &mut lock, &scope, links.unwrap_or_default()).await?;
    lock.end(&mut tx).await?;
    reach.keep(&tx, "operations").await?;
    let answer = answer::of(&mut tx, &scope, written, linked).await?;
    tx.commit().await?;
    Ok(MultiStatus(answer))
}
