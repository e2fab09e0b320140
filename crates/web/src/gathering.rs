//! Reads that gather sections from several places. A section that breaks leaves the others whole: the answer is then
//! 503 with `failed`, which names it (contract 2, Errors). The cause is logged and never shown.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use schemars::{JsonSchema, for_document};
use serde::Serialize;

use crate::describe::Answer;
#[for_document]
use crate::document::Describer;
use crate::{ApiError, request_id};

/// The sections of one answer, while they are read.
#[derive(Debug, Default)]
pub struct Gathering {
    failed: Vec<&'static str>,
}

impl Gathering {
    /// What was read for a section. A section that broke is empty, and the answer names it.
    pub fn section<T: Default>(&mut self, name: &'static str, read: Result<T, impl Into<ApiError>>) -> T {
        read.map_err(Into::into).unwrap_or_else(|error: ApiError| {
            tracing::error!(request_id = %request_id::current(), section = name, ?error, "a section could not be read");
            self.failed.push(name);
            T::default()
        })
    }

    /// The answer: 200 if every section could be read, otherwise 503.
    pub fn answer<T>(self, body: T) -> Gathered<T> {
        Gathered { body, failed: self.failed.join(", ") }
    }
}

/// An answer with several sections: 200, or 503 with the sections that could be read and `failed`.
#[derive(Debug)]
pub struct Gathered<T> {
    body: T,
    failed: String,
}

/// The sections that could be read, and the name of the one that could not.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Incomplete{T}")]
struct Incomplete<T> {
    #[serde(flatten)]
    body: T,
    /// The section that could not be read; several are separated by a comma and a space.
    failed: String,
}

impl<T: Serialize> IntoResponse for Gathered<T> {
    fn into_response(self) -> Response {
        let Self { body, failed } = self;
        if failed.is_empty() {
            return axum::Json(body).into_response();
        }
        let body = axum::Json(Incomplete { body, failed });
        let mut response = (StatusCode::SERVICE_UNAVAILABLE, body).into_response();
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        response
    }
}

impl<T: JsonSchema> Answer for Gathered<T> {
    #[for_document]
    fn describe(to: &mut Describer) {
        to.answer_json::<T>(StatusCode::OK.as_u16());
        to.answer_json::<Incomplete<T>>(StatusCode::SERVICE_UNAVAILABLE.as_u16());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_that_breaks_is_named_and_the_others_stay() {
        let mut gathering = Gathering::default();
        let whole = gathering.section("whole", Ok::<_, ApiError>(vec![1]));
        let broken: Vec<i32> = gathering.section("broken", Err(ApiError::not_found()));
        assert_eq!((whole, broken), (vec![1], Vec::new()));
        assert_eq!(gathering.answer(()).failed, "broken");
    }

    #[test]
    fn the_answer_is_503_only_if_a_section_broke() {
        let answer = |gathering: Gathering| gathering.answer(serde_json::json!({})).into_response().status();
        assert_eq!(answer(Gathering::default()), StatusCode::OK);
        let mut broken = Gathering::default();
        broken.section::<i32>("a", Err(ApiError::not_found()));
        assert_eq!(answer(broken), StatusCode::SERVICE_UNAVAILABLE);
    }
}
