//! The only error type of the HTTP layer, with constructors that read as English. An unexpected error is logged once,
//! with the id of its request, and its cause is never shown to the caller.

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use planwright_domain::sizes::size_in_words;
use planwright_store::StoreError;
use serde_json::{Map, Value as Json, json};

use crate::agent_log::Refused;
use crate::limits::Row;
use crate::problem::{Problem, Problems};
use crate::request_id;

/// What a handler returns.
pub type ApiResult<T> = Result<T, ApiError>;

/// An answer that is not a success.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    body: Map<String, Json>,
    retry_after_seconds: Option<u64>,
    headers: Option<Box<HeaderMap>>,
    is_worth_another_try: bool,
    cause: Option<anyhow::Error>,
}

impl Problems {
    /// Fails when there are any.
    pub fn check(self) -> ApiResult<()> {
        if self.is_empty() { Ok(()) } else { Err(ApiError::invalid(self)) }
    }
}

impl ApiError {
    fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        let body = Map::from_iter([("detail".to_owned(), Json::String(detail.into()))]);
        Self {
            status,
            body,
            retry_after_seconds: None,
            headers: None,
            is_worth_another_try: false,
            cause: None,
        }
    }

    /// 400 with every failing field at once (decisions, Errors).
    pub fn invalid(problems: Problems) -> Self {
        let mut error = Self::new(StatusCode::BAD_REQUEST, "");
        error.body = problems.into_json();
        error
    }

    /// 400 for one field.
    pub fn invalid_field(field: &str, message: impl Into<String>) -> Self {
        let mut problems = Problems::default();
        problems.add(field, Problem::says(message));
        Self::invalid(problems)
    }

    /// 400 that concerns no single field.
    pub fn bad_request(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// 401: no credential, or a wrong one.
    pub fn unauthenticated(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, detail)
    }

    /// 402: more than this edition allows.
    pub fn payment_required(body: Map<String, Json>) -> Self {
        let mut error = Self::new(StatusCode::PAYMENT_REQUIRED, "");
        error.body = body;
        error
    }

    /// 403: a member whose role is too low.
    pub fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, detail)
    }

    /// 404: missing, deleted, or not visible for the caller. The text never says which.
    pub fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "Not found.")
    }

    /// 405: the path exists, but not with this method.
    pub fn method_not_allowed(method: &http::Method) -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, format!("Method \"{method}\" not allowed."))
    }

    /// 408: the body did not arrive in time.
    pub fn too_slow() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "The body of the request did not arrive in time.")
    }

    /// 409 without a stable code.
    pub fn conflict(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, detail)
    }

    /// 410: it existed and was removed permanently.
    pub fn gone(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::GONE, detail)
    }

    /// Whether it is a 401.
    pub fn is_unauthenticated(&self) -> bool {
        self.status() == StatusCode::UNAUTHORIZED.as_u16()
    }

    /// Whether it is a 409.
    pub fn is_conflict(&self) -> bool {
        self.status() == StatusCode::CONFLICT.as_u16()
    }

    /// 412: `If-Match` names another version.
    pub fn precondition_failed() -> Self {
        Self::new(StatusCode::PRECONDITION_FAILED, "The object has changed since this version.")
    }

    /// 413: the body is larger than allowed.
    pub fn too_large(limit_bytes: usize) -> Self {
        let text = format!("The body may have at most {}.", size_in_words(limit_bytes));
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, text)
    }

    /// 413: a file is larger than allowed; the text says so on its field, too.
    pub fn file_too_large(field: &str, text: &str) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, text.to_owned()).with(field, serde_json::json!([text]))
    }

    /// 415: a body of an unsupported type.
    pub fn unsupported_media_type(found: &str) -> Self {
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            format!("Unsupported media type \"{found}\" in request."),
        )
    }

    /// 415 for a file, with the code that says why.
    pub fn unsupported_file(code: &str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail).with_code(code)
    }

    /// 416 for a range that a file does not have.
    pub fn range_not_satisfiable(size: u64) -> Self {
        let error = Self::new(StatusCode::RANGE_NOT_SATISFIABLE, format!("The file has {size} bytes."));
        error.with_header(header::CONTENT_RANGE, &format!("bytes */{size}"))
    }

    /// 422: the request is valid but cannot be done.
    pub fn unprocessable(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
    }

    /// 429 with the seconds until the next request is let through.
    pub fn throttled(seconds: u64) -> Self {
        let plural = if seconds == 1 { "" } else { "s" };
        let mut error = Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            format!("Request was throttled. Expected available in {seconds} second{plural}."),
        );
        error.retry_after_seconds = Some(seconds);
        error
    }

    /// The same for a limit that a handler counts itself: the headers name it, and what is left of it.
    pub fn throttled_by(row: &Row, remaining: i64) -> Self {
        let seconds = u64::from(row.window_seconds);
        let standing = format!("\"{}\";r={};t={seconds}", row.name, remaining.max(0));
        Self::throttled(seconds).with_rates((standing, row.policy()))
    }

    /// Adds the headers that show the limits: `RateLimit` and `RateLimit-Policy`.
    pub(crate) fn with_rates(self, (standing, policy): (String, String)) -> Self {
        self.with_header(HeaderName::from_static("ratelimit"), &standing)
            .with_header(HeaderName::from_static("ratelimit-policy"), &policy)
    }

    /// Adds a header to the answer; one that cannot be written is left out.
    fn with_header(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.get_or_insert_default().insert(name, value);
        }
        self
    }

    /// 501: the configured backend cannot do that.
    pub fn not_implemented(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_IMPLEMENTED, detail)
    }

    /// 502: another server could not be reached.
    pub fn bad_gateway(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_GATEWAY, detail)
    }

    /// 503: something that the request needs is not available. The same request may work later.
    pub fn unavailable(detail: impl Into<String>) -> Self {
        let mut error = Self::new(StatusCode::SERVICE_UNAVAILABLE, detail);
        error.retry_after_seconds = Some(1);
        error
    }

    /// 500: an unexpected error. The cause is logged and never shown to the caller.
    pub fn unexpected(cause: anyhow::Error) -> Self {
        let mut error = Self::new(StatusCode::INTERNAL_SERVER_ERROR, "An unexpected error occurred.");
        error.cause = Some(cause);
        error
    }

    /// Sets the stable code next to the messages, unless it would hide an error of a field called `code`.
    pub fn with_code(self, code: &str) -> Self {
        if self.status == StatusCode::BAD_REQUEST && self.body.contains_key("code") {
            return self;
        }
        self.with("code", code)
    }

    /// Adds a value to the body. Numbers stay numbers.
    pub fn with(mut self, key: &str, value: impl Into<Json>) -> Self {
        self.body.insert(key.to_owned(), value.into());
        self
    }

    /// Adds errors of other fields of the same body. They replace an answer that does not name fields.
    pub fn and_invalid(self, problems: Problems) -> Self {
        if problems.is_empty() {
            return self;
        }
        let names_fields = self.status == StatusCode::BAD_REQUEST && !self.body.contains_key("detail");
        let error = if names_fields { self } else { Self::invalid(Problems::default()) };
        problems.into_json().into_iter().fold(error, |error, (field, said)| error.with(&field, said))
    }

    /// The status, for answers about many rows.
    pub fn status(&self) -> u16 {
        self.status.as_u16()
    }

    /// Whether it says that something does not exist or is not visible for the caller.
    pub fn is_not_found(&self) -> bool {
        self.status == StatusCode::NOT_FOUND
    }

    /// Whether it says that the caller has no permission, or may not know that the object exists.
    pub fn is_refusal(&self) -> bool {
        matches!(self.status, StatusCode::FORBIDDEN | StatusCode::NOT_FOUND | StatusCode::UNAUTHORIZED)
    }

    /// The body, for answers about many rows.
    pub fn body(&self) -> &Map<String, Json> {
        &self.body
    }
}

