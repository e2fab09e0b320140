//! Forms that are read piece by piece, for files that are too large to be held. A JSON body gives the same fields
//! without a file.

use axum::RequestExt;
use axum::body::{Bytes, to_bytes};
use axum::extract::multipart::{Field, Multipart};
use axum::extract::{FromRequest, Request};
use http::header::CONTENT_TYPE;
use serde_json::{Map, Value as Json};

use crate::describe::{Describe, Describer};
use crate::schema::JsonSchema;
use crate::{ApiError, ApiResult, App};

/// The largest JSON body instead of a form, in bytes.
const MOST_JSON: usize = 64 * 1024;
/// The longest text of a plain field, in bytes.
const LONGEST_TEXT: usize = 64 * 1024;

/// A form before it is read. `T` describes its plain fields.
#[derive(Debug)]
pub struct StreamedForm<T> {
    parts: Option<Multipart>,
    fields: Map<String, Json>,
    fields_are: std::marker::PhantomData<fn() -> T>,
}

/// A part of a form.
#[derive(Debug)]
pub enum StreamedPart<'a> {
    /// A plain field: its name and its text.
    Text(String, String),
    /// A file.
    File(Box<StreamedFile<'a>>),
}

/// A file of a form.
#[derive(Debug)]
pub struct StreamedFile<'a> {
    /// The name that it has where it comes from.
    pub name: String,
    /// The media type that the sender declares.
    pub media_type: String,
    content: Field<'a>,
}

impl<T: JsonSchema + Send> FromRequest<App> for StreamedForm<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> ApiResult<Self> {
        let header =
            request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let media = header.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let read = |parts, fields| Self { parts, fields, fields_are: std::marker::PhantomData };
        match media.as_str() {
            "multipart/form-data" => {
                let parts = request.extract::<Multipart, _>().await.map_err(|error| unreadable(&error))?;
                Ok(read(Some(parts), Map::new()))
            }
            "" | "application/json" => {
                let bytes = to_bytes(request.into_body(), MOST_JSON).await;
                let bytes = bytes.map_err(|_| ApiError::too_large(MOST_JSON))?;
                let fields = if bytes.is_empty() { Ok(Map::new()) } else { serde_json::from_slice(&bytes) };
                let fields =
                    fields.map_err(|error| ApiError::bad_request(format!("JSON parse error - {error}")))?;
                Ok(read(None, fields))
            }
            other => Err(ApiError::unsupported_media_type(other)),
        }
    }
}

impl<T: JsonSchema> Describe for StreamedForm<T> {
    fn describe(to: &mut Describer) {
        to.take_file_or_fields::<T>();
    }
}

fn unreadable(error: &dyn std::fmt::Display) -> ApiError {
    ApiError::bad_request(format!("Multipart form parse error - {error}"))
}

impl<T> StreamedForm<T> {
    /// The fields of a JSON body; of a form there are none before its parts are read.
    pub fn fields(&self) -> &Map<String, Json> {
        &self.fields
    }

    /// The next part. `None` at the end of the form.
    ///
    /// # Errors
    /// 400 for what is no form, for a file in another part than `file`, and for a text that is too long.
    pub async fn next_part(&mut self) -> ApiResult<Option<StreamedPart<'_>>> {
        let Some(parts) = &mut self.parts else { return Ok(None) };
        let Some(part) = parts.next_field().await.map_err(|error| unreadable(&error))? else {
            return Ok(None);
        };
        let name = part.name().unwrap_or_default().to_owned();
        match part.file_name().map(str::to_owned) {
            Some(file) if name == "file" => {
                let media_type = part.content_type().unwrap_or_default().to_owned();
                let file = StreamedFile { name: file, media_type, content: part };
                Ok(Some(StreamedPart::File(Box::new(file))))
            }
            Some(_) => {
                let message = "Unknown file part. The file must be in \"file\".";
                Err(ApiError::invalid_field(&name, message))
            }
            None => {
                let text = text(&name, part).await?;
                Ok(Some(StreamedPart::Text(name, text)))
            }
        }
    }
}

async fn text(name: &str, mut part: Field<'_>) -> ApiResult<String> {
    let mut bytes = Vec::new();
    while let Some(piece) = part.chunk().await.map_err(|error| unreadable(&error))? {
        bytes.extend_from_slice(&piece);
        if bytes.len() > LONGEST_TEXT {
            return Err(ApiError::invalid_field(name, "The text is too long."));
        }
    }
    String::from_utf8(bytes).map_err(|_| ApiError::invalid_field(name, "Not a valid string."))
}

impl StreamedFile<'_> {
    /// The next piece. `None` at the end of the file.
    ///
    /// # Errors
    /// 400 when the body ends in the middle or is too large.
    pub async fn piece(&mut self) -> ApiResult<Option<Bytes>> {
        self.content.chunk().await.map_err(|error| unreadable(&error))
    }
}
