//! `Idempotency-Key`: a repeated write gets the first answer and changes nothing (decisions, Phase of a request). A
//! key belongs to one person, one method, one path and one body.

use std::collections::BTreeMap;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderName, HeaderValue, StatusCode};
use planwright_domain::ids::UserId;
use planwright_store::{Read, StoreError, row, sql};

use crate::actor::Credential;
use crate::replayable::IDEMPOTENT_REPLAY;
use crate::{Actor, ApiError, ApiResult, App, request_id};

/// How long a key is stored, in hours.
pub const RETENTION_HOURS: i64 = 24;

/// After this time, a request without an answer counts as ended by a crash of its node.
const LONGEST_RUN_MINUTES: i64 = 10;
const MAX_KEY_CHARACTERS: usize = 255;
/// The maximum size of a stored answer. The answer of a batch of five hundred rows is larger than a megabyte.
const MAX_KEPT_BYTES: usize = 16 * 1024 * 1024;
/// The size that is counted for a key in addition to the body of its answer.
const BYTES_OF_A_KEY: i64 = 1024;
/// The time until a full store is checked again. Old keys are deleted once an hour.
const FULL_SECONDS: u64 = 3600;
const KEPT_HEADERS: [&str; 3] = ["content-type", "location", "etag"];

row! {
    struct Kept { fingerprint: String, status: Option<i64>, headers: Option<String>, body: Option<String> }
}

/// Runs a write once for its key, and answers repetitions with the stored answer.
///
/// The write runs in its own task. If the caller closes the connection, it still finishes and its answer is stored.
pub async fn once(
    app: &App,
    actor: &Actor,
    request: Request,
    body: &Bytes,
    next: Next,
) -> ApiResult<Response> {
    let Some(key) = key_of(&request)? else { return Ok(next.run(request).await) };
    // Several machines stand for one person. Each has keys of its own.
    let key = match actor.credential {
        Credential::ContainerToken { id, .. } => format!("{key}\n{id}"),
        _ => key,
    };
    let fingerprint = fingerprint(app, &request, body);
    let (app, user) = (app.clone(), actor.id);
    let id = request_id::current();
    let work = async move {
        if let Some(kept) = reserve(&app, user, &key, &fingerprint).await? {
            return replay(kept, &fingerprint);
        }
        let ran = tokio::spawn(request_id::within(request_id::current(), next.run(request))).await;
        match ran {
            Ok(response) => settle(&app, user, &key, response).await,
            Err(panic) => {
                forget(&app, user, &key).await?;
                Err(ApiError::unexpected(anyhow::anyhow!("a handler panicked: {panic}")))
            }
        }
    };
    tokio::spawn(request_id::within(id, work))
        .await
        .unwrap_or_else(|error| Err(ApiError::unexpected(error.into())))
}

/// Stores an answer for repetitions, or frees the key if the answer must not be stored.
async fn settle(app: &App, user: UserId, key: &str, response: Response) -> ApiResult<Response> {
    let (parts, body) = response.into_parts();
    let bytes = match to_bytes(body, usize::MAX).await {
        Ok(bytes) => bytes,
        Err(error) => {
            forget(app, user, key).await?;
            return Err(ApiError::unexpected(error.into()));
        }
    };
    let text = std::str::from_utf8(&bytes).ok().filter(|text| text.len() <= MAX_KEPT_BYTES);
    let worth_keeping = !parts.status.is_server_error() && parts.status != StatusCode::TOO_MANY_REQUESTS;
    match text.filter(|_| worth_keeping) {
        Some(text) => keep(app, user, key, &parts, text).await?,
        None => forget(app, user, key).await?,
    }
    Ok(Response::from_parts(parts, Body::from(bytes)))
}

fn key_of(request: &Request) -> ApiResult<Option<String>> {
    let Some(header) = request.headers().get("idempotency-key") else { return Ok(None) };
    let key = header.to_str().unwrap_or_default().trim();
    if key.is_empty() || key.chars().count() > MAX_KEY_CHARACTERS {
        return Err(ApiError::bad_request("Idempotency-Key must have 1 to 255 visible characters."));
    }
    Ok(Some(key.to_owned()))
}

/// A keyed hash of a body. A body may contain a password, so it must not be possible to guess it from the hash.
fn fingerprint(app: &App, request: &Request, body: &Bytes) -> String {
    // Both slash forms are one route.
    let path = request.uri().path().trim_end_matches('/');
    let query = request.uri().query().unwrap_or_default();
    let parts = [request.method().as_str(), path, query].map(|part| [part.as_bytes(), &[0]].concat());
    app.sealer.fingerprint("replay", &[&parts.concat()[..], body].concat())
}

