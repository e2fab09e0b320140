//! Pages of a list in one total order: numbered pages with one statement each, and cursors that stay valid when rows
//! are inserted. The web crate builds the answers around them.

use futures_util::future::BoxFuture;

use crate::engine::Engine;
use crate::row::{FromRow, Rows};
use crate::value::Value;
use crate::{Read, Result, Sql};

/// One key of a total order; the last one of an order must be unique.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The expression to sort by.
    pub column: &'static str,
    /// Largest first.
    pub descending: bool,
    /// Some rows may have no value. They come last in both directions.
    pub with_gaps: bool,
}

impl Key {
    /// Smallest first.
    pub const fn ascending(column: &'static str) -> Self {
        Self { column, descending: false, with_gaps: false }
    }

    /// Largest first.
    pub const fn descending(column: &'static str) -> Self {
        Self { column, descending: true, with_gaps: false }
    }
}

/// A slice of a list.
#[derive(Debug)]
pub struct Slice<T> {
    /// The number of rows in the whole list.
    pub count: i64,
    /// The state at which they were counted, if the list has a state and at least one row.
    pub state: Option<i64>,
    /// The rows of this page.
    pub rows: Vec<T>,
}

/// `ORDER BY` text, the same on both engines.
///
/// A column that always has a value gets the order of NULLs that an index reads fastest, on PostgreSQL also
/// backwards.
fn order_by(keys: &[Key], reversed: bool) -> String {
    let part = |key: &Key| {
        let descending = key.descending != reversed;
        let nulls_first = if key.with_gaps { reversed } else { descending };
        let direction = if descending { "DESC" } else { "ASC" };
        format!("{} {direction} NULLS {}", key.column, if nulls_first { "FIRST" } else { "LAST" })
    };
    let parts: Vec<String> = keys.iter().map(part).collect();
    format!(" ORDER BY {}", parts.join(", "))
}

/// A list. Its statements are the parts after the select list (`FROM … WHERE …`).
#[derive(Clone, Debug)]
pub struct Listing {
    /// The statement for counting and ordering.
    pub narrow: Sql,
    /// The same with the tables that only the select list needs, for the rows of one page.
    pub wide: Option<Sql>,
    /// The check whether a stored count is still correct.
    pub remembered: Option<Remembered>,
}

/// A number in the database that rises with every change of the length of a list, and the count at one of its values.
#[derive(Clone, Debug)]
pub struct Remembered {
    /// The number, as an SQL expression with names that the list binds.
    pub state: &'static str,
    /// A value of the number and the count at that value.
    pub known: Option<(i64, i64)>,
}

impl From<Sql> for Listing {
    fn from(list: Sql) -> Self {
        Self { narrow: list, wide: None, remembered: None }
    }
}

impl Listing {
    /// The stored count, even if it is no longer correct.
    fn known_count(&self) -> Option<i64> {
        self.remembered.as_ref().and_then(|remembered| remembered.known).map(|(_, count)| count)
    }

    /// The columns `row_count` and `row_state`. Rows are counted only if the stored count is no longer correct.
    fn counted(&self, page: Sql) -> (String, Sql) {
        let count = self.narrow.clone().wrap("(SELECT COUNT(*) ", ")");
        let Some(Remembered { state, known }) = &self.remembered else {
            return (format!("{} AS row_count", count.text()), page);
        };
        let columns = format!(
            "CASE WHEN {state} = :known_state THEN :known_count ELSE {} END AS row_count, {state} AS row_state",
            count.text()
        );
        let known = known.unzip();
        (columns, page.bind("known_state", known.0).bind("known_count", known.1))
    }
}

/// A slice without its rows, and the rows as the statement returned them.
type Untyped = (Slice<()>, Rows);

impl Slice<()> {
    fn of_nothing() -> Untyped {
        (Self { count: 0, state: None, rows: Vec::new() }, Rows::default())
    }
}

/// A numbered page; `id` is the unique id column of the row.
///
/// It is one statement: the ids of the page are found over the index alone, and the wide rows are fetched for these. Where a
/// count is known the ids are looked for from the nearer end of the list, so that the last page costs what the first one
/// costs.
pub async fn numbered<T: FromRow>(
    db: &dyn Read,
    select: &str,
    list: Listing,
    id: &'static str,
    keys: &[Key],
    page: (i64, i64),
) -> Result<Option<Slice<T>>> {
    let Some((Slice { count, state, .. }, rows)) = numbered_rows(db, select, list, id, keys, page).await?
    else {
        return Ok(None);
    };
    Ok(Some(Slice { count, state, rows: rows.typed()? }))
}

