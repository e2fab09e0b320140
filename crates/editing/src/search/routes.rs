//! `/api/v1/me/search/`: search over everything that the caller sees.

use axum::extract::State;
use planwright_store::words::Words;
use planwright_web::limits::Limit;
use planwright_web::{Actor, ApiResult, App, Json, Paging, Query, Routes, says};

use super::model::{OmniSearchQuery, OmniSearchResultPage};
use super::{queries, rules};

/// The shortest request that finds something, in characters.
const SHORTEST: usize = 2;

/// The routes of this file.
pub fn table() -> Routes {
    let rules =
        says("Tasks of your projects and items of your programs that contain some words, the best first.");
    Routes::new().get("/api/v1/me/search/", search, rules.agent_surface().limit(Limit::OmniSearch))
}

async fn search(
    State(app): State<App>,
    actor: Actor,
    paging: Paging,
    Query(query): Query<OmniSearchQuery>,
) -> ApiResult<Json<OmniSearchResultPage>> {
    let types = rules::types(query.r#type.as_given().map(|text| text.as_str()))?;
    let text = query.q.as_given().map_or("", |text| text.as_str()).trim();
    let words = Words::of(text).filter(|_| text.chars().count() >= SHORTEST);
    let mut rows = Vec::new();
    if let Some(words) = words {
        let seen = queries::seen(&app.db, &actor).await?;
        rows = queries::everywhere(&app.db, &seen, &words, &types).await?;
        if rows.is_empty()
            && let Some(misspelt) = words.misspelt(&app.db).await?
        {
            rows = queries::everywhere(&app.db, &seen, &misspelt, &types).await?;
        }
    }
    let results = rules::ranked(text, rows);
    let (count, first) = (results.len() as i64, paging.offset_in(results.len() as i64)?);
    let shown = results.into_iter().skip(first as usize).take(paging.size as usize).collect();
    Ok(Json(OmniSearchResultPage { page: paging.envelope(count, shown) }))
}
