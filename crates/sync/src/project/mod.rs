//! `GET /api/v1/projects/{id}/sync/`: what changed in a project since the caller asked last. What the changes are
//! numbered by is in `rules.rs`; the statements are in `queries.rs`.

mod queries;
mod rules;

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::access::may;
use planwright_web::{ApiError, ApiResult, App, Json, ProjectScope, Query, Routes, says};

use crate::pull::{Asked, PageUnderWay, Position, SyncPullResponse, SyncQuery, too_old};
use crate::watermarks::{self, Reading};
use rules::{Collection, Counters, Pull};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/projects/{id}/sync/",
        pull,
        says("What changed in a project since the last pull, for clients that keep a copy of it."),
    )
}

type Reader = ProjectScope<may::ReadProject>;

async fn pull(
    State(app): State<App>,
    scope: Reader,
    Query(query): Query<SyncQuery>,
) -> ApiResult<Json<SyncPullResponse>> {
    let reading = Reading { user: scope.actor.id, place: scope.project.0 };
    let asked = Asked::read(query, reading)?;
    let (pull, page) = match asked.page {
        None => begin(&app, &scope, reading, asked.since).await?,
        Some(page) => (resume(&app, &scope, reading, page).await?, page),
    };
    read(&app, &pull, page, asked.size, reading).await.map(Json)
}

/// How far the plan was when a person had read so far, and when that was.
pub(crate) async fn known(
    app: &App,
    reading: Reading,
    number: i64,
) -> ApiResult<Option<(i64, DateTime<Utc>)>> {
    let known = watermarks::find::<Counters>(&app.db, reading, number).await?;
    Ok(known.map(|known| (known.state.plan, known.at)))
}

/// A new pull, up to what is there now.
async fn begin(app: &App, scope: &Reader, reading: Reading, since: i64) -> ApiResult<(Pull, Position)> {
    let before = watermarks::find(&app.db, reading, since).await?.map(|known| known.state);
    let now = queries::counters(&app.db, scope.project, scope.role).await?.ok_or_else(ApiError::not_found)?;
    let number = watermarks::pin(app, reading, &now).await?;
    Ok((Pull::of(scope, before, now), Position::first(since, number)))
}

/// The same pull as on its first page.
async fn resume(app: &App, scope: &Reader, reading: Reading, page: Position) -> ApiResult<Pull> {
    let before = watermarks::find(&app.db, reading, page.since).await?.map(|known| known.state);
    let mut until =
        watermarks::find::<Counters>(&app.db, reading, page.until).await?.ok_or_else(too_old)?.state;
    // Whoever has a lower role by now must not read on with the one of the first page.
    until.rank = until.rank.min(scope.role.rank());
    Ok(Pull::of(scope, before, until))
}

/// The rows of a page, collection by collection.
async fn read(
    app: &App,
    pull: &Pull,
    page: Position,
    size: usize,
    reading: Reading,
) -> ApiResult<SyncPullResponse> {
    let mut rows = PageUnderWay::new(Collection::ALL.iter().map(|one| one.name()), page, size);
    for (index, collection) in Collection::ALL.iter().enumerate().skip(page.collection) {
        let Some(window) = pull.window(*collection, rows.after(index), rows.wanted()) else { continue };
        rows.take(index, collection.name(), queries::changed(&app.db, *collection, &window).await?);
        if rows.is_full() {
            break;
        }
    }
    Ok(rows.answer(reading, pull.is_full()))
}
