//! The routes of the feeds.

use axum::extract::State;
use chrono::{DateTime, SecondsFormat, Utc};
use planwright_domain::access::may;
use planwright_web::{
    Actor, ApiError, ApiResult, App, CursorPaging, Json, ProgramScope, ProjectScope, Query, Routes, says,
};
use uuid::Uuid;

use super::model::*;
use super::queries::{self, Place};

const LIST: &str = "assets";

/// The largest page size of a feed.
const LARGEST_PAGE: i64 = 100;

/// The routes of this file.
pub fn table() -> Routes {
    let everywhere =
        says("What people put beside tasks, in all your projects, newest first.").agent_surface();
    let in_program = says("What people put beside tasks of a program, newest first.").agent_surface();
    let in_project = says("What people put beside tasks of a project, newest first.").agent_surface();
    Routes::new()
        .get("/api/v1/assets/", of_all, everywhere)
        .get("/api/v1/programs/{program_pk}/assets/", of_program, in_program)
        .get("/api/v1/projects/{project_pk}/assets/", of_project, in_project)
}

async fn of_all(
    State(app): State<App>,
    actor: Actor,
    paging: CursorPaging,
    Query(filter): Query<AssetFilter>,
    Query(tasks): Query<AssetTasks>,
) -> ApiResult<Json<AssetFeedResponse>> {
    let assignee = tasks.mine.given().unwrap_or_default().then_some(actor.id);
    let place = Place { project: None, program: tasks.program.given(), assignee };
    page(&app, &actor, place, &paging, &filter).await
}

async fn of_program(
    State(app): State<App>,
    scope: ProgramScope<may::ReadProgram>,
    paging: CursorPaging,
    Query(filter): Query<AssetFilter>,
) -> ApiResult<Json<AssetFeedResponse>> {
    let place = Place { program: Some(scope.program), ..Place::default() };
    page(&app, &scope.actor, place, &paging, &filter).await
}

async fn of_project(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    paging: CursorPaging,
    Query(filter): Query<AssetFilter>,
) -> ApiResult<Json<AssetFeedResponse>> {
    let place = Place { project: Some(scope.project), ..Place::default() };
    page(&app, &scope.actor, place, &paging, &filter).await
}

async fn page(
    app: &App,
    actor: &Actor,
    place: Place,
    paging: &CursorPaging,
    filter: &AssetFilter,
) -> ApiResult<Json<AssetFeedResponse>> {
    if paging.size > LARGEST_PAGE {
        return Err(ApiError::invalid_field("page_size", format!("Must be at most {LARGEST_PAGE}.")));
    }
    let rows = queries::newest(&app.db, actor, place, filter, after(paging)?, paging.size + 1).await?;
    let keys = |row: &AssetRow| {
        vec![row.created_at.to_rfc3339_opts(SecondsFormat::Micros, true), row.id.to_string()]
    };
    let (rows, next_cursor) = paging.slice(LIST, rows, keys);
    Ok(Json(AssetFeedResponse { results: rows.into_iter().map(AssetItem::from).collect(), next_cursor }))
}

/// The moment and the id of the last asset of the page before.
fn after(paging: &CursorPaging) -> ApiResult<Option<(DateTime<Utc>, Uuid)>> {
    let Some(keys) = paging.after(LIST, 2)? else { return Ok(None) };
    match (keys[0].parse(), keys[1].parse()) {
        (Ok(at), Ok(id)) => Ok(Some((at, id))),
        _ => Err(ApiError::invalid_field("cursor", "This cursor is not valid.")),
    }
}
