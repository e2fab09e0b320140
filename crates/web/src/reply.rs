//! Successful answers: a status and a body, so that the type of a handler says what callers get. Lists are in
//! `envelope.rs`, versions in `version.rs`.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Serialize;

pub use crate::picture::Picture;

use crate::conditional::{self, CreatedRow};
use crate::describe::Answer;
#[for_document]
use crate::document::Describer;
use crate::schema::{JsonSchema, for_document};
use crate::version::tag;
use crate::{ApiError, ApiResult};

/// 200 with a body.
#[derive(Debug)]
pub struct Json<T>(pub T);

/// 201 with a body, its version as `ETag` and the address of the created row as `Location`.
#[derive(Debug)]
pub struct Created<T>(pub T);

/// 202 with a body that says where to find the result.
#[derive(Debug)]
pub struct Accepted<T>(pub T);

/// 207 with the result of each part of a request.
#[derive(Debug)]
pub struct MultiStatus<T>(pub T);

/// One of two answers, such as a row that was made and one that was there.
#[derive(Debug)]
pub enum Either<A, B> {
    /// The first.
    This(A),
    /// The other.
    That(B),
}

impl<A: IntoResponse, B: IntoResponse> IntoResponse for Either<A, B> {
    fn into_response(self) -> Response {
        match self {
            Either::This(answer) => answer.into_response(),
            Either::That(answer) => answer.into_response(),
        }
    }
}

impl<A: Answer, B: Answer> Answer for Either<A, B> {
    #[for_document]
    fn describe(to: &mut Describer) {
        A::describe(to);
        B::describe(to);
    }
}

/// 204.
#[derive(Debug)]
pub struct NoContent;

/// 205.
#[derive(Debug)]
pub struct ResetContent;

macro_rules! replies {
    ($($name:ident $status:ident;)*) => {$(
        impl<T: Serialize> IntoResponse for $name<T> {
            fn into_response(self) -> Response {
                (StatusCode::$status, axum::Json(self.0)).into_response()
            }
        }

        impl<T: JsonSchema> Answer for $name<T> {
            #[for_document]
            fn describe(to: &mut Describer) {
                to.answer_json::<T>(StatusCode::$status.as_u16());
            }
        }
    )*};
}

replies! {
    Json OK;
    Accepted ACCEPTED;
    MultiStatus MULTI_STATUS;
}

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        let body = match serde_json::to_value(self.0) {
            Ok(body) => body,
            Err(error) => return ApiError::unexpected(error.into()).into_response(),
        };
        let (id, version) = (body["id"].as_str().map(str::to_owned), body["server_version"].as_i64());
        let mut response = (StatusCode::CREATED, axum::Json(body)).into_response();
        if let Some(tag) = version.and_then(|version| HeaderValue::try_from(tag(version)).ok()) {
            response.headers_mut().insert(header::ETAG, tag);
        }
        if let Some(id) = id {
            response.extensions_mut().insert(CreatedRow(id));
        }
        response
    }
}

impl<T: JsonSchema> Answer for Created<T> {
    #[for_document]
    fn describe(to: &mut Describer) {
        to.answer_json::<T>(StatusCode::CREATED.as_u16());
    }
}

/// 200 with a body, or 204 when there is nothing to show.
#[derive(Debug)]
pub struct IfAny<T>(pub Option<T>);

impl<T: Serialize> IntoResponse for IfAny<T> {
    fn into_response(self) -> Response {
        match self.0 {
            Some(body) => Json(body).into_response(),
            None => NoContent.into_response(),
        }
    }
}

impl<T: JsonSchema> Answer for IfAny<T> {
    #[for_document]
    fn describe(to: &mut Describer) {
        to.answer_json::<T>(StatusCode::OK.as_u16());
        to.answer_empty(StatusCode::NO_CONTENT.as_u16());
    }
}

