//! The public route of calendar feeds, with a tag by which a calendar program keeps what it has.

use axum::extract::State;
use axum::response::IntoResponse;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, REFERRER_POLICY};
use http::{HeaderMap, HeaderValue, Uri};
use planwright_web::conditional::weak_tag;
use planwright_web::limits::Limit;
use planwright_web::paging::origin;
use planwright_web::reply::Raw;
use planwright_web::{ApiResult, App, Path, Routes, says};
use serde_json::Value as Json;

use super::{calendar, document, note_use, open};
use crate::settings::SharingSettings;

/// The routes of this file.
pub fn table() -> Routes {
    let rules = says("What a calendar program reads.").public().hidden().limit(Limit::CalendarFeed);
    Routes::new().get("/calendar/{file}", show, rules)
}

async fn show(
    State(app): State<App>,
    Path(file): Path<String>,
    headers: HeaderMap,
    uri: Uri,
) -> ApiResult<Raw<Json>> {
    let feed = open(&app, &file).await?;
    let calendar = calendar(&app, &feed).await?;
    let begin = match app.get::<SharingSettings>().frontend_url.as_str() {
        "" => origin(&app, &headers, &uri),
        url => url.to_owned(),
    };
    note_use(&app, &feed).await;
    Ok(answer(document::text(&calendar, &begin)))
}

/// A calendar with its tag. The outer layer turns it into 304 for a program that has it, after the feed was asked for anew.
fn answer(text: String) -> Raw<Json> {
    let tag = weak_tag(&text);
    let mut response = text.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/calendar; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if let Ok(tag) = HeaderValue::try_from(tag) {
        headers.insert(ETAG, tag);
    }
    Raw::new(response)
}
