//! `/api/v1/me/external-items/`: what is open for the caller in their trackers, as it was read last.

use axum::extract::State;
use planwright_web::input::{Name, Patch};
use planwright_web::{Actor, ApiError, ApiResult, App, Page, Query, Routes, Window, input, says};

use super::model::ExternalWorkItem;
use super::{pulling, queries};

/// The route of this file.
pub(super) fn table() -> Routes {
    let rules = says("What is open for you in your trackers. If it is old, it is read again meanwhile.");
    Routes::new().get("/api/v1/me/external-items/", list, rules)
}

input! {
    /// Which items are listed.
    pub struct ExternalItemQuery {
        /// The order: `external_id`, `title`, `external_status`, `display_bucket` or `last_synced_at`, with `-` before it for
        /// the opposite. Without it, the order of the tracker.
        ordering: Patch<Name<0, 100>>,
        /// Words that the key or the title contains.
        search: Patch<Name<0, 200>>,
    }
}

const ORDERINGS: [&str; 5] = ["external_id", "title", "external_status", "display_bucket", "last_synced_at"];

/// The keys of an order, with the id at the end.
///
/// # Errors
/// 400 for a field that is not in the table.
fn order(asked: &str) -> ApiResult<String> {
    if asked.is_empty() {
        return Ok("i.position, i.id".to_owned());
    }
    let (name, way) = asked.strip_prefix('-').map_or((asked, ""), |name| (name, " DESC"));
    match ORDERINGS.iter().find(|known| **known == name) {
        Some(column) => Ok(format!("i.{column}{way}, i.id")),
        None => {
            let problem = format!("\"{name}\" is not a valid choice. Choose from: {}.", ORDERINGS.join(", "));
            Err(ApiError::invalid_field("ordering", problem))
        }
    }
}

async fn list(
    State(app): State<App>,
    actor: Actor,
    window: Window<100, 200>,
    Query(query): Query<ExternalItemQuery>,
) -> ApiResult<Page<ExternalWorkItem>> {
    let keys = order(query.ordering.as_given().map(|name| name.as_str()).unwrap_or_default())?;
    let words = query.search.given().map(String::from).filter(|words| !words.is_empty());
    pulling::request_if_stale(&app, actor.id).await?;
    let count = queries::count_open(&app.db, actor.id, words.as_deref()).await?;
    let part = (window.limit, window.offset);
    let rows = queries::page_of_open(&app.db, actor.id, words.as_deref(), &keys, part).await?;
    Ok(window.envelope(count, rows.into_iter().map(ExternalWorkItem::from).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_names_known_fields_only() {
        assert_eq!(order("").unwrap(), "i.position, i.id");
        assert_eq!(order("-title").unwrap(), "i.title DESC, i.id");
        assert!(order("user_id").is_err());
    }
}
