//! Forms that are read piece by piece, for files that are too large to be held. Any other body gives the same fields
//! without a file.

use std::time::Duration;

use axum::RequestExt;
use axum::body::{Bytes, to_bytes};
use axum::extract::multipart::{Field, Multipart, MultipartError};
use axum::extract::{FromRequest, Request};
use serde_json::{Map, Value as Json};
use tokio::time::{Instant, timeout_at};

use crate::body::{media_type, object_of};
use crate::describe::Describe;
#[for_document]
use crate::document::Describer;
use crate::ignored::{Ignored, read_noted};
use crate::input::Input;
use crate::schema::{JsonSchema, for_document};
use crate::{ApiError, ApiResult, App};

/// The largest body without a file, in bytes.
const MOST_TEXT: usize = 64 * 1024;
/// The longest text of a plain field, in bytes.
const LONGEST_TEXT: usize = 64 * 1024;

/// A form must arrive at this rate at least, beside the time that any body has.
const LEAST_BYTES_A_SECOND: u64 = 16 * 1024;

/// How long a form may take: as long as any body, and longer the more of it has come.
#[derive(Debug)]
struct Pace {
    began: Instant,
    limit: Duration,
    bytes: u64,
}

impl Pace {
    /// Waits for the next of a form.
    async fn wait<T>(&self, next: impl Future<Output = Result<T, MultipartError>>) -> ApiResult<T> {
        let longer = Duration::from_secs(self.bytes / LEAST_BYTES_A_SECOND);
        let came = timeout_at(self.began + self.limit + longer, next).await;
        came.map_err(|_| ApiError::too_slow())?.map_err(|error| unreadable(&error))
    }

    /// The next piece of a part.
    async fn piece(&mut self, part: &mut Field<'_>) -> ApiResult<Option<Bytes>> {
        let piece = self.wait(part.chunk()).await?;
        self.bytes += piece.as_ref().map_or(0, |piece| piece.len() as u64);
        Ok(piece)
    }
}

/// A form before it is read. `T` describes its plain fields.
#[derive(Debug)]
pub struct StreamedForm<T> {
    parts: Option<Multipart>,
    fields: Map<String, Json>,
    ignored: Option<Ignored>,
    pace: Pace,
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
    pace: &'a mut Pace,
}

impl<T: JsonSchema + Send> FromRequest<App> for StreamedForm<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> ApiResult<Self> {
        let ignored = Ignored::of(&request);
        let pace = Pace { began: Instant::now(), limit: app.settings.body_deadline, bytes: 0 };
        let read =
            |parts, fields| Self { parts, fields, ignored, pace, fields_are: std::marker::PhantomData };
        if media_type(&request) == "multipart/form-data" {
            let parts = request.extract::<Multipart, _>().await.map_err(|error| unreadable(&error))?;
            return Ok(read(Some(parts), Map::new()));
        }
        let (head, body) = request.into_parts();
        let bytes = to_bytes(body, MOST_TEXT).await.map_err(|_| ApiError::too_large(MOST_TEXT))?;
        Ok(read(None, object_of(Request::from_parts(head, bytes.into())).await?))
    }
}

impl<T: JsonSchema> Describe for StreamedForm<T> {
    const BODY: bool = true;

    #[for_document]
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

    /// What the plain fields say.
    ///
    /// # Errors
    /// 400 for wrong values, and for unknown fields if the caller asked for that.
    pub fn request(&self, fields: &Map<String, Json>) -> ApiResult<T>
    where
        T: Input,
    {
        read_noted(self.ignored.as_ref(), fields)
    }

    /// The next part. `None` at the end of the form.
    ///
    /// # Errors
    /// 408 if it does not come in time. 400 for what is no form, for a file in another part than `file`, and for a text that is too long.
    pub async fn next_part(&mut self) -> ApiResult<Option<StreamedPart<'_>>> {
        let (Some(parts), pace) = (&mut self.parts, &mut self.pace) else { return Ok(None) };
        let Some(part) = pace.wait(parts.next_field()).await? else { return Ok(None) };
        let name = part.name().unwrap_or_default().to_owned();
        match part.file_name().map(str::to_owned) {
            Some(file) if name == "file" => {
                let media_type = part.content_type().unwrap_or_default().to_owned();
                let file = StreamedFile { name: file, media_type, content: part, pace };
                Ok(Some(StreamedPart::File(Box::new(file))))
            }
            Some(_) => {
                let message = "Unknown file part. The file must be in \"file\".";
                Err(ApiError::invalid_field(&name, message))
            }
            None => {
                let text = text(&name, part, pace).await?;
                Ok(Some(StreamedPart::Text(name, text)))
            }
        }
    }
}

async fn text(name: &str, mut part: Field<'_>, pace: &mut Pace) -> ApiResult<String> {
    let mut bytes = Vec::new();
    while let Some(piece) = pace.piece(&mut part).await? {
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
    /// 400 when the body ends in the middle or is too large, 408 if it does not come in time.
    pub async fn piece(&mut self) -> ApiResult<Option<Bytes>> {
        self.pace.piece(&mut self.content).await
    }
}
