//! The checks before every handler: credential, limits, size of the body, and the stored answers of idempotency keys.
//! The rules of the route say which of them apply.

use std::sync::Arc;

use axum::RequestExt;
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{RawPathParams, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use http::header::CACHE_CONTROL;
use http::{HeaderValue, Method};
use planwright_domain::ids::UserId;
use planwright_domain::sizes::size_in_words;
use planwright_store::sql;
use tokio::time::timeout;

use crate::actor::{self, Actor, Caller, ClientAddress, Credential, peer_of, refused};
use crate::agent_log::{self, AgentRequest};
use crate::body::{media_type, submitted_text};
use crate::edge::Incompressible;
use crate::limiter::{Bucket, Standing, Verdict};
use crate::limits::{Limit, OnOutage, Per};
use crate::rules::Rules;
use crate::{ApiError, ApiResult, App, assurance, idempotency, machine};

/// The guard of one route.
#[derive(Clone)]
pub(crate) struct Gate {
    /// The program.
    pub(crate) app: App,
    /// The rules of the route.
    pub(crate) rules: Arc<Rules>,
}

/// Passes a request to its handler, or answers instead of it.
pub(crate) async fn stand(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    match pass(&gate, request, next).await {
        Ok(response) => response,
        Err(error) => error.into_response(),
    }
}

/// Counts and answers a request without a route.
pub(crate) async fn turn_away(app: &App, mut request: Request, refusal: ApiError) -> Response {
    let rules = Rules::default().public();
    match refuse(app, &rules, &[Limit::Unmatched], &mut request, None, refusal).await {
        Ok(response) => response,
        Err(throttled) => throttled.into_response(),
    }
}

/// Adds a limit to routes that are not in the table.
pub fn limited(router: Router, app: App, limit: Limit) -> Router {
    let gate = Gate { app, rules: Rules::default().public().limit(limit).into() };
    router.layer(middleware::from_fn_with_state(gate, stand))
}

async fn pass(gate: &Gate, mut request: Request, next: Next) -> ApiResult<Response> {
    let Gate { app, rules } = gate;
    if rules.acts_on_get && request.method() == Method::HEAD {
        let refusal = ApiError::method_not_allowed(request.method());
        return refuse(app, rules, &rules.limits, &mut request, None, refusal).await;
    }
    let actor = match credential(app, rules, &mut request).await {
        Ok(actor) => actor,
        // A wrong credential is counted like none at all, or guessing one would cost nothing.
        Err(refusal) => return refuse(app, rules, &[Limit::Anon], &mut request, None, refusal).await,
    };
    let limits = limits_of(rules, actor.as_ref());
    let body = match buffer(app, rules, &mut request).await {
        Ok(body) => body,
        Err(refusal) => return refuse(app, rules, &limits, &mut request, actor.as_ref(), refusal).await,
    };
    let counted = count(app, rules, &limits, &mut request, actor.as_ref(), &body).await?;
    let asked = match &actor {
        Some(actor) => agent_log::asked(app, actor, rules.summary, &mut request).await,
        None => None,
    };
    if let Some(actor) = &actor
        && let Err(refusal) = check_credential(app, rules, actor, request.method()).await
    {
        return reported(app, asked, with_rate_headers(refusal.into_response(), &counted)).await;
    }
    let replayable = actor
        .as_ref()
        .filter(|_| !rules.returns_secret && !is_streamed(rules, &request) && is_unsafe(request.method()))
        .cloned();
    let actor_id = actor.as_ref().map(|actor| actor.id);
    if let Some(actor) = actor {
        tracing::Span::current().record("user", tracing::field::display(actor.id));
        request.extensions_mut().insert(actor);
    }
    let (is_private, returns_secret) = (!rules.public, rules.returns_secret);
    let user = actor_id;
    let response = match replayable {
        Some(actor) => idempotency::once(app, &actor, request, &body, next).await?,
        None => next.run(request).await,
    };
    let mut response = response_for(user, is_private, response);
    if returns_secret {
        response.extensions_mut().insert(Incompressible);
    }
    reported(app, asked, with_rate_headers(response, &counted)).await
}

/// Goes on with a request outside the table of routes, under the general limit of its caller.
pub async fn under_general_limit(app: &App, actor: &Actor, mut request: Request, next: Next) -> Response {
    let rules = Rules::default();
    match count(app, &rules, &[Limit::User], &mut request, Some(actor), &Bytes::new()).await {
        Ok(counted) => with_rate_headers(next.run(request).await, &counted),
        Err(refusal) => refusal.into_response(),
    }
}

/// The answer to everybody while access for agents is switched off, for ways in that only they use. It is recorded for an agent.
pub async fn switched_off(app: &App, actor: &Actor, summary: &str, mut request: Request) -> Response {
    let asked = agent_log::asked(app, actor, summary, &mut request).await;
    let answer = refused("Access for agents is switched off.", "policy", "capability_scope").into_response();
    reported(app, asked, answer).await.into_response()
}

/// The answer to an agent once it is recorded; that to anybody else as it is.
async fn reported(app: &App, asked: Option<AgentRequest>, response: Response) -> ApiResult<Response> {
    if let Some(asked) = asked {
        let refusal = agent_log::refusal_of(&response);
        agent_log::report(app, asked, refusal).await?;
    }
    Ok(response)
}

/// Who shows the credential that the route asks for. `None` where it asks for none.
async fn credential(app: &App, rules: &Rules, request: &mut Request) -> ApiResult<Option<Actor>> {
    if rules.public {
        return Ok(None);
    }
    let shown = match rules.for_machines {
        true => {
            let project = first_id(request).await;
            machine::authenticate(app, request.headers(), project).await?
        }
        false => actor::authenticate(app, request.headers()).await?,
    };
    let missing = || ApiError::unauthenticated("Authentication credentials were not provided.");
    shown.map(Some).ok_or_else(missing)
}

/// The first id of the path.
async fn first_id(request: &mut Request) -> Option<uuid::Uuid> {
    let parameters = request.extract_parts::<RawPathParams>().await.ok()?;
    let (_, id) = parameters.iter().next()?;
    uuid::Uuid::try_parse(id).ok()
}

/// Answers to a person are not cached unless the route allows it. The log line names the person.
fn response_for(user: Option<UserId>, is_private: bool, mut response: Response) -> Response {
    if is_private {
        response.headers_mut().entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    if let Some(user) = user {
        response.extensions_mut().insert(Caller(user));
    }
    response
}

/// Counts a request that is refused, and adds the state of its limits to the answer.
async fn refuse(
    app: &App,
    rules: &Rules,
    limits: &[Limit],
    request: &mut Request,
    actor: Option<&Actor>,
    refusal: ApiError,
) -> ApiResult<Response> {
    let counted = count(app, rules, limits, request, actor, &Bytes::new()).await?;
    Ok(with_rate_headers(refusal.into_response(), &counted))
}

fn is_unsafe(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

async fn check_credential(app: &App, rules: &Rules, actor: &Actor, method: &Method) -> ApiResult<()> {
    if rules.session_only && actor.credential.session().is_none() {
        return Err(refused("API tokens cannot be used here.", "identity", "token_identity"));
    }
    if rules.members_only && actor.is_guest {
        return Err(ApiError::forbidden("Guests of the workspace may not do this."));
    }
    if let Some(refusal) = assurance::refusal(rules, actor, app.clock.now()) {
        return Err(refusal);
    }
    if !actor.is_agent() {
        return Ok(());
    }
    let consent = app.settings.mcp_enabled && workspace_consents(app).await?;
    if !consent {
        return Err(refused("Access for agents is switched off.", "policy", "capability_scope"));
    }
    if is_unsafe(method) || !rules.agent_surface {
        return Err(refused("This token may only use the routes for agents.", "policy", "capability_scope"));
    }
    Ok(())
}

async fn workspace_consents(app: &App) -> ApiResult<bool> {
    let consent = app.db.scalar(sql!("SELECT mcp_enabled FROM workspace WHERE id = 1")).await?;
    Ok(consent.unwrap_or(true))
}

/// Marks a request whose body was not read yet.
#[derive(Clone, Copy)]
pub(crate) struct Streamed;

/// Reads the whole body before the handler runs. Limits, idempotency keys and parsers need it, and its size is
/// limited.
async fn buffer(app: &App, rules: &Rules, request: &mut Request) -> ApiResult<Bytes> {
    if !is_unsafe(request.method()) {
        return Ok(Bytes::new());
    }
    let is_streamed = is_streamed(rules, request);
    // Where files are streamed, only a form is as large as they are.
    let most = rules.max_body_bytes.filter(|_| is_streamed || !rules.streamed);
    let most = most.unwrap_or(app.settings.max_body_bytes);
    let body = std::mem::replace(request.body_mut(), Body::empty());
    let oversize = || match rules.oversize_is_invalid {
        true => ApiError::bad_request(format!("The file may have at most {}.", size_in_words(most))),
        false => match rules.oversize_of_file {
            Some(message) => ApiError::too_large(most).with("file", message),
            None => ApiError::too_large(most),
        },
    };
    let declared =
        request.headers().get(http::header::CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse().ok());
    if declared.is_some_and(|bytes: u64| bytes > most as u64) {
        return Err(oversize());
    }
    if is_streamed {
        request.extensions_mut().insert(Streamed);
        *request.body_mut() = Body::new(http_body_util::Limited::new(body, most));
        return Ok(Bytes::new());
    }
    let bytes = timeout(app.settings.body_deadline, to_bytes(body, most)).await;
    let bytes = bytes.map_err(|_| ApiError::too_slow())?.map_err(|_| oversize())?;
    *request.body_mut() = Body::from(bytes.clone());
    Ok(bytes)
}

/// Whether the body is read piece by piece by its handler: a form, on a route that takes large files.
fn is_streamed(rules: &Rules, request: &Request) -> bool {
    rules.streamed && media_type(request) == "multipart/form-data"
}

fn limits_of(rules: &Rules, actor: Option<&Actor>) -> Vec<Limit> {
    let default = if actor.is_some() { Limit::User } else { Limit::Anon };
    let is_agent = actor.is_some_and(Actor::is_agent);
    let is_new =
        matches!(actor, Some(Actor { credential: Credential::ContainerToken { is_new: true, .. }, .. }));
    let mut limits = rules.limits.clone();
    if is_new {
        limits.iter_mut().for_each(|limit| *limit = limit.of_new_token());
    }
    if limits.iter().all(|limit| limit.row().stacks_on_default) && !(is_agent && rules.agent_surface) {
        limits.insert(0, default);
    }
    if is_agent {
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
    take(app, &buckets).await
}

/// Counts a request that only its handler can count, because the guard does not know whom it counts for. `who` is the caller
/// or the place in the words of the limit.
///
/// # Errors
/// 429 above the limit.
pub async fn count_in_handler(app: &App, limit: Limit, who: &str) -> ApiResult<()> {
    if app.rates.off {
        return Ok(());
    }
    let row = app.rates.row(limit);
    take(app, &[Bucket { row, key: format!("{}:{who}", row.name) }]).await.map(drop)
}

async fn take(app: &App, buckets: &[Bucket]) -> ApiResult<Counted> {
    match app.limiter.take(buckets, app.clock.now()).await {
        Ok(Verdict::Accepted(standings)) => {
            Ok(buckets.iter().map(|bucket| bucket.row).zip(standings).collect())
        }
        Ok(Verdict::Refused { bucket, seconds }) => {
            let name = buckets.get(bucket).map_or("", |bucket| bucket.row.name);
            metrics::counter!("planwright_throttled_total", "scope" => name).increment(1);
            Err(ApiError::throttled(seconds).with_rates(rates_of_refusal(buckets, name, seconds)))
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
        ClientAddress::of(request.headers(), peer_of(request), app.settings.proxies).network()
    };
    let account = actor.map(|actor| actor.id.to_string());
    match per {
        Per::Address => Some(address(request)),
        Per::Account => Some(account.unwrap_or_else(|| address(request))),
        Per::Token => {
            actor.and_then(|actor| actor.credential.token()).map(|token| token.to_string()).or(account)
        }
        Per::SubmittedName => {
            let name = submitted_text(request.headers(), body, "username")?;
            Some(app.sealer.fingerprint("user name", name.trim().to_lowercase().as_bytes()))
        }
        Per::SubmittedEmail => {
            let address = submitted_text(request.headers(), body, "email")?;
            Some(app.sealer.fingerprint("address", address.trim().to_lowercase().as_bytes()))
        }
        Per::Project | Per::ProjectAndAccount => {
            // A project has many spellings in a path, and one counter.
            let project = first_id(request).await?;
            match per {
                Per::Project => Some(project.to_string()),
                _ => Some(format!("{project}:{}", account?)),
            }
        }
    }
}

/// The state of the limits for a refused request.
fn rates_of_refusal(buckets: &[Bucket], name: &str, seconds: u64) -> (String, String) {
    let policies: Vec<String> = buckets.iter().map(|bucket| bucket.row.policy()).collect();
    (format!("\"{name}\";r=0;t={seconds}"), policies.join(", "))
}

/// The state of the limit that is closest to its end, in the headers of the IETF draft. A handler that refused by a limit of
/// its own has named it already.
fn with_rate_headers(mut response: Response, counted: &Counted) -> Response {
    if response.headers().contains_key("ratelimit") {
        return response;
    }
    let policies: Vec<String> = counted.iter().map(|(row, _)| row.policy()).collect();
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
