//! The line in the log and the figures of every request that was answered.
//! What went wrong inside is logged where it happens, with the same id.

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderValue, Method};
use tracing::Instrument;

use crate::actor::{Caller, ClientAddress};
use crate::{App, request_id};

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

/// Gives every request an id, a log span and a line in the log when it is answered.
pub async fn follow(State(app): State<App>, request: Request, next: Next) -> Response {
    let id = match request_id::given(request.headers()) {
        Some(id) => id.to_owned(),
        None => app.clock.mint::<uuid::Uuid>().simple().to_string(),
    };
    let (method, path) = (label(request.method()), request_id::loggable(request.uri().path()));
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0);
    let address = ClientAddress::of(request.headers(), peer, app.settings.proxies).0;
    let address = address.map_or("-".to_owned(), |address| address.to_string());
    let span = tracing::info_span!("request", id = %id);
    let begun = std::time::Instant::now();
    let mut response = request_id::within(id.clone(), next.run(request).instrument(span)).await;
    let (status, took) = (response.status().as_u16(), begun.elapsed());
    let took_ms = took.as_secs_f64() * 1e3;
    let user = response.extensions().get::<Caller>().map_or("-".to_owned(), |caller| caller.0.to_string());
    tracing::info!(request_id = %id, user, address, method, path, status, took_ms, "answered");
    metrics::counter!("planwright_http_requests_total", "method" => method, "status" => status.to_string())
        .increment(1);
    metrics::histogram!("planwright_http_request_seconds").record(took.as_secs_f64());
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(request_id::HEADER, value);
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
}
