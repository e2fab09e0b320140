//! The layer that sets two things in answers: 304 if the caller already has the row, and the address of a created row
//! (RFC 9110, sections 13.1.2 and 10.2.2).

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LOCATION};
use http::{HeaderMap, HeaderValue, Method, StatusCode};

use crate::token;

/// The id of a row that was created, in the extensions of its answer.
#[derive(Clone, Debug)]
pub(crate) struct CreatedRow(pub(crate) String);

/// Whether the rows that a route creates can be read one by one below it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShowsRows(pub(crate) bool);

/// Runs a handler and finishes its answer.
pub(crate) async fn answer(
    State(ShowsRows(shows_rows)): State<ShowsRows>,
    request: Request,
    next: Next,
) -> Response {
    let is_read = request.method() == Method::GET;
    let path = request.uri().path().to_owned();
    let asked = request.headers().clone();
    let mut response = next.run(request).await;
    if let Some(CreatedRow(id)) = response.extensions_mut().remove::<CreatedRow>()
        && shows_rows
        && let Ok(location) = HeaderValue::try_from(format!("{}/{id}/", path.trim_end_matches('/')))
    {
        response.headers_mut().entry(LOCATION).or_insert(location);
    }
    let tag = response.headers().get(ETAG).and_then(|tag| tag.to_str().ok());
    match is_read && response.status() == StatusCode::OK && tag.is_some_and(|tag| has_already(&asked, tag)) {
        true => not_modified(response),
        false => response,
    }
}

/// The weak tag of a text: another one exactly if the text is.
pub fn weak_tag(text: &str) -> String {
    format!("W/\"{}\"", &token::hash(text)[..32])
}

/// Whether a request says in `If-None-Match` that its caller has what this tag stands for. Weak and strong tags are equal here
/// (RFC 9110, section 8.8.3.2).
pub fn has_already(asked: &HeaderMap, tag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let named = asked.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    named.flat_map(|value| value.split(',')).map(opaque).any(|named| named == "*" || named == opaque(tag))
}

fn not_modified(response: Response) -> Response {
    let (mut parts, _) = response.into_parts();
    parts.status = StatusCode::NOT_MODIFIED;
    parts.headers.remove(CONTENT_LENGTH);
    parts.headers.remove(CONTENT_TYPE);
    Response::from_parts(parts, axum::body::Body::empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_known_in_any_list_and_strength() {
        let known = |text: &'static str| {
            let asked = HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_static(text))]);
            has_already(&asked, "W/\"v3.ab\"")
        };
        assert!(known("W/\"v3.ab\"") && known("\"v1\", \"v3.ab\"") && known("*"));
        assert!(!known("\"v3\"") && !known("\"v3.abc\"") && !known(""));
        assert!(!has_already(&HeaderMap::new(), "\"v1\""));
    }
}
