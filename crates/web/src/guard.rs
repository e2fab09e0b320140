//! What stands before every handler: the credential, the limits, the size of the body and the replay of repeated requests.
//! Which of them apply is read from the rules of the route.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::RequestExt;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{ConnectInfo, RawPathParams, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, Method};
use serde_json::json;

use crate::actor::{self, Actor, ClientAddress, Credential};
use crate::body::submitted_text;
use crate::limiter::{Bucket, Standing, Verdict};
use crate::limits::{Limit, OnOutage, Per};
use crate::routes::Rules;
use crate::{ApiError, ApiResult, App, idempotency, token};

/// The guard of one route.
#[derive(Clone)]
pub(crate) struct Gate {
    /// The program.
    pub(crate) app: App,
    /// What holds for the route.
    pub(crate) rules: Arc<Rules>,
}

/// Lets a request through to its handler, or answers in its place.
pub(crate) async fn stand(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    match pass(&gate, request, next).await {
        Ok(response) => response,
        Err(error) => error.into_response(),
    }
}

async fn pass(gate: &Gate, mut request: Request, next: Next) -> ApiResult<Response> {
    let Gate { app, rules } = gate;
    let actor = match rules.public {
        true => None,
        false => actor::authenticate(app, request.headers()).await?,
    };
    if !rules.public && actor.is_none() {
        let counted = count(app, rules, &[Limit::Anon], &mut request, None, &Bytes::new()).await?;
        let refusal = ApiError::unauthenticated("Authentication credentials were not provided.");
        return Ok(with_rate_headers(refusal.into_response(), &counted));
    }
    if let Some(actor) = &actor {
        check_credential(app, rules, actor, request.method())?;
    }
    let body = buffer(app, rules, &mut request).await?;
    let limits = limits_of(rules, actor.as_ref());
    let counted = count(app, rules, &limits, &mut request, actor.as_ref(), &body).await?;
    let replayable = actor.as_ref().filter(|_| !rules.returns_secret && is_unsafe(request.method())).cloned();
    if let Some(actor) = actor {
        request.extensions_mut().insert(actor);
    }
    let response = match replayable {
        Some(actor) => idempotency::once(app, &actor, request, &body, next).await?,
        None => next.run(request).await,
    };
    Ok(with_rate_headers(response, &counted))
}

