//! Windows of a list by `limit` and `offset`, for the few lists that use them. Numbered pages are in `paging.rs`.
//! Both have the same form of answer.

use axum::extract::FromRequestParts;
use http::request::Parts;

use crate::describe::Describe;
#[for_document]
use crate::document::Describer;
use crate::envelope::Page;
use crate::input;
use crate::input::Patch;
use crate::paging::absolute_url;
use crate::schema::for_document;
use crate::{ApiError, ApiResult, App, Query};

input! {
    /// Which rows of a list to answer.
    pub struct WindowQuery {
        /// How many rows.
        limit: Patch<i64>,
        /// The number of rows to skip.
        offset: Patch<i64>,
    }
}

/// The requested window: `DEFAULT` rows by default, and never more than `LARGEST`.
#[derive(Clone, Debug)]
pub struct Window<const DEFAULT: i64, const LARGEST: i64> {
    /// How many rows.
    pub limit: i64,
    /// The number of rows before them.
    pub offset: i64,
    url: String,
    others: Vec<String>,
}

impl<const DEFAULT: i64, const LARGEST: i64> FromRequestParts<App> for Window<DEFAULT, LARGEST> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let Query(asked) = Query::<WindowQuery>::from_request_parts(parts, app).await?;
        let limit = asked.limit.given().unwrap_or(DEFAULT);
        let offset = asked.offset.given().unwrap_or(0);
        if limit < 1 {
            return Err(ApiError::invalid_field("limit", "Must be at least 1."));
        }
        if offset < 0 {
            return Err(ApiError::invalid_field("offset", "Must be at least 0."));
        }
        let others = parts.uri.query().unwrap_or_default().split('&');
        let others = others
            .filter(|pair| !["", "limit", "offset"].contains(&pair.split('=').next().unwrap_or_default()));
        Ok(Self {
            limit: limit.min(LARGEST),
            offset,
            url: absolute_url(app, parts),
            others: others.map(str::to_owned).collect(),
        })
    }
}

impl<const DEFAULT: i64, const LARGEST: i64> Window<DEFAULT, LARGEST> {
    /// The answer with the rows and the links to the next and previous windows.
    pub fn envelope<W>(&self, count: i64, results: Vec<W>) -> Page<W> {
        let end = self.offset.saturating_add(self.limit);
        Page {
            count,
            next: (end < count).then(|| self.link(end)),
            previous: (self.offset > 0).then(|| self.link((self.offset - self.limit).max(0))),
            results,
        }
    }

    fn link(&self, offset: i64) -> String {
        let mut query = self.others.clone();
        query.push(format!("limit={}", self.limit));
        if offset > 0 {
            query.push(format!("offset={offset}"));
        }
        format!("{}?{}", self.url, query.join("&"))
    }
}

impl<const DEFAULT: i64, const LARGEST: i64> Describe for Window<DEFAULT, LARGEST> {
    const QUERY: &'static [&'static str] = Query::<WindowQuery>::QUERY;

    #[for_document]
    fn describe(to: &mut Describer) {
        to.take_query::<WindowQuery>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(limit: i64, offset: i64) -> Window<50, 500> {
        Window { limit, offset, url: "/list".into(), others: vec!["a=1".into()] }
    }

    #[test]
    fn neighbours_are_linked_while_there_are_any() {
        let first = window(2, 0).envelope(5, vec![1, 2]);
        assert_eq!(first.next.as_deref(), Some("/list?a=1&limit=2&offset=2"));
        assert_eq!(first.previous, None);
        let middle = window(2, 1).envelope(5, vec![2, 3]);
        assert_eq!(middle.previous.as_deref(), Some("/list?a=1&limit=2"));
        let last = window(2, 4).envelope(5, vec![5]);
        assert_eq!(last.next, None);
        assert_eq!(last.previous.as_deref(), Some("/list?a=1&limit=2&offset=2"));
        assert_eq!(window(2, i64::MAX).envelope(5, Vec::<i64>::new()).next, None);
    }
}
