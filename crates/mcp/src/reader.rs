//! Reads of the API by a tool: within this process, or over HTTP for a client on standard input. A refusal is passed on as the
//! API said it.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::MatchedPath;
use http::header::{ACCEPT, AUTHORIZATION, HOST};
use http::{Extensions, HeaderMap, HeaderName, HeaderValue, Request};
use serde_json::{Value, json};
use tower::ServiceExt;

/// Rows that one tool shows at most.
pub(crate) const MOST_ROWS: usize = 1_000;
/// The largest answer of the API that is read.
const MOST_BYTES: usize = 64 * 1024 * 1024;
/// Headers of the client that go on to the API.
const PASSED_ON: [HeaderName; 3] = [AUTHORIZATION, HOST, HeaderName::from_static("x-forwarded-for")];

/// Where reads go.
#[derive(Clone)]
pub(crate) enum Reader {
    /// To the router of this process, as the client that sent these headers.
    Here { router: Router, headers: HeaderMap, extensions: Extensions },
    /// To a server elsewhere.
    Remote { client: reqwest::Client, base: String },
}

/// What the API said instead of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    /// The problem, with its status.
    pub(crate) problem: Value,
}

impl Refusal {
    /// A refusal of the tool itself.
    pub(crate) fn said(detail: &str) -> Self {
        Self { problem: json!({ "detail": detail }) }
    }

    /// Whether the API has nothing there that may be seen.
    pub(crate) fn is_not_found(&self) -> bool {
        self.problem["status"] == 404
    }

    fn answered(status: u16, body: Value) -> Self {
        let mut problem = match body {
            Value::Object(fields) => Value::Object(fields),
            Value::Null => json!({}),
            other => json!({ "detail": other }),
        };
        problem["status"] = json!(status);
        Self { problem }
    }
}

/// Rows of a list.
pub(crate) struct Listed {
    pub(crate) rows: Vec<Value>,
    /// Whether there are more.
    pub(crate) is_truncated: bool,
}

impl Reader {
    /// A reader in this process for the client that sent a request.
    pub(crate) fn here(router: Router, request: &http::request::Parts) -> Self {
        let passed_on = PASSED_ON.into_iter().filter_map(|name| {
            let value = request.headers.get(&name)?.clone();
            Some((name, value))
        });
        Self::Here { router, headers: passed_on.collect(), extensions: request.extensions.clone() }
    }

    /// What is at a path, query included.
    pub(crate) async fn get(&self, path: &str) -> Result<Value, Refusal> {
        let (status, is_good, bytes) = match self {
            Self::Here { router, headers, extensions } => {
                let mut request = Request::builder().uri(path).body(Body::empty()).map_err(no_address)?;
                request.headers_mut().clone_from(headers);
                request.headers_mut().insert(ACCEPT, HeaderValue::from_static("application/json"));
                request.extensions_mut().clone_from(extensions);
                // The route of the endpoint would stand before that of the read in the log of agents.
                request.extensions_mut().remove::<MatchedPath>();
                let Ok(response) = router.clone().oneshot(request).await;
                let status = response.status();
                let bytes = to_bytes(response.into_body(), MOST_BYTES).await.map_err(cut_off)?;
                (status.as_u16(), status.is_success(), bytes)
            }
            Self::Remote { client, base } => {
                let response = client.get(format!("{base}{path}")).send().await.map_err(cut_off)?;
                let status = response.status();
                (status.as_u16(), status.is_success(), response.bytes().await.map_err(cut_off)?)
            }
        };
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        if is_good { Ok(body) } else { Err(Refusal::answered(status, body)) }
    }

    /// The rows of a list, from all of its pages.
    pub(crate) async fn rows(&self, path: &str) -> Result<Listed, Refusal> {
        let mut rows = Vec::new();
        let mut next = Some(path.to_owned());
        while let Some(path) = next.take().filter(|_| rows.len() < MOST_ROWS) {
            let mut page = self.get(&path).await?;
            let found = match page.as_array_mut() {
                Some(all) => std::mem::take(all),
                None => page["results"].as_array_mut().map(std::mem::take).unwrap_or_default(),
            };
            rows.extend(found);
            next = page.get("next").and_then(Value::as_str).map(path_of);
        }
        let is_truncated = next.is_some() || rows.len() > MOST_ROWS;
        rows.truncate(MOST_ROWS);
        Ok(Listed { rows, is_truncated })
    }
}

/// The path and the query of an address.
fn path_of(address: &str) -> String {
    let uri: http::Uri = address.parse().unwrap_or_default();
    uri.path_and_query().map(ToString::to_string).unwrap_or_default()
}

fn no_address(_: http::Error) -> Refusal {
    Refusal::said("An argument cannot be part of an address.")
}

fn cut_off(error: impl std::fmt::Display) -> Refusal {
    Refusal::said(&format!("The server did not answer: {error}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_is_read_from_the_same_server() {
        assert_eq!(path_of("https://elsewhere.example/api/v1/tasks/?page=2"), "/api/v1/tasks/?page=2");
    }

    #[test]
    fn a_refusal_keeps_what_the_api_said() {
        let refusal = Refusal::answered(403, json!({ "detail": "No.", "code": "policy" }));
        assert_eq!(refusal.problem, json!({ "detail": "No.", "code": "policy", "status": 403 }));
    }
}
