//! The routes of task links.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_plan::edit::{self, Edit};
use planwright_plan::tasks::write::TaskRecord;
use planwright_web::input::{Name, Patch};
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    ApiError, ApiResult, App, Body, Created, Item, Json, NoContent, Query, Routes, input, says,
};

use super::model::*;
use super::{queries, rules};

const ALL: &str = "/api/v1/projects/{project_pk}/tasks/{task_pk}/links/";
const ONE: &str = "/api/v1/projects/{project_pk}/tasks/{task_pk}/links/{id}/";

/// How many links a task may have.
const MOST: i64 = 50;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The links of a task, in their order."))
        .post(ALL, create, says("Put a link on a task."))
        .get(ONE, show, says("One link."))
        .patch(ONE, update, says("Change a link."))
        .delete(ONE, delete, says("Take a link off a task."))
        .and(super::refresh::table())
}

pub(super) type Kept = Item<LinkRow, may::TakePart>;

input! {
    /// Which links of a task are listed.
    pub struct LinkQuery {
        /// The order: `display_order`, `created_at`, `title`, `status` or `fetched_at`, several with commas, each with
        /// `-` before it for the opposite. Without it, by `display_order`.
        ordering: Patch<Name<0, 100>>,
        /// Words that the address or a title contains.
        search: Patch<Name<0, 200>>,
    }
}

async fn list(
    State(app): State<App>,
    item: Item<TaskRecord, may::ReadProject>,
    Query(query): Query<LinkQuery>,
) -> ApiResult<Json<Vec<TaskLink>>> {
    let words = query.search.given().map(String::from).filter(|words| !words.is_empty());
    let asked = query.ordering.given().map(String::from);
    let keys = rules::order(asked.as_deref().unwrap_or_default())?;
    let rows = queries::of_task(&app.db, item.row.id, words.as_deref(), &keys).await?;
    Ok(Json(rows.into_iter().map(TaskLink::from).collect()))
}

async fn create(
    State(app): State<App>,
    item: Item<TaskRecord, may::TakePart>,
    Body(request): Body<TaskLinkRequest>,
) -> ApiResult<Created<TaskLink>> {
    let mut edit = Edit::locked(&app, &item.scope).await?;
    if queries::count(&edit, item.row.id).await? >= MOST {
        return Err(ApiError::bad_request(format!("A task has at most {MOST} links.")));
    }
    let fresh = LinkRow::fresh(edit.mint(), &item.row, edit.grant.actor.id, edit.now());
    let row = rules::changed(fresh, request.into())?;
    edit.create(&row).await?;
    edit.commit().await?;
    Ok(Created(row.into()))
}

async fn show(item: Item<LinkRow, may::ReadProject>) -> ApiResult<Versioned<TaskLink>> {
    Ok(Versioned::new(item.row.server_version, item.row.into()))
}

async fn update(
    State(app): State<App>,
    item: Kept,
    expected: Precondition,
    Body(request): Body<PatchedTaskLinkRequest>,
) -> ApiResult<Versioned<TaskLink>> {
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    let written = edit.update(&before, rules::changed(before.clone(), request)?).await?;
    edit.commit().await?;
    Ok(written.shown(TaskLink::from))
}

async fn delete(State(app): State<App>, item: Kept, expected: Precondition) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open(&app, item, expected).await?;
    edit.delete(&row).await?;
    edit.commit().await?;
    Ok(NoContent)
}
