//! Runs a request again when the database gave its transaction up so that another could go on.
//! It stands next to the handler, so limits and replays count the request once; nothing was written by the tries before.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::Retryable;
use crate::{ApiError, request_id};

/// Tries at most; whoever made way three times waits behind something longer than another try.
const TRIES: u32 = 4;
/// The wait before the second try; before each further one it is twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(10);

/// Runs a request until its transaction does not have to make way.
pub(crate) async fn run(request: Request, next: Next) -> Response {
    if request.method().is_safe() {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    // The guard has read and bounded it already.
    let body = match to_bytes(body, usize::MAX).await {
        Ok(body) => body,
        Err(error) => return ApiError::unexpected(error.into()).into_response(),
    };
    let mut wait = FIRST_WAIT;
    for _ in 1..TRIES {
        let request = Request::from_parts(parts.clone(), Body::from(body.clone()));
        let response = next.clone().run(request).await;
        if response.extensions().get::<Retryable>().is_none() {
            return response;
        }
        tracing::info!(request_id = %request_id::current(), path = request_id::loggable(parts.uri.path()), "a request is run again after a conflict");
        metrics::counter!("planwright_request_retries_total").increment(1);
        tokio::time::sleep(wait).await;
        wait *= 2;
    }
    next.run(Request::from_parts(parts, Body::from(body))).await
}
