//! The parameters of numbered lists: `page`, `page_size`, `ordering` and `search` (decisions, Lists). Each list says
//! how it can be ordered.

use axum::extract::FromRequestParts;
use http::Uri;
use http::header::HOST;
use http::request::Parts;
use planwright_store::page::{Key, Listing};
use planwright_store::{FromRow, Read, Slice, Sql, page};

use crate::describe::Describe;
#[for_document]
use crate::document::Describer;
use crate::envelope::Page;
use crate::input;
use crate::input::{Int, Name, Patch};
use crate::schema::for_document;
use crate::{ApiError, ApiResult, App, Query};

/// The page size by default.
pub const DEFAULT_SIZE: i64 = 50;
/// The largest page size.
pub const LARGEST_SIZE: i64 = 500;

input! {
    /// The parameters of a list.
    pub struct PagingQuery {
        /// The page, from 1.
        page: Patch<Name<1, 1000>>,
        /// The number of rows of a page. The default is 50.
        page_size: Patch<Int<1, 1_000_000>>,
        /// A field to sort by. A leading `-` reverses the order.
        ordering: Patch<Name<0, 100>>,
        /// A text to search for.
        search: Patch<Name<0, 200>>,
    }
}

/// The requested page of a list.
#[derive(Clone, Debug)]
pub struct Paging {
    /// The page, from 1.
    pub page: i64,
    /// The number of rows of a page.
    pub size: i64,
    /// The field to sort by, with a leading `-` to reverse the order.
    pub ordering: Option<String>,
    /// The text to search for. Never blank.
    pub search: Option<String>,
    url: String,
    query: String,
}

impl FromRequestParts<App> for Paging {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let Query(asked) = Query::<PagingQuery>::from_request_parts(parts, app).await?;
        let number = asked.page.given().map(|page| page.parse::<i64>());
        let page = match number {
            None => 1,
            Some(Ok(page)) if page >= 1 => page,
            Some(_) => return Err(ApiError::not_found()),
        };
        let size = asked.page_size.given().map_or(DEFAULT_SIZE, i64::from);
        let text =
            |patch: Patch<Name<0, 100>>| patch.given().map(String::from).filter(|text| !text.is_empty());
        Ok(Self {
            page,
            size: size.min(LARGEST_SIZE),
            ordering: text(asked.ordering),
            search: asked.search.given().map(String::from).filter(|text| !text.is_empty()),
            url: absolute_url(app, parts),
            query: parts.uri.query().unwrap_or_default().to_owned(),
        })
    }
}

/// The address of the request as the caller wrote it, without the query.
pub fn absolute_url(app: &App, parts: &Parts) -> String {
    format!("{}{}", origin(app, &parts.headers, &parts.uri), parts.uri.path())
}

/// The scheme and the host of links to this server.
pub fn origin(app: &App, headers: &http::HeaderMap, uri: &Uri) -> String {
    if !app.settings.public_url.is_empty() {
        return app.settings.public_url.trim_end_matches('/').to_owned();
    }
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let scheme = match app.settings.proxies {
        0 => "http",
        _ => header("x-forwarded-proto").unwrap_or("http"),
    };
    let host = header(HOST.as_str()).or_else(|| uri.host()).unwrap_or("localhost");
    format!("{scheme}://{host}")
}

impl Describe for Paging {
    const QUERY: &'static [&'static str] = Query::<PagingQuery>::QUERY;

    #[for_document]
    fn describe(to: &mut Describer) {
        to.take_query::<PagingQuery>();
    }
}

/// The fields by which a list can be ordered: name and column.
pub type Orderings = &'static [(&'static str, &'static str)];

impl Paging {
    /// The keys to sort by: the requested ones if they are allowed, otherwise the default. The last key is always the
    /// unique id.
    pub fn keys(&self, allowed: Orderings, default: &[Key], id: &'static str) -> ApiResult<Vec<Key>> {
        let Some(request) = &self.ordering else {
            return Ok(default.iter().copied().chain([Key::ascending(id)]).collect());
        };
        let mut keys = Vec::new();
        for part in request.split(',').map(str::trim) {
            let (name, descending) = part.strip_prefix('-').map_or((part, false), |name| (name, true));
            let column = allowed.iter().find(|(wire, _)| *wire == name).map(|(_, column)| *column);
            let Some(column) = column else {
                let names: Vec<&str> = allowed.iter().map(|(wire, _)| *wire).collect();
                let problem = format!("\"{name}\" is not a valid choice. Choose from: {}.", names.join(", "));
                return Err(ApiError::invalid_field("ordering", problem));
            };
            keys.push(Key { column, descending, with_gaps: column != id });
        }
        keys.push(Key::ascending(id));
        Ok(keys)
    }

    /// Reads the page, or 404 if it is after the last one.
    pub async fn fetch<T: FromRow + Send, W>(
        &self,
        db: &dyn Read,
        select: &str,
        from: Sql,
        id: &'static str,
        keys: &[Key],
        show: impl Fn(T) -> W,
    ) -> ApiResult<Page<W>> {
        let slice = self.slice_of(db, select, from.into(), id, keys).await?;
        Ok(self.envelope(slice.count, slice.rows.into_iter().map(show).collect()))
    }

    /// The rows of the page without an envelope, for a list that is counted and ordered with few tables and shown
    /// with more.
    pub async fn slice_of<T: FromRow + Send>(
        &self,
        db: &dyn Read,
        select: &str,
        list: Listing,
        id: &'static str,
        keys: &[Key],
    ) -> ApiResult<Slice<T>> {
        let slice = page::numbered::<T>(db, select, list, id, keys, (self.page, self.size)).await?;
        slice.ok_or_else(ApiError::not_found)
    }

    /// The page of rows that were read in another way.
    pub fn envelope<W>(&self, count: i64, results: Vec<W>) -> Page<W> {
        let pages = count.div_euclid(self.size) + i64::from(count % self.size != 0);
        Page {
            count,
            next: (self.page < pages).then(|| self.link(self.page + 1)),
            previous: (self.page > 1).then(|| self.link(self.page - 1)),
            results,
        }
    }

    /// The number of rows before the page, or 404 if it is after the last of `count` rows.
    pub fn offset_in(&self, count: i64) -> ApiResult<i64> {
        let offset = (self.page - 1).saturating_mul(self.size);
        match offset > 0 && offset >= count {
            true => Err(ApiError::not_found()),
            false => Ok(offset),
        }
    }

    fn link(&self, page: i64) -> String {
        let others = self.query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("page="));
        let mut query: Vec<String> = others.map(str::to_owned).collect();
        if page > 1 {
            query.push(format!("page={page}"));
        }
        match query.is_empty() {
            true => self.url.clone(),
            false => format!("{}?{}", self.url, query.join("&")),
        }
    }
}
