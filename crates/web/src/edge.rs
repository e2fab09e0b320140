//! The outermost layer of the router: request ids, security headers, cross-origin rules, panics as JSON. The rules of
//! single routes are in `guard.rs`.

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, header};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::compression::{CompressionLayer, CompressionLevel};
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

use crate::{ApiError, App, late_body, origin, request_log};

/// The content security policy of every answer that is not one of our pages: nothing may be loaded.
const STRICT_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

/// How long browsers use only HTTPS after an answer of an installation with HTTPS.
const A_YEAR: &str = "max-age=31536000";

/// The router with its outermost layers.
pub fn surround(router: Router, app: App) -> Router {
    let cors = cors(&app);
    router
        .layer(compression())
        .layer(cors)
        .layer(CatchPanicLayer::custom(answer_panic))
        .layer(middleware::from_fn(refuse_nul))
        .layer(middleware::from_fn(late_body::watch))
        .layer(middleware::from_fn_with_state(app.clone(), refuse_unknown_host))
        .layer(middleware::from_fn_with_state(app.clone(), security_headers))
        .layer(middleware::from_fn_with_state(app, request_log::follow))
}

/// A request with a NUL in its address is refused before any handler.
async fn refuse_nul(request: Request, next: Next) -> Response {
    match request.uri().to_string().contains("%00") {
        true => ApiError::bad_request("Null characters are not allowed.").into_response(),
        false => next.run(request).await,
    }
}

/// A request for an unknown host is refused before any handler. Browsers always send a host.
async fn refuse_unknown_host(State(app): State<App>, request: Request, next: Next) -> Response {
    let sent = request.headers().get(header::HOST).map(|host| host.to_str().unwrap_or_default());
    let host = request.uri().host().or(sent);
    if host.is_none_or(|host| origin::is_known_host(host, &app.settings)) {
        return next.run(request).await;
    }
    let detail = "This server does not accept this host name. Add it to SVC_PUBLIC_URL or SVC_ALLOWED_HOSTS.";
    ApiError::bad_request(detail).with_code("host_not_allowed").into_response()
}

async fn security_headers(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if app.settings.public_url.starts_with("https://") {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(A_YEAR));
    }
    let fixed = [(header::X_CONTENT_TYPE_OPTIONS, "nosniff"), (header::X_FRAME_OPTIONS, "DENY")];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::REFERRER_POLICY).or_insert(HeaderValue::from_static("same-origin"));
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(STRICT_POLICY));
    response
}

/// An answer with a secret is not compressed, because its length could reveal the secret (BREACH).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Incompressible;

/// Larger answers are compressed if the client accepts it. Streams and answers with secrets are not.
fn compression() -> CompressionLayer<impl Predicate> {
    let is_open = |_, _, _: &HeaderMap, extensions: &Extensions| extensions.get::<Incompressible>().is_none();
    let sizable = SizeAbove::new(1024).and(NotForContentType::new("text/event-stream")).and(is_open);
    CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(sizable)
}

fn cors(app: &App) -> CorsLayer {
    let origins: Vec<HeaderValue> =
        app.settings.cors_origins.iter().filter_map(|origin| origin.parse().ok()).collect();
    if origins.is_empty() {
        return CorsLayer::new();
    }
    let exposed =
        ["etag", "x-request-id", "ratelimit", "ratelimit-policy", "retry-after", "idempotent-replay"];
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_credentials(true)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(exposed.map(HeaderName::from_static))
}

fn answer_panic(panic: Box<dyn std::any::Any + Send>) -> Response {
    let text = panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_else(|| "a panic without words".to_owned());
    ApiError::unexpected(anyhow::anyhow!("a handler panicked: {text}")).into_response()
}