fn is_unsafe(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

fn refused(detail: &str, reason: &str, constraint: &str) -> ApiError {
    let refusal = json!({ "verdict": "refused", "reason": reason, "constraint": constraint });
    ApiError::forbidden(detail).with("refusal", refusal)
}

fn check_credential(app: &App, rules: &Rules, actor: &Actor, method: &Method) -> ApiResult<()> {
    if rules.session_only && actor.credential != Credential::Session {
        return Err(refused("API tokens cannot be used here.", "identity", "token_identity"));
    }
    if !matches!(actor.credential, Credential::AgentToken(_)) {
        return Ok(());
    }
    if !app.settings.mcp_enabled {
        return Err(refused("Agent access is switched off on this server.", "policy", "capability_scope"));
    }
    if is_unsafe(method) || !rules.agent_surface {
        return Err(refused("This token may only read the agent surface.", "policy", "capability_scope"));
    }
    Ok(())
}

/// The body is read whole before the handler runs: limits, replays and parsers all need it, and its size is bounded.
async fn buffer(app: &App, rules: &Rules, request: &mut Request) -> ApiResult<Bytes> {
    if !is_unsafe(request.method()) {
        return Ok(Bytes::new());
    }
    let most = rules.max_body_bytes.unwrap_or(app.settings.max_body_bytes);
    let body = std::mem::replace(request.body_mut(), Body::empty());
    let oversize = || match rules.oversize_is_invalid {
        true => ApiError::bad_request(format!("The document may have at most {most} bytes.")),
        false => ApiError::too_large(most),
    };
    let declared =
        request.headers().get(http::header::CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse().ok());
    if declared.is_some_and(|bytes: u64| bytes > most as u64) {
        return Err(oversize());
    }
    let bytes = to_bytes(body, most).await.map_err(|_| oversize())?;
    *request.body_mut() = Body::from(bytes.clone());
    Ok(bytes)
}

fn limits_of(rules: &Rules, actor: Option<&Actor>) -> Vec<Limit> {
    let default = if actor.is_some() { Limit::User } else { Limit::Anon };
    let mut limits = rules.limits.clone();
    if limits.iter().all(|limit| limit.row().stacks_on_default) {
        limits.insert(0, default);
    }
    if actor.is_some_and(|actor| matches!(actor.credential, Credential::AgentToken(_))) {
        limits.push(Limit::McpRead);
        if rules.agent_compute {
            limits.push(Limit::McpReadCompute);
        }
    }
    limits
}

type Counted = Vec<(crate::limits::Row, Standing)>;

async fn count(
    app: &App,
    rules: &Rules,
    limits: &[Limit],
    request: &mut Request,
    actor: Option<&Actor>,
    body: &Bytes,
) -> ApiResult<Counted> {
    if rules.unlimited || app.rates.off {
        return Ok(Vec::new());
    }
    let mut buckets = Vec::with_capacity(limits.len());
    for limit in limits {
        let row = app.rates.row(*limit);
        if let Some(who) = counted_by(app, row.per, request, actor, body).await {
            buckets.push(Bucket { row, key: format!("{}:{who}", row.name) });
        }
    }
    match app.limiter.take(&buckets, app.clock.now()).await {
        Ok(Verdict::Accepted(standings)) => {
            Ok(buckets.iter().map(|bucket| bucket.row).zip(standings).collect())
        }
        Ok(Verdict::Refused(seconds)) => {
            metrics::counter!("planwright_throttled_total", "scope" => buckets.last().map_or("", |b| b.row.name))
                .increment(1);
            Err(ApiError::throttled(seconds).with_rates(rates_of_refusal(&buckets, seconds)))
        }
        Err(error) => {
            tracing::warn!(%error, "the rate limits cannot be counted");
            match buckets.iter().any(|bucket| bucket.row.on_outage == OnOutage::Closed) {
                true => Err(ApiError::throttled(60)),
                false => Ok(Vec::new()),
            }
        }
    }
}

async fn counted_by(
    app: &App,
    per: Per,
    request: &mut Request,
    actor: Option<&Actor>,
    body: &Bytes,
) -> Option<String> {
    let address = |request: &Request| {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0);
        ClientAddress::of(request.headers(), peer, app.settings.proxies)
            .0
            .map_or("unknown".into(), |a| a.to_string())
    };
    let account = actor.map(|actor| actor.id.to_string());
    match per {
        Per::Address => Some(address(request)),
        Per::Account | Per::Caller => Some(account.unwrap_or_else(|| address(request))),
        Per::Token => {
            actor.and_then(|actor| actor.credential.token()).map(|token| token.to_string()).or(account)
        }
        Per::SubmittedName => {
            let name = submitted_text(request.headers(), body, "username")?;
            Some(token::hash(&name.trim().to_lowercase()))
        }
        Per::Project | Per::ProjectAndAccount => {
            let parameters = request.extract_parts::<RawPathParams>().await.ok()?;
            let (_, project) = parameters.iter().next()?;
            match per {
                Per::Project => Some(project.to_owned()),
                _ => Some(format!("{project}:{}", account?)),
            }
        }
    }
}

/// A refused request has used up one of its limits; which one, only the wait tells.
fn rates_of_refusal(buckets: &[Bucket], seconds: u64) -> (String, String) {
    let policies: Vec<String> = buckets.iter().map(|bucket| policy(&bucket.row)).collect();
    let name = buckets.last().map_or("", |bucket| bucket.row.name);
    (format!("\"{name}\";r=0;t={seconds}"), policies.join(", "))
}

fn policy(row: &crate::limits::Row) -> String {
    format!("\"{}\";q={};w={}", row.name, row.most, row.window_seconds)
}

/// The standing of the limit that is nearest to its end, in the headers of the IETF draft.
fn with_rate_headers(mut response: Response, counted: &Counted) -> Response {
    let policies: Vec<String> = counted.iter().map(|(row, _)| policy(row)).collect();
    let nearest = counted.iter().min_by_key(|(_, standing)| standing.remaining);
    if let Some((row, standing)) = nearest {
        let value = format!("\"{}\";r={};t={}", row.name, standing.remaining, standing.reset_seconds);
        if let (Ok(value), Ok(policy)) =
            (HeaderValue::from_str(&value), HeaderValue::from_str(&policies.join(", ")))
        {
            response.headers_mut().insert("ratelimit", value);
            response.headers_mut().insert("ratelimit-policy", policy);
        }
    }
    response
}
