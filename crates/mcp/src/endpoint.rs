//! The endpoint `/mcp`: streamable HTTP without sessions. Who comes without a good token is refused before anything else.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue};
use planwright_web::limits::Limit;
use planwright_web::{ApiError, App, actor};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tower::ServiceExt;

use crate::handler::Handler;

const PATH: &str = "/mcp";
const MOST_BYTES: usize = 256 * 1024;

/// A router with the endpoint beside its routes, which the tools read.
pub fn with_endpoint(router: Router, app: App) -> Router {
    let read = router.clone();
    let mut config = StreamableHttpServerConfig::default();
    config.legacy_session_mode = false;
    config.json_response = true;
    config.sse_keep_alive = Some(Duration::from_secs(15));
    config.max_request_body_bytes = MOST_BYTES;
    // Hosts are looked at before this, for all routes alike.
    config.allowed_hosts = Vec::new();
    let config = config.enforce_origin_validation();
    let service = StreamableHttpService::new(
        move || Ok(Handler::here(read.clone())),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    let admitted =
        Admission { app: app.clone(), refusals: planwright_web::limited(refusals(&app), app, Limit::Anon) };
    let endpoint = Router::new().route_service(PATH, service);
    router.merge(endpoint.layer(middleware::from_fn_with_state(admitted, admit)))
}

/// Who comes in. Refusals are counted, or guessing a token would cost nothing; the reads of tools are counted by their routes.
#[derive(Clone)]
struct Admission {
    app: App,
    refusals: Router,
}

async fn admit(State(at): State<Admission>, request: Request, next: Next) -> Response {
    if !at.app.settings.mcp_enabled
        || !matches!(actor::authenticate(&at.app, request.headers()).await, Ok(Some(_)))
    {
        let Ok(refused) = at.refusals.oneshot(request).await;
        return refused;
    }
    let mut response = next.run(request).await;
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The router that says why a credential is refused.
fn refusals(app: &App) -> Router {
    Router::new().fallback(refuse).with_state(app.clone())
}

async fn refuse(State(app): State<App>, headers: HeaderMap) -> Response {
    let refusal = match actor::authenticate(&app, &headers).await {
        Ok(Some(_)) => return ApiError::forbidden("Access for agents is switched off.").into_response(),
        Ok(None) => ApiError::unauthenticated("Authentication credentials were not provided."),
        Err(refusal) => refusal,
    };
    let mut response = refusal.into_response();
    response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}
