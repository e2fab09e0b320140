//! Bodies and queries: parsed, then read field by field with the `Input` of their type. JSON, forms and multipart
//! fields become the same object. Bodies with a file are in `file_body.rs`.

use axum::body::{Bytes, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Request};
use futures_util::future::BoxFuture;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use http::request::Parts;
use serde_json::{Map, Value as Json};

use crate::describe::Describe;
#[for_document]
use crate::document::Describer;
use crate::file_body::form_of;
use crate::ignored::{Ignored, read_noted};
use crate::input::Input;
use crate::problem::Problems;
use crate::schema::{JsonSchema, for_document};
use crate::{ApiError, ApiResult, App};

/// A required body.
#[derive(Debug)]
pub struct Body<T>(pub T);

/// Query parameters.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: Input> FromRequest<App> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> ApiResult<Self> {
        let ignored = Ignored::of(&request);
        let object = object_of(request).await?;
        read_noted(ignored.as_ref(), &object).map(Body)
    }
}

/// A body that is read as far as possible, so that all its errors are reported together with those of its rules.
#[derive(Clone, Debug)]
pub struct Partial<T> {
    /// The valid fields. A field with an error counts as not sent.
    pub read: T,
    /// The errors of the other fields.
    pub problems: Problems,
}

impl<T: Input> Input for Partial<T> {
    const NAMES: &'static [&'static str] = T::NAMES;

    fn read(object: &Map<String, Json>) -> Result<Self, Problems> {
        let problems = match T::read(object) {
            Ok(read) => return Ok(Self { read, problems: Problems::default() }),
            Err(problems) => problems,
        };
        let rest = object.iter().filter(|(field, _)| !problems.names(field));
        match T::read(&rest.map(|(field, value)| (field.clone(), value.clone())).collect()) {
            Ok(read) => Ok(Self { read, problems }),
            Err(_) => Err(problems),
        }
    }

    fn unknown(object: &Map<String, Json>, path: &str, found: &mut Vec<String>) {
        T::unknown(object, path, found);
    }
}

#[schemars::for_document]
impl<T: JsonSchema> JsonSchema for Partial<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        T::json_schema(generator)
    }
}

impl<T: JsonSchema> Describe for Body<T> {
    const BODY: bool = true;

    #[for_document]
    fn describe(to: &mut Describer) {
        to.take_body::<T>();
    }
}

/// A body of which only some fields are used. The OpenAPI document allows other fields, because clients send whole
/// objects to actions.
#[derive(Debug)]
pub struct OpenBody<T>(pub T);

impl<T: Input> FromRequest<App> for OpenBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> ApiResult<Self> {
        Body::from_request(request, app).await.map(|Body(body)| OpenBody(body))
    }
}

impl<T: JsonSchema> Describe for OpenBody<T> {
    const BODY: bool = true;

    #[for_document]
    fn describe(to: &mut Describer) {
        to.take_open_body::<T>();
    }
}

/// A body that an action does not use. Clients of the contract send the whole object, and its fields are named as
/// ignored.
#[derive(Debug)]
pub struct IgnoredBody;

impl FromRequest<App> for IgnoredBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> ApiResult<Self> {
        let ignored = Ignored::of(&request);
        let names = object_of(request).await?.into_iter().map(|(name, _)| name).collect();
        let refused = ignored.map(|ignored| ignored.settle(names)).unwrap_or_default();
        match refused.is_empty() {
            true => Ok(Self),
            false => Err(ApiError::invalid(refused)),
        }
    }
}

impl Describe for IgnoredBody {
    const BODY: bool = true;

    #[for_document]
    fn describe(to: &mut Describer) {
        to.take_open_body::<Map<String, Json>>();
    }
}

/// The media type of a body in lower case, without its parameters.
pub(crate) fn media_type(request: &Request) -> String {
    media_type_in(request.headers())
}

pub(crate) fn media_type_in(headers: &HeaderMap) -> String {
    let header = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    header.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The object that a body holds, in whatever form it comes.
pub(crate) fn object_of(request: Request) -> BoxFuture<'static, ApiResult<Map<String, Json>>> {
    Box::pin(async move {
        match media_type(&request).as_str() {
            "application/x-www-form-urlencoded" => {
                let bytes = bytes_of(request).await?;
                let text = std::str::from_utf8(&bytes)
                    .map_err(|_| ApiError::bad_request("The form is not UTF-8 text."))?;
                pairs(text)
            }
            "multipart/form-data" => {
                let form = form_of(request).await?;
                match form.files.is_empty() {
                    true => Ok(form.fields),
                    false => Err(ApiError::bad_request("This request takes no file.")),
                }
            }
            media if media.is_empty() || media == "application/json" || media.ends_with("+json") => {
                let bytes = bytes_of(request).await?;
                match bytes.is_empty() {
                    true => Ok(Map::new()),
                    false => json_object(&bytes),
                }
            }
            other => Err(ApiError::unsupported_media_type(other)),
        }
    })
}

