//! `/calendar/{secret}.ics`: what calendar programs read for a person (RFC 5545). The caller is nobody; the secret in the path
//! decides, and it is asked anew at every read whether the person is there and what they see.

mod document;
mod model;
mod queries;
mod routes;
mod rules;

use planwright_store::StoreError;
use planwright_web::{ApiError, ApiResult, App, token};

pub use routes::table;

use crate::calendar_feeds::CalendarFeedRow;
use rules::Calendar;

/// How many rows a calendar has.
const MOST_ROWS: usize = 2_000;

/// How exact the last use of a feed is, in seconds, so that not every read is a write.
const LAST_USED_PRECISION_SECONDS: i64 = 60;

/// The feed of the last part of a path.
///
/// # Errors
/// 404 for whatever is not the address of a feed, for a feed that was revoked, and for that of a person who is out: the three
/// answers are one.
async fn open(app: &App, file: &str) -> ApiResult<CalendarFeedRow> {
    let secret = rules::secret(file).ok_or_else(ApiError::not_found)?;
    queries::by_hash(&app.db, &token::hash(secret)).await?.ok_or_else(ApiError::not_found)
}

/// What a feed shows now.
async fn calendar(app: &App, feed: &CalendarFeedRow) -> ApiResult<Calendar> {
    let rows = queries::rows(&app.db, feed, MOST_ROWS).await?;
    Ok(rules::calendar(feed, rows, MOST_ROWS))
}

/// Notes that a feed was read. It is answered also while nothing can be written.
async fn note_use(app: &App, feed: &CalendarFeedRow) {
    let now = app.clock.now();
    if feed.last_used_at.is_some_and(|at| (now - at).num_seconds() < LAST_USED_PRECISION_SECONDS) {
        return;
    }
    if let Err(error) = noted(app, feed).await {
        tracing::warn!(feed = %feed.id, error = %format!("{error:#}"), "the use of a calendar feed was not noted");
    }
}

async fn noted(app: &App, feed: &CalendarFeedRow) -> Result<(), StoreError> {
    let mut tx = app.db.begin().await?;
    queries::note_use(&mut tx, feed.id).await?;
    tx.commit().await
}
