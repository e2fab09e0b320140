//! `/api/v1/projects/{id}/forecast-snapshots/`: the list, newest first. Nobody writes them by hand.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_store::page::Key;
use planwright_web::{ApiResult, App, Page, Paging, ProjectScope, Query, Routes, says};

use super::model::{ProjectForecastSnapshot, SnapshotFilter};
use super::queries;

/// What the list may be ordered by.
const ORDERINGS: planwright_web::paging::Orderings = &[("captured_at", "s.captured_at")];

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/projects/{id}/forecast-snapshots/",
        list,
        says("List the stored forecasts, newest first.").orderings(ORDERINGS),
    )
}

async fn list(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    paging: Paging,
    Query(filter): Query<SnapshotFilter>,
) -> ApiResult<Page<ProjectForecastSnapshot>> {
    let newest_first = [Key::descending("s.captured_at")];
    let keys = paging.keys(ORDERINGS, &newest_first, "s.id")?;
    let from = queries::of_project(scope.project, &filter);
    paging
        .fetch::<ProjectForecastSnapshot, _>(&app.db, queries::COLUMNS, from, "s.id", &keys, |row| row)
        .await
}
