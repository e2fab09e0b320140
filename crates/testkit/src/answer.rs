//! An answer: status, headers and body, with messages that show all of it if a test expected something else.

use std::ops::Index;

use axum::body::Bytes;
use axum::response::Response;
use http::HeaderMap;
use http_body_util::BodyExt;
use serde_json::Value as Json;

/// An answer of the program.
#[derive(Debug)]
pub struct Answer {
    asked: String,
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as it came, for what is no text.
    pub bytes: Bytes,
    /// The body as text.
    pub text: String,
    /// The body as JSON; null when it is none.
    pub json: Json,
}

impl Answer {
    pub(crate) async fn read(asked: String, response: Response) -> Self {
        let (parts, body) = response.into_parts();
        // A stream of events never ends; a test that reads one opens a port.
        let is_endless = parts.headers.get("content-type").is_some_and(|media| media == "text/event-stream");
        let bytes = match is_endless {
            true => Bytes::new(),
            false => body.collect().await.expect("the body can be read").to_bytes(),
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let json = serde_json::from_str(&text).unwrap_or(Json::Null);
        Self { asked, status: parts.status.as_u16(), headers: parts.headers, bytes, text, json }
    }

    /// Fails the test unless the status is the expected one.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{} answered {}: {}", self.asked, self.status, self.text);
        self
    }

    /// A header as text; empty when it is not there.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The `id` of the body.
    #[track_caller]
    pub fn id(&self) -> String {
        self.json["id"]
            .as_str()
            .unwrap_or_else(|| panic!("{} has no id: {}", self.asked, self.text))
            .to_owned()
    }

    /// The `results` of the body.
    #[track_caller]
    pub fn results(&self) -> &Vec<Json> {
        self.json["results"]
            .as_array()
            .unwrap_or_else(|| panic!("{} has no results: {}", self.asked, self.text))
    }
}

impl Index<&str> for Answer {
    type Output = Json;

    fn index(&self, key: &str) -> &Json {
        &self.json[key]
    }
}
