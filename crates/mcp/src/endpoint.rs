//! The endpoint `/mcp`: streamable HTTP without sessions. Who comes without a good token is refused before anything else.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use http::HeaderValue;
use http::header::{CACHE_CONTROL, WWW_AUTHENTICATE};
use planwright_web::library_answer::{in_json, says_json};
use planwright_web::limits::Limit;
use planwright_web::{ApiError, App, actor, switched_off, under_general_limit};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value as Json, json};
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

/// Who comes in. Refusals are counted, or guessing a token would cost nothing; messages are under
/// the general limit of the caller, and the reads of tools are counted by their routes as well.
#[derive(Clone)]
struct Admission {
    app: App,
    refusals: Router,
}

async fn admit(State(at): State<Admission>, request: Request, next: Next) -> Response {
    let caller = actor::authenticate(&at.app, request.headers()).await.ok().flatten();
    let Some(caller) = caller.filter(|_| at.app.settings.mcp_enabled) else {
        let Ok(refused) = at.refusals.oneshot(request).await;
        return refused;
    };
    let sent_json = says_json(request.headers());
    let answer = under_general_limit(&at.app, &caller, request, next).await;
    let mut response = in_json(sent_json, answer, not_read).await;
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// What a client of the protocol gets when its message cannot be read (JSON-RPC 2.0, section 5.1).
fn not_read(said: &str) -> Json {
    json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": said}})
}

/// The router that says why a credential is refused.
fn refusals(app: &App) -> Router {
    Router::new().fallback(refuse).with_state(app.clone())
}

async fn refuse(State(app): State<App>, request: Request) -> Response {
    let refusal = match actor::authenticate(&app, request.headers()).await {
        Ok(Some(actor)) => return switched_off(&app, &actor, "The tools of language models.", request).await,
        Ok(None) => ApiError::unauthenticated("Authentication credentials were not provided."),
        Err(refusal) => refusal,
    };
    let mut response = refusal.into_response();
    response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}