/// The same with the rows untyped.
fn numbered_rows<'a>(
    db: &'a dyn Read,
    select: &'a str,
    list: Listing,
    id: &'static str,
    keys: &'a [Key],
    (page, size): (i64, i64),
) -> BoxFuture<'a, Result<Option<Untyped>>> {
    Box::pin(async move {
        let offset = (page - 1).saturating_mul(size);
        let from_end = list.known_count().filter(|count| *count > offset).map(|count| {
            let length = size.min(count - offset);
            (count, length, count - offset - length)
        });
        if let Some((known, length, skip)) = from_end.filter(|(_, _, from_end)| *from_end < offset) {
            let slice = cut(db, select, &list, id, keys, (true, length, skip)).await?;
            if let Some(slice) = slice.filter(|(slice, _)| slice.count == known) {
                return Ok(Some(slice));
            }
        }
        let slice = cut(db, select, &list, id, keys, (false, size, offset)).await?;
        Ok(slice.or_else(|| (offset == 0).then(Slice::of_nothing)))
    })
}

/// A condition on an id that stands in what a statement selects. As an array PostgreSQL selects it once; as a list, a planner
/// without statistics may select it again for each row.
fn within(engine: Engine, ids: &str) -> String {
    match engine {
        Engine::Postgres => format!("= ANY (ARRAY({ids}))"),
        Engine::Sqlite => format!("IN ({ids})"),
    }
}

/// The rows at a position of a list, counted from one of its ends. Empty if there is no row.
async fn cut(
    db: &dyn Read,
    select: &str,
    list: &Listing,
    id: &'static str,
    keys: &[Key],
    (reversed, length, skip): (bool, i64, i64),
) -> Result<Option<Untyped>> {
    // The outer bound tells a planner that does not know the value of the inner one how few rows to expect.
    let most = length.unsigned_abs().next_power_of_two();
    let ids = list
        .narrow
        .clone()
        .wrap(&format!("SELECT {id} AS row_id "), &order_by(keys, reversed))
        .wrap("SELECT found.row_id FROM (", " LIMIT :page_length OFFSET :page_skip) AS found");
    let rows = list.wide.as_ref().map(|wide| wide.clone().bind_like(&list.narrow));
    let (counted, rows) = list.counted(rows.unwrap_or_else(|| list.narrow.clone()));
    let rows = rows
        .wrap(
            &format!("{select}, {counted} "),
            &format!(
                " AND {id} {}{}",
                within(db.engine(), &format!("{} LIMIT {most}", ids.text())),
                order_by(keys, false)
            ),
        )
        .bind("page_length", length)
        .bind("page_skip", skip);
    let rows = db.rows(rows).await?;
    let Some(count) = rows.number("row_count")? else { return Ok(None) };
    let state = match list.remembered {
        Some(_) => rows.number("row_state")?,
        None => None,
    };
    Ok(Some((Slice { count, state, rows: Vec::new() }, rows)))
}

/// A page behind a cursor, for an order of one timestamp or text and a unique id, both in one direction.
/// It reads one row more than `size`, to know whether there is a next page.
pub fn behind(from: Sql, first: Key, id: Key, cursor: Option<(Value, Value)>, size: i64) -> Sql {
    let sign = if first.descending { "<" } else { ">" };
    let from = match cursor {
        None => from,
        Some((value, last)) => from
            .push(&format!(
                " AND ({0} {sign} :cursor_value OR ({0} = :cursor_value AND {1} {sign} :cursor_id))",
                first.column, id.column
            ))
            .bind("cursor_value", value)
            .bind("cursor_id", last),
    };
    from.push(&order_by(&[first, id], false)).push(" LIMIT :cursor_size").bind("cursor_size", size + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_stand_last_both_ways_and_an_id_is_read_as_its_index_is() {
        let keys = [Key { with_gaps: true, ..Key::descending("t.start") }, Key::ascending("t.id")];
        assert_eq!(order_by(&keys, false), " ORDER BY t.start DESC NULLS LAST, t.id ASC NULLS LAST");
        assert_eq!(order_by(&keys, true), " ORDER BY t.start ASC NULLS FIRST, t.id DESC NULLS FIRST");
    }
}