pub(crate) async fn bytes_of(request: Request) -> ApiResult<Bytes> {
    to_bytes(request.into_body(), usize::MAX).await.map_err(|error| ApiError::bad_request(error.to_string()))
}

/// A JSON object. The parser limits its depth.
fn json_object(bytes: &[u8]) -> ApiResult<Map<String, Json>> {
    let parsed = serde_json::from_slice(bytes);
    match parsed.map_err(|error| ApiError::bad_request(format!("JSON parse error - {error}")))? {
        Json::Object(object) => Ok(object),
        _ => {
            let message = "Invalid data. Expected an object.";
            Err(ApiError::invalid_field("non_field_errors", message))
        }
    }
}

/// A text field of a body that is available as bytes, for limits that count by it. `None` if no handler would read
/// it.
///
/// Parts of a multipart form are not read. They all count as the same text, so that nobody can avoid a limit with
/// another encoding.
pub(crate) fn submitted_text(headers: &HeaderMap, bytes: &[u8], field: &str) -> Option<String> {
    let object: Map<String, Json> = match media_type_in(headers).as_str() {
        "multipart/form-data" => return Some(String::new()),
        "application/x-www-form-urlencoded" => pairs(std::str::from_utf8(bytes).ok()?).ok()?,
        _ => serde_json::from_slice(bytes).ok()?,
    };
    match object.get(field)? {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Whether a body is missing or an empty object.
pub(crate) fn says_nothing(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii();
    text.is_empty() || matches!(serde_json::from_slice(text), Ok(Json::Object(object)) if object.is_empty())
}

/// The names in a query.
pub(crate) fn names_in_query(query: &str) -> Vec<String> {
    form_pairs(query).map(|(name, _)| name).collect()
}

/// Pairs of a query or form. A name that appears twice becomes a list.
fn pairs(text: &str) -> ApiResult<Map<String, Json>> {
    let mut object = Map::new();
    for (name, value) in form_pairs(text) {
        if name.contains('\0') || value.contains('\0') {
            return Err(ApiError::bad_request("Null characters are not allowed."));
        }
        match object.get_mut(&name) {
            None => {
                object.insert(name, Json::String(value));
            }
            Some(Json::Array(list)) => list.push(Json::String(value)),
            Some(first) => *first = Json::Array(vec![first.take(), Json::String(value)]),
        }
    }
    Ok(object)
}

/// The pairs of a query or form, in their order.
pub(crate) fn form_pairs(text: &str) -> impl Iterator<Item = (String, String)> + '_ {
    text.split('&').filter(|part| !part.is_empty()).map(|part| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        (decode(name), decode(value))
    })
}

fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%')
            .then(|| bytes.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match escaped {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(if bytes[at] == b'+' { b' ' } else { bytes[at] });
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

impl<T: Input> FromRequestParts<App> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> ApiResult<Self> {
        let object = pairs(parts.uri.query().unwrap_or_default())?;
        T::read(&object).map(Query).map_err(ApiError::invalid)
    }
}

impl<T: Input + JsonSchema> Describe for Query<T> {
    const QUERY: &'static [&'static str] = T::NAMES;

    #[for_document]
    fn describe(to: &mut Describer) {
        to.take_query::<T>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_submitted_text_is_found_in_every_encoding_that_handlers_read() {
        let found = |media: &'static str, body: &str| {
            let headers = HeaderMap::from_iter([(CONTENT_TYPE, http::HeaderValue::from_static(media))]);
            submitted_text(&headers, body.as_bytes(), "username")
        };
        assert_eq!(found("application/json", r#"{"username": "mara"}"#).as_deref(), Some("mara"));
        assert_eq!(found("application/json; charset=utf-8", r#"{"username": 7}"#).as_deref(), Some("7"));
        assert_eq!(
            found("application/x-www-form-urlencoded", "a=1&username=m%61ra").as_deref(),
            Some("mara")
        );
        assert_eq!(found("multipart/form-data; boundary=x", "--x").as_deref(), Some(""));
        assert_eq!(found("application/json", "[1]"), None);
        assert_eq!(found("application/json", r#"{"username": null}"#), None);
    }
}
