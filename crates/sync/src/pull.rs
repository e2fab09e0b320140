//! What every pull has in common: its parameters, its answer, and the cursor from page to page. What is read, and by
//! which counters, is in `project/` and `programs.rs`.

use std::collections::BTreeMap;

use planwright_store::{FromRow, Result, StoreError};
use planwright_web::envelope::{read_cursor, write_cursor};
use planwright_web::input::{Int, Name, Patch};
use planwright_web::{ApiError, ApiResult, input};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;
use uuid::Uuid;

use crate::watermarks::Reading;

/// Rows of a page, over all collections, unless the client says otherwise.
const DEFAULT_SIZE: i64 = 1000;
/// The most rows of a page.
const LARGEST_SIZE: i64 = 5000;

input! {
    /// The parameters of a pull.
    pub struct SyncQuery {
        /// The `timestamp` of the last pull that was read to its end. 0 reads everything.
        since: Patch<Int<0, 9_007_199_254_740_991>>,
        /// The start of the page. Take it from `next_cursor` of the previous page.
        cursor: Patch<Name<1, 2000>>,
        /// The number of rows of a page, over all collections. The default is 1000, and the maximum is 5000.
        page_size: Patch<i64>,
    }
}

/// What changed since a pull.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SyncPullResponse {
    /// For each collection: `created`, which is always empty, `updated` with whole rows, and `deleted` with ids.
    pub changes: BTreeMap<&'static str, Changes>,
    /// Where the next pull starts. Keep it when the last page is read.
    pub timestamp: i64,
    /// The next page. Null on the last page.
    pub next_cursor: Option<String>,
    /// Whether there is another page.
    pub has_more: bool,
    /// Whether the pages contain everything that there is. Then rows that they do not contain are gone.
    pub is_full: bool,
}

/// The changes of a collection.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Changes {
    /// Always empty. New rows are in `updated`.
    pub created: Vec<Json>,
    /// Rows as they are now.
    pub updated: Vec<Json>,
    /// The ids of rows that are gone, or that the caller may not see any more.
    pub deleted: Vec<Uuid>,
}

/// A row of a collection that changed.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) number: i64,
    pub(crate) id: Uuid,
    /// The row. `None` if it is gone.
    pub(crate) row: Option<Json>,
}

/// A row type of a collection.
pub(crate) trait Changed: FromRow + Serialize + Send {
    /// The number of its last change, its id, and whether it is gone.
    fn stamp(&self) -> (i64, Uuid, bool);
}

