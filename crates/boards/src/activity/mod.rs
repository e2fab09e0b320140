//! `/api/v1/projects/{id}/board/activity/`: what happened to the tasks of a project, newest first, told from their history.

mod model;
mod queries;
mod rules;

use std::collections::HashMap;

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::TaskId;
use planwright_web::{ApiResult, App, Json, ProjectScope, Query, Routes, says};

use self::model::*;

/// How many events a page has unless said otherwise.
const USUAL: i64 = 50;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/projects/{project_pk}/board/activity/",
        list,
        says("What happened to the tasks of a project, newest first."),
    )
}

async fn list(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    Query(query): Query<ActivityQuery>,
) -> ApiResult<Json<BoardActivityResponse>> {
    let limit = query.limit.as_given().copied().map_or(USUAL, i64::from);
    let mut rows = queries::page(&app.db, scope.project, &query, limit + 1).await?;
    let more = rows.len() as i64 > limit;
    if more {
        // Rows of one moment stay together, since the next page begins before that moment.
        let last = rows[rows.len() - 2].at;
        rows = queries::until(&app.db, scope.project, &query, last).await?;
    }
    let next_until = rows.last().filter(|_| more).map(|row| row.at);
    let tasks: Vec<TaskId> = rows.iter().map(|row| row.task_id).collect();
    let decided: HashMap<_, _> = queries::scope_statuses(&app.db, &tasks).await?.into_iter().collect();
    let events = rows.into_iter().map(|row| rules::event(row, &decided)).collect();
    Ok(Json(BoardActivityResponse { results: events, next_until }))
}
