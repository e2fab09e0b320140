//! `/api/v1/projects/{project_pk}/history/`, its summary, and the history of a task.

use std::collections::BTreeMap;

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::{TaskId, UserId};
use planwright_domain::person::display_name;
use planwright_web::{ApiError, ApiResult, App, Json, Page, Paging, Path, ProjectScope, Query, Routes, says};

use super::model::*;
use super::{queries, rules};

/// A page has at most so many changes.
const LARGEST_PAGE: i64 = 200;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/projects/{project_pk}/history/",
            of_project,
            says("List the changes in a project, newest first."),
        )
        .get(
            "/api/v1/projects/{project_pk}/history/summary/",
            summary,
            says("A summary of the changes in a project: how many, and by whom."),
        )
        .get(
            "/api/v1/projects/{project_pk}/tasks/{task_pk}/history/",
            of_task,
            says("List the changes of a task, newest first."),
        )
}

async fn of_project(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    mut paging: Paging,
    Query(filter): Query<HistoryFilter>,
) -> ApiResult<Json<ProjectHistoryPage>> {
    paging.size = paging.size.min(LARGEST_PAGE);
    let from = queries::of_project(scope.project, &filter);
    let found = queries::count(&app.db, &from).await?;
    let count = found.min(queries::MOST_COUNTED);
    let rows = queries::page(&app.db, from, paging.size, paging.offset_in(count)?).await?;
    let page = paging.envelope(count, rows).map(|row| rules::record(row, false));
    Ok(Json(ProjectHistoryPage {
        count: page.count,
        next: page.next,
        previous: page.previous,
        results: page.results,
        count_truncated: found > count,
    }))
}

async fn summary(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    Query(filter): Query<HistoryFilter>,
) -> ApiResult<Json<ProjectHistorySummary>> {
    let from = queries::of_project(scope.project, &filter);
    let counted = queries::by_kind(&app.db, &from).await?;
    let (mut by_type, mut by_entity) = (BTreeMap::new(), BTreeMap::new());
    for row in &counted {
        *by_type.entry(rules::sign(row.kind).to_owned()).or_default() += row.changes;
        *by_entity.entry(row.entity.clone()).or_default() += row.changes;
    }
    Ok(Json(ProjectHistorySummary {
        total: counted.iter().map(|row| row.changes).sum(),
        first_at: counted.iter().map(|row| row.first_at).min(),
        last_at: counted.iter().map(|row| row.last_at).max(),
        by_type,
        by_entity,
        by_user: shares(&app, queries::by_person(&app.db, &from).await?).await?,
    }))
}

async fn shares(app: &App, counted: Vec<(Option<UserId>, i64)>) -> ApiResult<Vec<HistoryShare>> {
    let people: Vec<UserId> = counted.iter().filter_map(|(person, _)| *person).collect();
    let names = queries::names(&app.db, &people).await?;
    let user = |id: UserId| {
        let row = names.iter().find(|row| row.id == id)?;
        let display_name = display_name(&row.first_name, &row.last_name, &row.username);
        Some(HistoryUser { id, username: row.username.clone(), display_name })
    };
    let share = |(person, count): (Option<UserId>, i64)| HistoryShare { user: person.and_then(user), count };
    Ok(counted.into_iter().map(share).collect())
}

async fn of_task(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    Path(task): Path<TaskId>,
    mut paging: Paging,
    Query(query): Query<TaskHistoryQuery>,
) -> ApiResult<Page<TaskChange>> {
    paging.size = paging.size.min(LARGEST_PAGE);
    let assignee = queries::assignee(&app.db, scope.project, task).await?.ok_or_else(ApiError::not_found)?;
    let from = queries::of_task(task, query.until.given());
    let count = queries::count(&app.db, &from).await?.min(queries::MOST_COUNTED);
    let rows = queries::page(&app.db, from, paging.size, paging.offset_in(count)?).await?;
    let reads_reasons = assignee == Some(scope.actor.id);
    Ok(paging.envelope(count, rows).map(|row| rules::task_change(row, reads_reasons)))
}
