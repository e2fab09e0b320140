//! The log line and the metrics of every answered request. An unexpected error is logged where it happens, with the
//! same id.

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderValue, Method};
use tracing::{Instrument, field};

use crate::actor::{Caller, ClientAddress};
use crate::{App, request_id};

/// The label of a method in metrics. Callers can send any method, and a metric keeps every label forever.
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

/// The label of addresses without a route in metrics.
const NO_ROUTE: &str = "unmatched";

/// The route of a request as in the table, with names instead of ids and without the final slash.
fn route(request: &Request) -> String {
    let Some(matched) = request.extensions().get::<MatchedPath>() else { return NO_ROUTE.to_owned() };
    match matched.as_str().trim_end_matches('/') {
        "" => "/".to_owned(),
        path => path.to_owned(),
    }
}

/// Paths below which an address contains a secret: links of mails, signed addresses of files, public links, calendar feeds.
const SECRET: [&str; 7] = [
    "/reset-password/",
    "/files/",
    "/unsubscribe/",
    "/share/",
    "/calendar/",
    "/api/v1/share/board/",
    "/api/v1/share/schedule/",
];

/// A piece of an address that is this long and no id is not logged.
const SHORTEST_TOKEN: usize = 32;

/// The address of a request without secrets.
pub(crate) fn loggable_path(path: &str) -> String {
    match SECRET.iter().find(|secret| path.starts_with(**secret)) {
        Some(secret) => format!("{secret}…"),
        None => {
            let pieces: Vec<&str> =
                path.split('/').map(|piece| if is_like_a_token(piece) { "…" } else { piece }).collect();
            request_id::loggable(&pieces.join("/"))
        }
    }
}

/// Whether a piece of an address may be a secret: people and programs write addresses with secrets in other ways as well.
fn is_like_a_token(piece: &str) -> bool {
    let is_sign = |sign: u8| sign.is_ascii_alphanumeric() || b"-_.~%=".contains(&sign);
    piece.len() >= SHORTEST_TOKEN && piece.bytes().all(is_sign) && uuid::Uuid::try_parse(piece).is_err()
}

/// Gives every request an id, a log span and a log line when it is answered.
pub async fn follow(State(app): State<App>, request: Request, next: Next) -> Response {
    let id = match request_id::given(request.headers()) {
        Some(id) => id.to_owned(),
        None => app.clock.mint::<uuid::Uuid>().simple().to_string(),
    };
    let (method, path) = (label(request.method()), loggable_path(request.uri().path()));
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0);
    let address = ClientAddress::of(request.headers(), peer, app.settings.proxies).0;
    let address = address.map_or("-".to_owned(), |address| address.to_string());
    let route = route(&request);
    // Every line that is written while the request runs has these; the guard adds the person.
    let span = tracing::info_span!("request", id = %id, %address, method, %route, user = field::Empty);
    let begun = std::time::Instant::now();
    let mut response = request_id::within(id.clone(), next.run(request).instrument(span)).await;
    let (status, took) = (response.status().as_u16(), begun.elapsed());
    let took_ms = took.as_secs_f64() * 1e3;
    let user = response.extensions().get::<Caller>().map_or("-".to_owned(), |caller| caller.0.to_string());
    tracing::info!(request_id = %id, user, address, method, route, path, status, took_ms, "answered");
    metrics::counter!("planwright_http_requests_total", "method" => method, "status" => status.to_string())
        .increment(1);
    metrics::histogram!("planwright_http_request_seconds", "method" => method, "route" => route)
        .record(took.as_secs_f64());
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(request_id::HEADER, value);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_secret_of_a_reset_link_is_not_logged() {
        assert_eq!(loggable_path("/reset-password/confirm/1/secret/"), "/reset-password/…");
        assert_eq!(loggable_path("/api/v1/share/board/secret/"), "/api/v1/share/board/…");
        assert_eq!(loggable_path("/share/schedule/secret"), "/share/…");
        assert_eq!(loggable_path("/calendar/secret.ics"), "/calendar/…");
        assert_eq!(loggable_path("/api/v1/tasks/"), "/api/v1/tasks/");
        let token = "4oNT_OUxQlwAZp7Qea0stVVsZLFaaXFctb1mgzl_-1U";
        assert_eq!(loggable_path(&format!("//share/board/{token}")), "//share/board/…");
        assert_eq!(loggable_path(&format!("/Share/board/{token}/x")), "/Share/board/…/x");
        let task = "/api/v1/tasks/0197a000-0000-7000-8000-00000000000a/";
        assert_eq!(loggable_path(task), task);
    }

    #[test]
    fn a_method_that_nobody_knows_has_one_label_whatever_it_is_called() {
        assert_eq!(label(&Method::PATCH), "PATCH");
        let long = "A".repeat(200_000);
        assert_eq!(label(&Method::from_bytes(long.as_bytes()).unwrap()), "other");
        assert_eq!(label(&Method::TRACE), "other");
    }
}
