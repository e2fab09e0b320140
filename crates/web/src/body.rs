//! Bodies and queries: parsed, then read field by field with the `Input` of their type. JSON, forms and multipart
//! fields become the same object. A document may be raw JSON or a file.

use axum::RequestExt;
use axum::body::{Bytes, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Multipart, Request};
use futures_util::future::BoxFuture;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use http::request::Parts;
use serde_json::{Map, Value as Json};

use crate::describe::Describe;
#[for_document]
use crate::document::Describer;
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

fn media_type_in(headers: &HeaderMap) -> String {
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

async fn bytes_of(request: Request) -> ApiResult<Bytes> {
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

/// A form with its plain fields and files.
#[derive(Debug, Default)]
pub struct Form {
    /// Fields without a file name.
    pub fields: Map<String, Json>,
    /// Files: field, file name, content.
    pub files: Vec<(String, String, Bytes)>,
}

async fn form_of(request: Request) -> ApiResult<Form> {
    let wrong = |error: &dyn std::fmt::Display| {
        ApiError::bad_request(format!("Multipart form parse error - {error}"))
    };
    let mut form = Form::default();
    let mut parts = request.extract::<Multipart, _>().await.map_err(|error| wrong(&error))?;
    while let Some(part) = parts.next_field().await.map_err(|error| wrong(&error))? {
        let name = part.name().unwrap_or_default().to_owned();
        let file = part.file_name().map(str::to_owned);
        let bytes = part.bytes().await.map_err(|error| wrong(&error))?;
        let repeated = form.fields.contains_key(&name) || form.files.iter().any(|(known, ..)| *known == name);
        if repeated {
            return Err(ApiError::invalid_field(&name, "This part was sent more than once."));
        }
        match file {
            Some(file) => form.files.push((name, file, bytes)),
            None => {
                let text = String::from_utf8(bytes.to_vec())
                    .map_err(|_| ApiError::invalid_field(&name, "Not a valid string."))?;
                form.fields.insert(name, Json::String(text));
            }
        }
    }
    Ok(form)
}

impl Form {
    /// The part `file`, when it is the only file.
    fn only_file(&mut self) -> ApiResult<File> {
        let unknown = self.files.iter().find(|(field, ..)| field != "file");
        if let Some((field, ..)) = unknown {
            return Err(ApiError::invalid_field(field, "Unknown file part. The file must be in \"file\"."));
        }
        let sent = self.files.pop().map(|(_, name, content)| File { name, content });
        sent.ok_or_else(|| ApiError::invalid_field("file", "No file was submitted."))
    }
}

/// The part `file` of a form. Other fields of the form are not read.
#[derive(Debug)]
pub struct File {
    /// The name that it has where it comes from.
    pub name: String,
    /// What is in it.
    pub content: Bytes,
}

impl FromRequest<App> for File {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> ApiResult<Self> {
        match media_type(&request).as_str() {
            "multipart/form-data" => form_of(request).await?.only_file(),
            other => Err(ApiError::unsupported_media_type(other)),
        }
    }
}

impl Describe for File {
    const BODY: bool = true;

    #[for_document]
    fn describe(to: &mut Describer) {
        to.take_file();
    }
}

/// The part `file` of a form, and what its other fields say.
#[derive(Debug)]
pub struct FileWith<T> {
    /// The file.
    pub file: File,
    /// The other fields.
    pub fields: T,
}

impl<T: Input> FromRequest<App> for FileWith<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> ApiResult<Self> {
        let ignored = Ignored::of(&request);
        match media_type(&request).as_str() {
            "multipart/form-data" => {
                let mut form = form_of(request).await?;
                let refused = ignored.map(|ignored| ignored.note::<T>(&form.fields)).unwrap_or_default();
                let fields = T::read(&form.fields).map_err(ApiError::invalid)?;
                let file = form.only_file()?;
                match refused.is_empty() {
                    true => Ok(Self { file, fields }),
                    false => Err(ApiError::invalid(refused)),
                }
            }
            other => Err(ApiError::unsupported_media_type(other)),
        }
    }
}

impl<T: JsonSchema> Describe for FileWith<T> {
    const BODY: bool = true;

    #[for_document]
    fn describe(to: &mut Describer) {
        to.take_file_with::<T>();
    }
}

/// A file: the whole body, or the part `file` of a form with its other fields. A whole body says nothing beside itself.
#[derive(Debug)]
pub struct FileOrBody<T> {
    /// The file. A whole body has no name.
    pub file: File,
    /// The other fields.
    pub fields: T,
}

/// Whether a body is the file itself. A form without a boundary cannot be one, so its sender means the file, too.
fn is_the_file(headers: &HeaderMap) -> bool {
    let header = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    match media_type_in(headers).as_str() {
        "multipart/form-data" => !header.to_ascii_lowercase().contains("boundary="),
        "application/octet-stream" | "application/xml" | "text/xml" | "text/plain" => true,
        _ => false,
    }
}

impl<T: Input> FromRequest<App> for FileOrBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> ApiResult<Self> {
        if !is_the_file(request.headers()) {
            let FileWith { file, fields } = FileWith::from_request(request, app).await?;
            return Ok(Self { file, fields });
        }
        let content = bytes_of(request).await?;
        let fields = T::read(&Map::new()).map_err(ApiError::invalid)?;
        match content.is_empty() {
            true => Err(ApiError::invalid_field("file", "No file was submitted.")),
            false => Ok(Self { file: File { name: String::new(), content }, fields }),
        }
    }
}

impl<T: JsonSchema> Describe for FileOrBody<T> {
    const BODY: bool = true;

    #[for_document]
    fn describe(to: &mut Describer) {
        to.take_file_or_body::<T>();
    }
}

/// A document: the raw JSON body, or the `file` of a form with its other fields.
#[derive(Debug)]
pub struct FileOrJson {
    /// The document as it was sent.
    pub document: Bytes,
    /// The name of the file; empty for a raw body.
    pub filename: String,
    /// The other fields of the form. `None` for a raw body, because its options are in the document itself.
    pub fields: Option<Map<String, Json>>,
}

impl FromRequest<App> for FileOrJson {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> ApiResult<Self> {
        let media = media_type(&request);
        if media == "multipart/form-data" {
            let mut form = form_of(request).await?;
            let File { name: filename, content: document } = form.only_file()?;
            return Ok(Self { document, filename, fields: Some(form.fields) });
        }
        if !media.is_empty() && media != "application/json" && !media.ends_with("+json") {
            return Err(ApiError::unsupported_media_type(&media));
        }
        let document = bytes_of(request).await?;
        Ok(Self { document, filename: String::new(), fields: None })
    }
}

impl Describe for FileOrJson {
    const BODY: bool = true;

    #[for_document]
    fn describe(to: &mut Describer) {
        to.take_document::<Map<String, Json>>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_the_file_itself_unless_it_is_a_form_or_json() {
        let is_file = |media: &'static str| {
            is_the_file(&HeaderMap::from_iter([(CONTENT_TYPE, http::HeaderValue::from_static(media))]))
        };
        for media in ["application/octet-stream", "text/xml; charset=utf-8", "multipart/form-data"] {
            assert!(is_file(media), "{media}");
        }
        for media in ["application/json", "multipart/form-data; boundary=x", "", "image/png"] {
            assert!(!is_file(media), "{media}");
        }
    }

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
