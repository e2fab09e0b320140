//! The parameters of lists with a cursor, `cursor` and `page_size`, and the links between their pages. `envelope.rs`
//! writes and checks cursors. Each list defines its order.

use axum::extract::FromRequestParts;
use http::request::Parts;

use crate::describe::Describe;
#[for_document]
use crate::document::Describer;
use crate::envelope::{CursorPage, read_cursor, write_cursor};
use crate::input;
use crate::input::{Name, Patch};
use crate::paging::{DEFAULT_SIZE, absolute_url};
use crate::schema::for_document;
use crate::{ApiError, ApiResult, App, Query};

/// The largest page size of these lists.
pub const LARGEST_SIZE: i64 = 200;

input! {
    /// The parameters of a list with a cursor.
    pub struct CursorQuery {
        /// The start of the page. Take it from `next` of the previous page.
        cursor: Patch<Name<1, 2000>>,
        /// The number of rows of a page. The default is 50.
        page_size: Patch<i64>,
    }
}

/// The requested page of a list with a cursor.
#[derive(Clone, Debug)]
pub struct CursorPaging {
    /// The number of rows of a page.
    pub size: i64,
    cursor: Option<String>,
    url: String,
    query: String,
}

impl FromRequestParts<App> for CursorPaging {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let Query(asked) = Query::<CursorQuery>::from_request_parts(parts, app).await?;
        let size = asked.page_size.given().unwrap_or(DEFAULT_SIZE);
        if size < 1 {
            return Err(ApiError::invalid_field("page_size", "Must be at least 1."));
        }
        Ok(Self {
            size: size.min(LARGEST_SIZE),
            cursor: asked.cursor.given().map(String::from),
            url: absolute_url(app, parts),
            query: parts.uri.query().unwrap_or_default().to_owned(),
        })
    }
}

impl Describe for CursorPaging {
    const QUERY: &'static [&'static str] = Query::<CursorQuery>::QUERY;

    #[for_document]
    fn describe(to: &mut Describer) {
        to.take_query::<CursorQuery>();
    }
}

impl CursorPaging {
    /// The key values of the last row of the page before. `None` on the first page.
    pub fn after(&self, list: &str, keys: usize) -> ApiResult<Option<Vec<String>>> {
        self.cursor.as_deref().map(|cursor| read_cursor(list, cursor, keys)).transpose()
    }

    /// The page of rows that were read with one row more than the page has.
    pub fn envelope<T, W>(
        &self,
        list: &str,
        rows: Vec<T>,
        keys: impl Fn(&T) -> Vec<String>,
        show: impl FnMut(T) -> W,
    ) -> CursorPage<W> {
        let (rows, next) = self.slice(list, rows, keys);
        CursorPage {
            next: next.map(|cursor| self.link(Some(&cursor))),
            previous: self.cursor.as_ref().map(|_| self.link(None)),
            results: rows.into_iter().map(show).collect(),
        }
    }

    /// The rows of the page, of which one more than the page has was read, and the cursor of the next page.
    pub fn slice<T>(
        &self,
        list: &str,
        mut rows: Vec<T>,
        keys: impl Fn(&T) -> Vec<String>,
    ) -> (Vec<T>, Option<String>) {
        let size = usize::try_from(self.size).unwrap_or(usize::MAX);
        let more = rows.len() > size;
        rows.truncate(size);
        let next = rows.last().filter(|_| more).map(|row| write_cursor(list, &keys(row)));
        (rows, next)
    }

    fn link(&self, cursor: Option<&str>) -> String {
        let others = self.query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("cursor="));
        let query: Vec<String> =
            others.map(str::to_owned).chain(cursor.map(|cursor| format!("cursor={cursor}"))).collect();
        match query.is_empty() {
            true => self.url.clone(),
            false => format!("{}?{}", self.url, query.join("&")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paging(query: &str, cursor: Option<&str>) -> CursorPaging {
        let (url, query) = ("http://host/list/".to_owned(), query.to_owned());
        CursorPaging { size: 2, cursor: cursor.map(str::to_owned), url, query }
    }

    #[test]
    fn a_full_page_links_to_the_rows_behind_its_last_one() {
        let keys = |row: &&str| vec![(*row).to_owned()];
        let page = paging("page_size=2", None).envelope("letters", vec!["a", "b", "c"], keys, |row| row);
        assert_eq!((page.results, page.previous), (vec!["a", "b"], None));
        let next = page.next.unwrap();
        let (before, cursor) = next.split_once("&cursor=").unwrap();
        assert_eq!(before, "http://host/list/?page_size=2");
        assert_eq!(paging("", Some(cursor)).after("letters", 1).unwrap(), Some(vec!["b".to_owned()]));
    }

    #[test]
    fn the_last_page_links_only_back_to_the_first() {
        let keys = |row: &&str| vec![(*row).to_owned()];
        let page = paging("cursor=x", Some("x")).envelope("letters", vec!["c"], keys, |row| row);
        assert_eq!((page.next, page.previous.as_deref()), (None, Some("http://host/list/")));
    }
}
