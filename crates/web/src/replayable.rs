//! Answers that may be stored ones of an earlier request, and the header that says so. What stores them is `idempotency.rs` or
//! the handler.

use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue};

use crate::describe::Answer;
#[for_document]
use crate::document::Describer;
use crate::schema::for_document;

/// Says that an answer is the stored one of an earlier request.
pub(crate) const IDEMPOTENT_REPLAY: HeaderName = HeaderName::from_static("idempotent-replay");

/// An answer, and whether it is the stored one of an earlier request. Then the header `Idempotent-Replay` says so.
#[derive(Debug)]
pub struct Replayable<A> {
    /// The answer.
    pub answer: A,
    /// Whether it was stored.
    pub is_replay: bool,
}

impl<A: IntoResponse> IntoResponse for Replayable<A> {
    fn into_response(self) -> Response {
        let mut response = self.answer.into_response();
        if self.is_replay {
            response.headers_mut().insert(IDEMPOTENT_REPLAY, HeaderValue::from_static("true"));
        }
        response
    }
}

impl<A: Answer> Answer for Replayable<A> {
    #[for_document]
    fn describe(to: &mut Describer) {
        A::describe(to);
    }
}
