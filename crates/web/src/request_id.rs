//! The id that follows a request through its answer and its log lines.
//! A well-formed one from the caller is kept, any other is replaced.

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderValue, Method};
use tracing::Instrument;

use crate::App;
use crate::actor::ClientAddress;
use crate::guard::Caller;

/// The header it travels in.
pub const HEADER: &str = "x-request-id";

tokio::task_local! {
    static CURRENT: String;
}

/// The id of the request at hand; `-` outside of one.
pub fn current() -> String {
    CURRENT.try_with(Clone::clone).unwrap_or_else(|_| "-".to_owned())
}

/// Runs work under an id of its own, such as a task that outlives its request.
pub(crate) async fn within<T>(id: String, work: impl Future<Output = T>) -> T {
    CURRENT.scope(id, work).await
}

fn acceptable(id: &str) -> bool {
    !id.is_empty()
        && id.len() <= 128
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
}

/// A method as a metric names it. Anybody may send a method of their own, and a label that is counted once is kept for good.
fn label(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}

/// What stands in a log of a text that a caller chose: its first 512 characters, those that steer a terminal escaped.
pub(crate) fn loggable(text: &str) -> String {
    let mut shown = String::new();
    for character in text.chars().take(512) {
        match character.is_control() {
            true => shown.extend(character.escape_default()),
            false => shown.push(character),
        }
    }
    shown
}

/// Gives every request an id, a log span and a line in the log when it is answered.
pub async fn follow(State(app): State<App>, request: Request, next: Next) -> Response {
    let given = request.headers().get(HEADER).and_then(|value| value.to_str().ok());
    let id = match given.filter(|id| acceptable(id)) {
        Some(id) => id.to_owned(),
        None => app.clock.mint::<uuid::Uuid>().simple().to_string(),
    };
    let (method, path) = (label(request.method()), loggable(request.uri().path()));
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0);
    let address = ClientAddress::of(request.headers(), peer, app.settings.proxies).0;
    let address = address.map_or("-".to_owned(), |address| address.to_string());
    let span = tracing::info_span!("request", id = %id);
    let begun = std::time::Instant::now();
    let mut response = CURRENT.scope(id.clone(), next.run(request).instrument(span)).await;
    let (status, took) = (response.status().as_u16(), begun.elapsed());
    let took_ms = took.as_secs_f64() * 1e3;
    let user = response.extensions().get::<Caller>().map_or("-".to_owned(), |caller| caller.0.to_string());
    tracing::info!(request_id = %id, user, address, method, path, status, took_ms, "answered");
    metrics::counter!("planwright_http_requests_total", "method" => method, "status" => status.to_string())
        .increment(1);
    metrics::histogram!("planwright_http_request_seconds").record(took.as_secs_f64());
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(HEADER, value);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_that_nobody_knows_has_one_label_whatever_it_is_called() {
        assert_eq!(label(&Method::PATCH), "PATCH");
        let long = "A".repeat(200_000);
        assert_eq!(label(&Method::from_bytes(long.as_bytes()).unwrap()), "other");
        assert_eq!(label(&Method::TRACE), "other");
    }

    #[test]
    fn a_log_line_is_short_and_steers_no_terminal() {
        assert_eq!(loggable("/api/\u{1b}[2J\u{9b}x"), "/api/\\u{1b}[2J\\u{9b}x");
        assert_eq!(loggable(&"é".repeat(1000)).chars().count(), 512);
        assert_eq!(loggable("/größe/"), "/größe/");
    }
}
