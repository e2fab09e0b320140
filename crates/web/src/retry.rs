//! Runs a request again if the database rolled its transaction back in favour of another one. It is next to the
//! handler, so limits and idempotency keys count the request once. The attempts before have written nothing.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::Retryable;
use crate::guard::Streamed;
use crate::{ApiError, request_id};

/// The maximum number of attempts. After three rollbacks another attempt would not help.
const TRIES: u32 = 4;
/// The wait before the second attempt. It doubles before each further one.
const FIRST_WAIT: Duration = Duration::from_millis(10);

/// Runs a request until its transaction is not rolled back in favour of another one.
pub(crate) async fn run(request: Request, next: Next) -> Response {
    if request.method().is_safe() || request.extensions().get::<Streamed>().is_some() {
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
        tracing::info!(request_id = %request_id::current(), path = crate::request_log::loggable_path(parts.uri.path()), "a request is run again after a conflict");
        metrics::counter!("planwright_request_retries_total").increment(1);
        tokio::time::sleep(wait).await;
        wait *= 2;
    }
    next.run(Request::from_parts(parts, Body::from(body))).await
}