impl IntoResponse for NoContent {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

impl Answer for NoContent {
    #[for_document]
    fn describe(to: &mut Describer) {
        to.answer_empty(204);
    }
}

impl IntoResponse for ResetContent {
    fn into_response(self) -> Response {
        StatusCode::RESET_CONTENT.into_response()
    }
}

impl Answer for ResetContent {
    #[for_document]
    fn describe(to: &mut Describer) {
        to.answer_empty(205);
    }
}

/// 302 to another place, with cookies; no cache may keep it.
#[derive(Debug)]
pub struct Found {
    /// The whole address.
    pub location: String,
    /// Whole `Set-Cookie` lines.
    pub cookies: Vec<String>,
}

impl IntoResponse for Found {
    fn into_response(self) -> Response {
        let mut response = StatusCode::FOUND.into_response();
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        match HeaderValue::try_from(self.location) {
            Ok(location) => headers.insert(header::LOCATION, location),
            Err(error) => return ApiError::unexpected(error.into()).into_response(),
        };
        for line in self.cookies {
            match HeaderValue::try_from(line) {
                Ok(line) => headers.append(header::SET_COOKIE, line),
                Err(error) => return ApiError::unexpected(error.into()).into_response(),
            };
        }
        response
    }
}

impl Answer for Found {
    #[for_document]
    fn describe(to: &mut Describer) {
        to.answer_empty(StatusCode::FOUND.as_u16());
    }
}

/// A health report: 200 if everything works, otherwise 503 with the same body.
#[derive(Debug)]
pub struct HealthReport<T> {
    /// Whether everything works.
    pub well: bool,
    /// The report.
    pub body: T,
}

impl<T: Serialize> IntoResponse for HealthReport<T> {
    fn into_response(self) -> Response {
        let status = if self.well { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
        (status, axum::Json(self.body)).into_response()
    }
}

impl<T: JsonSchema> Answer for HealthReport<T> {
    #[for_document]
    fn describe(to: &mut Describer) {
        to.answer_json::<T>(StatusCode::OK.as_u16());
        to.answer_json::<T>(StatusCode::SERVICE_UNAVAILABLE.as_u16());
    }
}

/// A response built by hand, described by the JSON type it carries.
pub struct Raw<T>(pub Response, pub std::marker::PhantomData<T>);

impl<T> Raw<T> {
    /// Wraps a response.
    pub fn new(response: impl IntoResponse) -> Self {
        Self(response.into_response(), std::marker::PhantomData)
    }
}

impl<T> IntoResponse for Raw<T> {
    fn into_response(self) -> Response {
        self.0
    }
}

impl<T: JsonSchema> Answer for Raw<T> {
    #[for_document]
    fn describe(to: &mut Describer) {
        to.answer_json::<T>(200);
    }
}

/// A page for people, or another text that is not JSON.
pub struct Text(pub &'static str, pub String);

impl IntoResponse for Text {
    fn into_response(self) -> Response {
        ([(http::header::CONTENT_TYPE, self.0)], self.1).into_response()
    }
}

impl Answer for Text {
    #[for_document]
    fn describe(to: &mut Describer) {
        to.answer_text();
    }
}

/// A file that was uploaded, whole or in part. No browser runs or shows it: it is stored.
#[derive(Debug)]
pub struct FileAnswer {
    name: String,
    media_type: String,
    size: u64,
    tag: String,
    is_known: bool,
    range: Option<(u64, u64)>,
    body: Body,
}

impl FileAnswer {
    /// A file of a size in bytes. The name has only letters, digits, spaces, dots, brackets, low lines and hyphens.
    /// `content` tells its bytes from all others; nobody can guess it from the tag.
    pub fn of(name: &str, media_type: &str, size: u64, content: &str) -> Self {
        Self {
            name: name.to_owned(),
            media_type: media_type.to_owned(),
            size,
            tag: format!("\"{}\"", &crate::token::hash(content)[..32]),
            is_known: false,
            range: None,
            body: Body::empty(),
        }
    }

    /// Only what a request asks for (RFC 9110, sections 13 and 14): nothing if its sender has the file already, and a part if
    /// it names one. `If-Range` with another tag asks for the whole. A range of another form is ignored.
    ///
    /// # Errors
    /// 416 when the part lies behind the end of the file.
    pub fn asked(mut self, headers: &HeaderMap) -> ApiResult<Self> {
        let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        if conditional::has_already(headers, &self.tag) {
            self.is_known = true;
            return Ok(self);
        }
        let is_whole = text(header::IF_RANGE).is_some_and(|tag| tag.trim() != self.tag);
        let asked = text(header::RANGE).filter(|_| !is_whole);
        let Some((first, last)) = asked.and_then(|header| range(header, self.size)) else { return Ok(self) };
        if first >= self.size || first > last {
            return Err(ApiError::range_not_satisfiable(self.size));
        }
        self.range = Some((first, last));
        Ok(self)
    }

    /// Whether the sender of the request has the file already, so that no byte of it is read.
    pub fn is_known(&self) -> bool {
        self.is_known
    }

    /// The first byte, and how many there are.
    pub fn extent(&self) -> (u64, u64) {
        self.range.map_or((0, self.size), |(first, last)| (first, last - first + 1))
    }

    /// With its bytes.
    pub fn with(self, body: Body) -> Self {
        Self { body, ..self }
    }
}

/// The first and the last byte of `bytes=5-9`, `bytes=5-` or `bytes=-5`.
fn range(header: &str, size: u64) -> Option<(u64, u64)> {
    let (first, last) = header.trim().strip_prefix("bytes=")?.split_once('-')?;
    let end = size.saturating_sub(1);
    match (first.trim(), last.trim()) {
        ("", last) => Some((size.saturating_sub(place(last)?), end)),
        (first, "") => Some((place(first)?, end)),
        (first, last) => Some((place(first)?, place(last)?.min(end))),
    }
}

/// A place in a file. A number that no file reaches is the largest one, and no number of another kind.
fn place(digits: &str) -> Option<u64> {
    let are_digits = !digits.is_empty() && digits.bytes().all(|sign| sign.is_ascii_digit());
    are_digits.then(|| digits.parse().unwrap_or(u64::MAX))
}

impl IntoResponse for FileAnswer {
    fn into_response(self) -> Response {
        if self.is_known {
            return (StatusCode::NOT_MODIFIED, [(header::ETAG, self.tag)]).into_response();
        }
        let (_, length) = self.extent();
        let disposition = format!("attachment; filename=\"{}\"", self.name);
        let headers = [
            (header::ETAG, self.tag),
            (header::CONTENT_TYPE, self.media_type),
            (header::CONTENT_DISPOSITION, disposition),
            (header::CONTENT_LENGTH, length.to_string()),
            (header::ACCEPT_RANGES, "bytes".to_owned()),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
            (header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'".to_owned()),
            (header::CACHE_CONTROL, "private, no-store".to_owned()),
            (header::REFERRER_POLICY, "no-referrer".to_owned()),
        ];
        let mut response = match self.range {
            None => (headers, self.body).into_response(),
            Some((first, last)) => {
                let part = [(header::CONTENT_RANGE, format!("bytes {first}-{last}/{}", self.size))];
                (StatusCode::PARTIAL_CONTENT, headers, part, self.body).into_response()
            }
        };
        // The tag and the ranges are of these bytes, and not of compressed ones (RFC 9110, section 8.8.1).
        response.extensions_mut().insert(crate::edge::Incompressible);
        response
    }
}

impl Answer for FileAnswer {
    #[for_document]
    fn describe(to: &mut Describer) {
        to.answer_file("application/octet-stream");
        to.answer_parts("application/octet-stream");
    }
}

/// A media type of a download, for the OpenAPI document.
pub trait MediaType: Send + Sync + 'static {
    /// The type on the wire.
    const NAME: &'static str;
}

macro_rules! media_types {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}
        impl MediaType for $name { const NAME: &'static str = $text; }
    )*};
}

media_types! {
    /// XML.
    Xml = "application/xml";
    /// Comma-separated values.
    Csv = "text/csv";
    /// A workbook of a spreadsheet.
    Xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    /// A file that only other programs read.
    Foreign = "application/octet-stream";
    /// JSON values, one a line.
    JsonLines = "application/x-ndjson";
}

/// A file that the browser stores.
#[derive(Debug)]
pub struct Download<M> {
    name: String,
    content: Body,
    media_type: std::marker::PhantomData<M>,
}

impl<M: MediaType> Download<M> {
    /// A file with this name. The name has only letters, digits, dots and hyphens.
    pub fn new(name: impl Into<String>, content: Vec<u8>) -> Self {
        Self::streamed(name, content.into())
    }

