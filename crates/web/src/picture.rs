//! Pictures as answers, such as the logo of the workspace. Other successful answers are in `reply.rs`.

use axum::response::{IntoResponse, Response};
use http::header;

use crate::describe::Answer;
#[for_document]
use crate::document::Describer;
use crate::schema::for_document;

/// A picture that everybody may see and that caches may keep as long as its tag is the same.
#[derive(Debug)]
pub struct Picture {
    /// Its media type.
    pub media_type: String,
    /// What tells it from every other one.
    pub tag: String,
    /// Its bytes.
    pub content: Vec<u8>,
}

impl IntoResponse for Picture {
    fn into_response(self) -> Response {
        let headers = [
            (header::CONTENT_TYPE, self.media_type),
            (header::ETAG, format!("\"{}\"", self.tag)),
            (header::CACHE_CONTROL, "public, max-age=300".to_owned()),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
            (header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'".to_owned()),
        ];
        (headers, self.content).into_response()
    }
}

impl Answer for Picture {
    #[for_document]
    fn describe(to: &mut Describer) {
        to.answer_file("image/*");
    }
}
