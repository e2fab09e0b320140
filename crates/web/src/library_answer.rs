//! Answers of a library that speaks a protocol of its own: its refusals are plain text, and clients of this API get JSON.

use axum::body::{Body, to_bytes};
use axum::response::Response;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde_json::{Value as Json, json};

/// A longer refusal is no sentence.
const MOST_BYTES: usize = 64 * 1024;

/// Whether a message says that its body is JSON.
pub fn says_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

/// The same answer with its refusal as `{"detail"}`. A body that was sent as JSON and cannot be read is 400 with what `unreadable`
/// makes of the sentence of the library.
pub async fn in_json(sent_json: bool, response: Response, unreadable: impl FnOnce(&str) -> Json) -> Response {
    let status = response.status();
    if !(status.is_client_error() || status.is_server_error()) || says_json(response.headers()) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let said = to_bytes(body, MOST_BYTES).await.unwrap_or_default();
    let said = String::from_utf8_lossy(&said).trim().to_owned();
    let problem = match sent_json && status == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        true => {
            parts.status = StatusCode::BAD_REQUEST;
            unreadable(&said)
        }
        false => json!({ "detail": said }),
    };
    parts.headers.remove(CONTENT_LENGTH);
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Response::from_parts(parts, Body::from(problem.to_string()))
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse;

    use super::*;

    async fn text_of(response: Response) -> (u16, String) {
        let status = response.status().as_u16();
        let bytes = to_bytes(response.into_body(), MOST_BYTES).await.unwrap();
        (status, String::from_utf8(bytes.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn a_refusal_in_plain_text_becomes_json_and_a_good_answer_stays() {
        let unreadable = |said: &str| json!({ "error": said });
        let refused = || (StatusCode::UNSUPPORTED_MEDIA_TYPE, "no message").into_response();
        let as_json = text_of(in_json(true, refused(), unreadable).await).await;
        assert_eq!(as_json, (400, r#"{"error":"no message"}"#.to_owned()));
        let as_other = text_of(in_json(false, refused(), unreadable).await).await;
        assert_eq!(as_other, (415, r#"{"detail":"no message"}"#.to_owned()));
        let good = text_of(in_json(true, "fine".into_response(), unreadable).await).await;
        assert_eq!(good, (200, "fine".to_owned()));
    }
}
