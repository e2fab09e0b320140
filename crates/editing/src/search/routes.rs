//! `/api/v1/me/search/`: search over everything that the caller sees.

use axum::extract::State;
use planwright_store::Read;
use planwright_store::words::Words;
use planwright_web::limits::Limit;
use planwright_web::{Actor, ApiResult, App, Json, Paging, Query, Routes, says};

use super::model::{FoundIn, FoundRow, FoundType, OmniSearchQuery, OmniSearchResultPage};
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
    let rows = match words {
        Some(words) => found(&app.db, &actor, &words, &types).await?,
        None => Vec::new(),
    };
    let found = rules::ranked(text, rows);
    let (count, first) = (found.len() as i64, paging.offset_in(found.len() as i64)?);
    let page: Vec<_> = found.into_iter().skip(first as usize).take(paging.size as usize).collect();
    let around = queries::around(&app.db, &page).await?;
    Ok(Json(OmniSearchResultPage { page: paging.envelope(count, rules::shown(page, around)) }))
}

/// What the words find; if that is nothing, what they find with a wrong letter.
async fn found(
    db: &dyn Read,
    actor: &Actor,
    words: &Words,
    types: &[FoundType],
) -> ApiResult<Vec<(FoundIn, FoundRow)>> {
    let seen = queries::seen(db, actor).await?;
    let rows = queries::everywhere(db, &seen, words, types).await?;
    if rows.is_empty()
        && let Some(misspelt) = words.misspelt(db).await?
    {
        return Ok(queries::everywhere(db, &seen, &misspelt, types).await?);
    }
    Ok(rows)
}
