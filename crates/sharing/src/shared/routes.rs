//! The two public routes: a board and a schedule by the token of their link, with a tag by which a reader keeps what it has.

use axum::extract::State;
use axum::response::IntoResponse;
use http::header::{CACHE_CONTROL, ETAG, REFERRER_POLICY};
use http::{HeaderMap, HeaderValue};
use planwright_domain::words::SharedContent;
use planwright_web::limits::Limit;
use planwright_web::reply::Raw;
use planwright_web::{ApiResult, App, Path, Routes, says};
use serde::Serialize;

use super::drawings::{Drawing, Form, shown};
use super::model::{SharedBoard, SharedSchedule};
use super::{OpenLink, board, open, schedule};

/// The routes of this file.
pub fn table() -> Routes {
    let of = |summary| says(summary).public().also_answers(&[410]).tagged().limit(Limit::ShareAccess);
    Routes::new()
        .get("/api/v1/share/board/{token}/", show_board, of("The board that a public link shows."))
        .get("/api/v1/share/schedule/{token}/", show_schedule, of("The schedule that a public link shows."))
}

async fn show_board(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> ApiResult<Raw<SharedBoard>> {
    let link = open(&app, &token, SharedContent::Board).await?;
    answer(&app, &link, &headers, async || board(&app, &link).await).await
}

async fn show_schedule(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> ApiResult<Raw<SharedSchedule>> {
    let link = open(&app, &token, SharedContent::Schedule).await?;
    answer(&app, &link, &headers, async || schedule(&app, &link).await).await
}

/// A picture with its tag. The outer layer turns it into 304 for a reader that has it.
async fn answer<T: Serialize>(
    app: &App,
    link: &OpenLink,
    headers: &HeaderMap,
    read: impl AsyncFnOnce() -> ApiResult<T>,
) -> ApiResult<Raw<T>> {
    let draw = async || {
        let text = serde_json::to_string(&read().await?).map_err(anyhow::Error::from)?;
        Ok(Drawing::new(Form::Json, String::new(), text))
    };
    let shown = shown(app, link, headers, Form::Json, draw).await?;
    let body = shown.text().to_owned();
    let mut response = ([(http::header::CONTENT_TYPE, "application/json")], body).into_response();
    let answered = response.headers_mut();
    answered.insert(ETAG, shown.tag()?);
    answered.insert(CACHE_CONTROL, HeaderValue::from_static("private, max-age=30"));
    answered.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    Ok(Raw::new(response))
}