impl IntoResponse for ApiError {
    fn into_response(mut self) -> Response {
        let id = request_id::current();
        if let Some(cause) = &self.cause {
            tracing::error!(request_id = %id, cause = %format!("{cause:#}"), "unexpected error");
            metrics::counter!("planwright_unexpected_errors_total").increment(1);
            self.body.insert("request_id".to_owned(), json!(id));
        }
        let refusal = self.body.get("refusal").and_then(Json::as_object).cloned();
        let mut response = (self.status, axum::Json(Json::Object(self.body))).into_response();
        let headers = response.headers_mut();
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(own) = self.headers.take() {
            headers.extend(*own);
        }
        if let Some(seconds) = self.retry_after_seconds {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(refusal) = refusal {
            response.extensions_mut().insert(Refused(refusal));
        }
        if self.is_worth_another_try {
            response.extensions_mut().insert(Retryable);
        }
        response
    }
}

/// Marks an answer whose request may be run again before the answer is sent.
#[derive(Clone, Copy)]
pub(crate) struct Retryable;

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        let is_worth_another_try = error.is_worth_another_try();
        let error = match error {
            StoreError::Missing => Self::not_found(),
            StoreError::Unavailable(cause) => {
                tracing::warn!(request_id = %request_id::current(), %cause, "the database is unavailable");
                Self::unavailable("The database is not available right now.")
                    .with_code("database_unavailable")
            }
            StoreError::GaveWay(cause) => {
                tracing::info!(request_id = %request_id::current(), %cause, "a transaction was rolled back in favour of another");
                Self::unavailable("Too many changes at once. This change was not made.").with_code("too_busy")
            }
            StoreError::Full(cause) => {
                tracing::error!(request_id = %request_id::current(), %cause, "the database has no space left");
                Self::unavailable("The server has no space left. Nothing was written.")
                    .with_code("storage_full")
            }
            StoreError::Duplicate(key) => {
                Self::conflict("An object with the same key already exists.").with("key", key)
            }
            StoreError::Reference(_) => Self::conflict(
                "The request refers to something that does not exist, or something refers to this object.",
            ),
            StoreError::Unexpected(cause) => Self::unexpected(cause),
        };
        Self { is_worth_another_try, ..error }
    }
}

impl From<anyhow::Error> for ApiError {
    fn from(cause: anyhow::Error) -> Self {
        Self::unexpected(cause)
    }
}