    /// The same for content that is made while it leaves.
    pub fn streamed(name: impl Into<String>, content: Body) -> Self {
        Self { name: name.into(), content, media_type: std::marker::PhantomData }
    }
}

impl<M: MediaType> IntoResponse for Download<M> {
    fn into_response(self) -> Response {
        let disposition = format!("attachment; filename=\"{}\"", self.name);
        let headers = [
            (header::CONTENT_TYPE, M::NAME.to_owned()),
            (header::CONTENT_DISPOSITION, disposition),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        ];
        (headers, self.content).into_response()
    }
}

impl<M: MediaType> Answer for Download<M> {
    #[for_document]
    fn describe(to: &mut Describer) {
        to.answer_file(M::NAME);
    }
}

/// A text that callers may cache: 200 with its tag, or 304 without a body if they already have this text.
pub struct Cached {
    media_type: &'static str,
    tag: String,
    disposition: Option<String>,
    text: Option<String>,
}

impl Cached {
    /// The text with the hash of its content as tag, for a caller who sent these headers.
    pub fn of(asked: &HeaderMap, media_type: &'static str, text: impl Into<String>) -> Self {
        let text = text.into();
        let tag = format!("\"{}\"", crate::token::hash(&text));
        let known = conditional::has_already(asked, &tag);
        Self { media_type, tag, disposition: None, text: (!known).then_some(text) }
    }

    /// As a file with this name. The name has only letters, digits, dots and hyphens.
    pub fn file(mut self, name: &str) -> Self {
        self.disposition = Some(format!("attachment; filename=\"{name}\""));
        self
    }
}

impl IntoResponse for Cached {
    fn into_response(self) -> Response {
        let mut response = match self.text {
            None => StatusCode::NOT_MODIFIED.into_response(),
            Some(text) => ([(header::CONTENT_TYPE, self.media_type)], text).into_response(),
        };
        let headers = response.headers_mut();
        if let Ok(tag) = HeaderValue::from_str(&self.tag) {
            headers.insert(header::ETAG, tag);
        }
        if let Some(Ok(disposition)) = self.disposition.map(|text| HeaderValue::from_str(&text)) {
            headers.insert(header::CONTENT_DISPOSITION, disposition);
        }
        response
    }
}

impl Answer for Cached {
    #[for_document]
    fn describe(to: &mut Describer) {
        to.answer_json::<crate::schema::JsonObject>(200);
        to.answer_empty(304);
    }
}
