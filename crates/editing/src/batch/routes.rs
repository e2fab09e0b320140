//! `/api/v1/projects/{id}/tasks/bulk/`: writes of many tasks and links in one request, each row on its own.
//! One transaction and one recalculation, however many rows there are.

use axum::extract::State;
use planwright_plan::Edit;
use planwright_plan::span::Reach;
use planwright_plan::tasks::write::{Author, many};
use planwright_web::{ApiResult, App, Body, MultiStatus, Routes, says};

use super::model::{TaskBulkRequest, TaskBulkResponse};
use super::{answer, edges};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().post(
        "/api/v1/projects/{id}/tasks/bulk/",
        bulk,
        says("Create, change, delete and link many tasks. Each row has its own result."),
    )
}

async fn bulk(
    State(app): State<App>,
    scope: Author,
    Body(request): Body<TaskBulkRequest>,
) -> ApiResult<MultiStatus<TaskBulkResponse>> {
    let mut edit = Edit::of_plan(&app, &scope).await?;
    let grant = edit.grant.clone();
    let reach = Reach::of(&edit, grant.project()?).await?;
    let links = request.dependencies.given().and_then(|bucket| bucket.created.given()).map(|list| list.0);
    let (tx, lock) = edit.plan();
    let operations = request.operations.0.into_iter().map(Into::into).collect();
    let written = many::write(tx, lock, &grant, operations).await?;
    let linked = edges::write(tx, lock, &grant, links.unwrap_or_default()).await?;
    edit.recalculate().await?;
    reach.keep(&edit, "operations").await?;
    let answer = answer::of(&mut edit, &grant, written, linked).await?;
    edit.commit().await?;
    Ok(MultiStatus(answer))
}
