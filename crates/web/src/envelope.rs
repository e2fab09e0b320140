//! The answers of lists: numbered pages with a count, cursor pages without a count, and windows by offset. The store
//! finds the rows of a page.

use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use schemars::{JsonSchema, for_document};
use serde::Serialize;

use crate::describe::Answer;
#[for_document]
use crate::document::Describer;
use crate::{ApiError, ApiResult};

/// A page of a list. Pages have numbers.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Paginated{T}List")]
pub struct Page<T> {
    /// The number of rows in the whole list.
    pub count: i64,
    /// The address of the next page. Null on the last page.
    pub next: Option<String>,
    /// The address of the previous page. Null on the first page.
    pub previous: Option<String>,
    /// The rows of this page.
    pub results: Vec<T>,
}

/// A page of a list. Its place is a cursor.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "CursorPaginated{T}List")]
pub struct CursorPage<T> {
    /// The address of the next page. Null on the last page.
    pub next: Option<String>,
    /// The first page. Null if this is the first page.
    pub previous: Option<String>,
    /// The rows of this page.
    pub results: Vec<T>,
}

impl<T> Page<T> {
    /// The same page with its rows converted.
    pub fn map<W>(self, show: impl FnMut(T) -> W) -> Page<W> {
        let Page { count, next, previous, results } = self;
        Page { count, next, previous, results: results.into_iter().map(show).collect() }
    }
}

impl<T: Serialize> IntoResponse for Page<T> {
    fn into_response(self) -> Response {
        axum::Json(self).into_response()
    }
}

impl<T: JsonSchema> Answer for Page<T> {
    #[for_document]
    fn describe(to: &mut Describer) {
        to.answer_json::<Self>(200);
    }
}

impl<T: Serialize> IntoResponse for CursorPage<T> {
    fn into_response(self) -> Response {
        axum::Json(self).into_response()
    }
}

impl<T: JsonSchema> Answer for CursorPage<T> {
    #[for_document]
    fn describe(to: &mut Describer) {
        to.answer_json::<Self>(200);
    }
}

/// Writes the position after a row into an opaque cursor. A changed cursor is detected.
pub fn write_cursor(list: &str, keys: &[String]) -> String {
    let text = serde_json::json!([list, keys]).to_string();
    let check = &crate::token::hash(&text)[..8];
    URL_SAFE_NO_PAD.encode(format!("{check}{text}"))
}

/// Reads a cursor of the given list. Anything else is 400.
pub fn read_cursor(list: &str, cursor: &str, keys: usize) -> ApiResult<Vec<String>> {
    let parsed = URL_SAFE_NO_PAD.decode(cursor).ok().and_then(|bytes| {
        let text = String::from_utf8(bytes).ok()?;
        let (check, text) = text.split_at_checked(8)?;
        let (of, keys): (String, Vec<String>) = serde_json::from_str(text).ok()?;
        (crate::token::hash(text)[..8] == *check && of == list).then_some(keys)
    });
    parsed
        .filter(|found| found.len() == keys && found.iter().all(|key| !key.contains('\0')))
        .ok_or_else(|| ApiError::invalid_field("cursor", "Invalid cursor."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_only_for_its_list_and_untouched() {
        let cursor = write_cursor("members", &["a".into(), "b".into()]);
        assert_eq!(read_cursor("members", &cursor, 2).unwrap(), ["a", "b"]);
        assert!(read_cursor("audit", &cursor, 2).is_err());
        assert!(read_cursor("members", &cursor[1..], 2).is_err());
        assert!(read_cursor("members", "", 2).is_err());
    }
}