/// Claims the key for this request, or returns the result of an earlier one.
async fn reserve(app: &App, user: UserId, key: &str, fingerprint: &str) -> ApiResult<Option<Kept>> {
    let mut tx = app.db.begin().await?;
    let oldest = tx.now() - chrono::Duration::hours(RETENTION_HOURS);
    let abandoned = tx.now() - chrono::Duration::minutes(LONGEST_RUN_MINUTES);
    tx.run(sql!(
        "DELETE FROM idempotency_keys WHERE user_id = :user AND key = :key
            AND (created_at < :oldest OR (status IS NULL AND created_at < :abandoned))",
        user = user,
        key = key,
        oldest = oldest,
        abandoned = abandoned
    ))
    .await?;
    if is_full(&tx, user, app.settings.most_replay_bytes).await? {
        let kept = kept(&tx, user, key).await?;
        let full = || ApiError::throttled(FULL_SECONDS).with_code("idempotency_budget_spent");
        return kept.map(Some).ok_or_else(full);
    }
    let insert = sql!(
        "INSERT INTO idempotency_keys (user_id, key, fingerprint, created_at) VALUES (:user, :key, :print, :now)",
        user = user,
        key = key,
        print = fingerprint,
        now = tx.now()
    );
    match tx.run(insert).await {
        Ok(_) => {
            tx.commit().await?;
            Ok(None)
        }
        Err(StoreError::Duplicate(_)) => {
            drop(tx);
            let kept = kept(&app.db, user, key).await?;
            // Gone again already: the first request failed a moment ago, so this one may be sent once more.
            let busy = || ApiError::conflict("The first request with this Idempotency-Key is still running.");
            kept.map(Some).ok_or_else(busy)
        }
        Err(error) => Err(error.into()),
    }
}

async fn kept(db: &dyn Read, user: UserId, key: &str) -> Result<Option<Kept>, StoreError> {
    let select = "SELECT fingerprint, status, headers, body FROM idempotency_keys
                  WHERE user_id = :user AND key = :key";
    db.maybe(sql!(select, user = user, key = key)).await
}

/// Whether the stored answers of a person have reached the limit.
async fn is_full(db: &dyn Read, user: UserId, most: i64) -> Result<bool, StoreError> {
    let select = "SELECT kept_bytes FROM idempotency_use WHERE user_id = :user";
    let bytes: Option<i64> = db.scalar(sql!(select, user = user)).await?;
    Ok(bytes.unwrap_or(0) >= most)
}

fn replay(kept: Kept, fingerprint: &str) -> ApiResult<Response> {
    if kept.fingerprint != fingerprint {
        return Err(ApiError::unprocessable("This Idempotency-Key was used for a different request.")
            .with_code("idempotency_key_conflict"));
    }
    let Some(status) = kept.status.and_then(|status| StatusCode::from_u16(status as u16).ok()) else {
        return Err(ApiError::conflict("The first request with this Idempotency-Key is still running."));
    };
    let mut response = Response::new(Body::from(kept.body.unwrap_or_default()));
    *response.status_mut() = status;
    let headers: BTreeMap<String, String> =
        serde_json::from_str(kept.headers.as_deref().unwrap_or("{}")).unwrap_or_default();
    for (name, value) in headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            response.headers_mut().insert(name, value);
        }
    }
    response.headers_mut().insert(IDEMPOTENT_REPLAY, HeaderValue::from_static("true"));
    Ok(response)
}

async fn keep(
    app: &App,
    user: UserId,
    key: &str,
    parts: &http::response::Parts,
    body: &str,
) -> ApiResult<()> {
    let headers: BTreeMap<&str, &str> = KEPT_HEADERS
        .iter()
        .filter_map(|name| Some((*name, parts.headers.get(*name)?.to_str().ok()?)))
        .collect();
    let bytes = body.len() as i64 + BYTES_OF_A_KEY;
    let mut tx = app.db.begin().await?;
    tx.run(sql!(
        "UPDATE idempotency_keys SET status = :status, headers = :headers, body = :body, kept_bytes = :bytes
         WHERE user_id = :user AND key = :key",
        bytes = bytes,
        status = i64::from(parts.status.as_u16()),
        headers = serde_json::json!(headers),
        body = body,
        user = user,
        key = key
    ))
    .await?;
    tx.run(sql!(
        "INSERT INTO idempotency_use (user_id, kept_bytes) VALUES (:user, :bytes)
         ON CONFLICT (user_id) DO UPDATE SET kept_bytes = idempotency_use.kept_bytes + excluded.kept_bytes",
        user = user,
        bytes = bytes
    ))
    .await?;
    Ok(tx.commit().await?)
}

async fn forget(app: &App, user: UserId, key: &str) -> ApiResult<()> {
    let mut tx = app.db.begin().await?;
    tx.run(sql!("DELETE FROM idempotency_keys WHERE user_id = :user AND key = :key", user = user, key = key))
        .await?;
    Ok(tx.commit().await?)
}

/// Deletes expired keys and returns their number.
pub async fn sweep(app: &App) -> Result<u64, StoreError> {
    let mut tx = app.db.begin().await?;
    let oldest = tx.now() - chrono::Duration::hours(RETENTION_HOURS);
    let dropped =
        tx.run(sql!("DELETE FROM idempotency_keys WHERE created_at < :oldest", oldest = oldest)).await?;
    tx.run(sql!(
        "UPDATE idempotency_use SET kept_bytes =
            (SELECT COALESCE(CAST(SUM(k.kept_bytes) AS BIGINT), 0) FROM idempotency_keys k
             WHERE k.user_id = idempotency_use.user_id)"
    ))
    .await?;
    tx.commit().await?;
    Ok(dropped)
}
