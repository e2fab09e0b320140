//! Bodies with a file: a form with its part `file` and other fields, or the file alone. A large file is not read here, but as it
//! comes (`streamed.rs`).

use axum::RequestExt;
use axum::body::Bytes;
use axum::extract::{FromRequest, Multipart, Request};
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use serde_json::{Map, Value as Json};

use crate::body::{bytes_of, media_type, media_type_in};
use crate::describe::Describe;
#[for_document]
use crate::document::Describer;
use crate::ignored::Ignored;
use crate::input::Input;
use crate::schema::{JsonSchema, for_document};
use crate::{ApiError, ApiResult, App};

/// A form with its plain fields and files.
#[derive(Debug, Default)]
pub struct Form {
    /// Fields without a file name.
    pub fields: Map<String, Json>,
    /// Files: field, file name, content.
    pub files: Vec<(String, String, Bytes)>,
}

pub(crate) async fn form_of(request: Request) -> ApiResult<Form> {
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
}