/// Declares the row of a collection: what every one has, and the fields that are its own.
macro_rules! changed {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)? }) => {
        planwright_store::row! {
            $(#[$meta])*
            #[derive(serde::Serialize)]
            $vis struct $name {
                #[serde(skip)]
                number: i64,
                pub(crate) id: uuid::Uuid,
                #[serde(skip)]
                is_gone: bool,
                server_version: i64,
                $($(#[$field_meta])* $field: $type,)*
            }
        }

        impl $crate::pull::Changed for $name {
            fn stamp(&self) -> (i64, uuid::Uuid, bool) {
                (self.number, self.id, self.is_gone)
            }
        }
    };
}

pub(crate) use changed;

impl Found {
    /// The row as it is sent.
    pub(crate) fn of(row: impl Changed) -> Result<Self> {
        let (number, id, is_gone) = row.stamp();
        let row = match is_gone {
            true => None,
            false => Some(serde_json::to_value(row).map_err(|error| StoreError::Unexpected(error.into()))?),
        };
        Ok(Self { number, id, row })
    }
}

impl Changes {
    /// Takes in rows that changed.
    pub(crate) fn take(&mut self, rows: Vec<Found>) {
        for found in rows {
            match found.row {
                Some(row) => self.updated.push(row),
                None => self.deleted.push(found.id),
            }
        }
    }
}

/// The place of a page in a pull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// What the client had read before the pull.
    pub(crate) since: i64,
    /// What it will have read after it.
    pub(crate) until: i64,
    /// The collection that the page starts in.
    pub(crate) collection: usize,
    /// The last row before the page.
    pub(crate) after: (i64, Uuid),
}

impl Position {
    /// The first page of a pull.
    pub(crate) fn first(since: i64, until: i64) -> Self {
        Self { since, until, collection: 0, after: (0, Uuid::nil()) }
    }

    fn list(reading: Reading) -> String {
        format!("sync {} {}", reading.place, reading.user)
    }

    /// The cursor of the page. Only this person can use it, and only for this place.
    pub(crate) fn cursor(self, reading: Reading) -> String {
        let (number, id) = self.after;
        let keys = [
            self.since.to_string(),
            self.until.to_string(),
            self.collection.to_string(),
            number.to_string(),
            id.to_string(),
        ];
        write_cursor(&Self::list(reading), &keys)
    }

    /// The page of a cursor.
    ///
    /// # Errors
    /// 400 for a cursor of something else.
    pub(crate) fn read(reading: Reading, cursor: &str) -> ApiResult<Self> {
        let keys = read_cursor(&Self::list(reading), cursor, 5)?;
        let parsed = || {
            let [since, until, collection, number, id] = keys.as_slice() else { return None };
            Some(Self {
                since: since.parse().ok()?,
                until: until.parse().ok()?,
                collection: collection.parse().ok()?,
                after: (number.parse().ok()?, id.parse().ok()?),
            })
        };
        parsed().ok_or_else(|| ApiError::invalid_field("cursor", "The cursor is not valid."))
    }
}

/// A page under way: it takes rows of one collection after the other until it is full.
#[derive(Debug)]
pub(crate) struct PageUnderWay {
    changes: BTreeMap<&'static str, Changes>,
    start: Position,
    left: usize,
    next: Option<Position>,
}

impl PageUnderWay {
    /// An empty page. Every collection is named in its answer.
    pub(crate) fn new(collections: impl Iterator<Item = &'static str>, start: Position, size: usize) -> Self {
        let changes = collections.map(|name| (name, Changes::default())).collect();
        Self { changes, start, left: size, next: None }
    }

    /// How many rows of the next collection tell whether there is another page.
    pub(crate) fn wanted(&self) -> usize {
        self.left + 1
    }

    /// Whether it has all its rows.
    pub(crate) fn is_full(&self) -> bool {
        self.next.is_some()
    }

    /// The row of a collection before the first one that is wanted.
    pub(crate) fn after(&self, collection: usize) -> (i64, Uuid) {
        if collection == self.start.collection { self.start.after } else { Position::first(0, 0).after }
    }

    /// Takes the next rows of a collection, of which it may get one more than it has room for.
    pub(crate) fn take(&mut self, collection: usize, name: &'static str, mut found: Vec<Found>) {
        let has_more = found.len() > self.left;
        found.truncate(self.left);
        let last = found.last().map_or(self.after(collection), |found| (found.number, found.id));
        self.left -= found.len();
        self.changes.entry(name).or_default().take(found);
        if has_more {
            self.next = Some(Position { collection, after: last, ..self.start });
        }
    }

    /// The answer.
    pub(crate) fn answer(self, reading: Reading, is_full: bool) -> SyncPullResponse {
        SyncPullResponse {
            changes: self.changes,
            timestamp: self.start.until,
            has_more: self.next.is_some(),
            next_cursor: self.next.map(|next| next.cursor(reading)),
            is_full,
        }
    }
}

/// What a client asks for.
#[derive(Debug)]
pub(crate) struct Asked {
    /// What it had read before. 0 is nothing.
    pub(crate) since: i64,
    /// The page, unless it is the first one.
    pub(crate) page: Option<Position>,
    /// The most rows of the page.
    pub(crate) size: usize,
}

impl Asked {
    /// Reads the parameters.
    ///
    /// # Errors
    /// 400 for a wrong size or cursor.
    pub(crate) fn read(query: SyncQuery, reading: Reading) -> ApiResult<Self> {
        let size = query.page_size.given().unwrap_or(DEFAULT_SIZE);
        if size < 1 {
            return Err(ApiError::invalid_field("page_size", "Must be at least 1."));
        }
        let page = query.cursor.given().map(|cursor| Position::read(reading, cursor.as_str())).transpose()?;
        let since = page.map_or_else(|| query.since.given().map_or(0, i64::from), |page| page.since);
        Ok(Self { since, page, size: usize::try_from(size.min(LARGEST_SIZE)).unwrap_or(1) })
    }
}

/// The refusal of a cursor whose pull is not known any more.
pub(crate) fn too_old() -> ApiError {
    ApiError::invalid_field("cursor", "The cursor is too old. Start the pull again.")
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::UserId;

    use super::*;

    fn reading(user: u128, place: u128) -> Reading {
        Reading { user: UserId(Uuid::from_u128(user)), place: Uuid::from_u128(place) }
    }

    #[test]
    fn a_cursor_belongs_to_one_person_and_one_place() {
        let page = Position { collection: 3, after: (7, Uuid::from_u128(9)), ..Position::first(4, 5) };
        let cursor = page.cursor(reading(1, 2));
        assert_eq!(Position::read(reading(1, 2), &cursor).unwrap(), page);
        for other in [reading(1, 3), reading(3, 2)] {
            assert_eq!(Position::read(other, &cursor).unwrap_err().status(), 400);
        }
    }

    #[test]
    fn rows_that_are_gone_are_named_and_others_are_shown() {
        let mut changes = Changes::default();
        let row = |id, row| Found { number: 1, id: Uuid::from_u128(id), row };
        changes.take(vec![row(1, Some(Json::from("shown"))), row(2, None)]);
        assert_eq!((changes.updated, changes.deleted), (vec![Json::from("shown")], vec![Uuid::from_u128(2)]));
    }
}
