//! A body whose exact bytes a signature is about, with the headers that came with it. Nothing of it is read before the
//! signature was checked.

use axum::body::{Bytes, to_bytes};
use axum::extract::{FromRequest, Request};
use http::HeaderMap;
use serde_json::Value as Json;

use crate::body::submitted_text;
use crate::describe::Describe;
#[for_document]
use crate::document::Describer;
use crate::schema::for_document;
use crate::{ApiError, ApiResult, App};

/// The body as it was sent.
#[derive(Clone, Debug)]
pub struct SignedBody {
    /// The headers.
    pub headers: HeaderMap,
    /// The bytes.
    pub bytes: Bytes,
}

impl SignedBody {
    /// A header as text; blank without it.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The document in it, which a form may have in the field `payload`.
    pub fn document(&self) -> Option<Json> {
        match self.header("content-type").split(';').next().unwrap_or_default().trim() {
            "application/x-www-form-urlencoded" => {
                let payload = submitted_text(&self.headers, &self.bytes, "payload")?;
                serde_json::from_str(&payload).ok()
            }
            _ => serde_json::from_slice(&self.bytes).ok(),
        }
    }
}

impl FromRequest<App> for SignedBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> ApiResult<Self> {
        let (parts, body) = request.into_parts();
        // The guard has read and bounded it already.
        let bytes = to_bytes(body, usize::MAX).await.map_err(|error| ApiError::unexpected(error.into()))?;
        Ok(Self { headers: parts.headers, bytes })
    }
}

impl Describe for SignedBody {
    const BODY: bool = true;

    #[for_document]
    fn describe(to: &mut Describer) {
        to.take_open_body::<crate::schema::JsonObject>();
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use http::header::CONTENT_TYPE;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_document_is_the_body_or_a_field_of_a_form() {
        let body = |media: &'static str, bytes: &'static [u8]| {
            let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(media))]);
            SignedBody { headers, bytes: Bytes::from_static(bytes) }
        };
        assert_eq!(body("application/json", b"{\"a\":1}").document(), Some(json!({"a": 1})));
        let form = body("application/x-www-form-urlencoded", b"x=1&payload=%7B%22a%22%3A1%7D");
        assert_eq!(form.document(), Some(json!({"a": 1})));
        assert_eq!(body("application/json", b"{").document(), None);
        assert_eq!(body("application/x-www-form-urlencoded", b"x=1").document(), None);
    }
}
