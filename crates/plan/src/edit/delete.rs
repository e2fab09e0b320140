//! The handler of a DELETE that does nothing but delete the row of its path.
//! Whoever asks or tells more about a deletion writes a handler of its own.

use axum::extract::State;
use planwright_domain::access::May;
use planwright_store::record::Tracked;
use planwright_web::version::Precondition;
use planwright_web::{ApiResult, App, Item, NoContent, Resource};

use super::open;

/// Deletes the row that the path names.
///
/// # Errors
/// 404 when it is gone or out of sight, 403 when the rank does not suffice, 409 and 412 when others wrote it since.
pub async fn delete_row<R: Resource + Tracked, A: May>(
    State(app): State<App>,
    item: Item<R, A>,
    expected: Precondition,
) -> ApiResult<NoContent> {
    let (mut edit, row) = open(&app, item, expected).await?;
    edit.delete(&row).await?;
    edit.commit().await?;
    Ok(NoContent)
}
