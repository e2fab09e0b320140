//! Pages of a list under one total order: numbered pages that cost the same at both ends, and cursors that survive inserts.
//! The envelopes around them are made in the web crate.

use crate::row::FromRow;
use crate::value::{FromValue, Value};
use crate::{Read, Result, Sql};

/// One key of a total order; the last one of an order must be unique.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The expression to sort by.
    pub column: &'static str,
    /// Largest first.
    pub descending: bool,
    /// Some rows may have no value; they stand last, whichever way the others go.
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
    /// How many rows the whole list has.
    pub count: i64,
    /// The rows of this page.
    pub rows: Vec<T>,
}

/// `ORDER BY` text, the same on both engines.
///
/// A column that always has a value says of NULLs what an index reads fastest, on PostgreSQL also backwards.
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

/// A list; its statements are everything after the select list (`FROM … WHERE …`).
#[derive(Clone, Debug)]
pub struct Listing {
    /// As it is counted and ordered.
    pub narrow: Sql,
    /// The same with the tables that only the select list needs, for the rows of one page alone.
    pub wide: Option<Sql>,
    /// How long it is, when that is known already.
    pub count: Option<i64>,
}

impl From<Sql> for Listing {
    fn from(list: Sql) -> Self {
        Self { narrow: list, wide: None, count: None }
    }
}

/// A numbered page; `id` is the unique id column of the row.
///
/// The ids of the page are found first, over the index alone, and from the nearer end of the list;
/// only then the wide rows are fetched, so the last page costs about what the first one costs.
pub async fn numbered<T: FromRow + Send, I: FromValue + Send>(
    db: &impl Read,
    select: &str,
    Listing { narrow: from, wide, count }: Listing,
    id: &'static str,
    keys: &[Key],
    (page, size): (i64, i64),
) -> Result<Option<Slice<T>>> {
    let count = match count {
        Some(count) => count,
        None => db.count(from.clone().wrap("SELECT COUNT(*) ", "")).await?,
    };
    let offset = (page - 1).saturating_mul(size);
    if offset > 0 && offset >= count {
        return Ok(None);
    }
    let length = size.min(count - offset);
    let from_end = count - offset - length;
    let reversed = from_end < offset;
    let skip = if reversed { from_end } else { offset };
    let found = from
        .clone()
        .wrap(&format!("SELECT {id} AS row_id "), &order_by(keys, reversed))
        .push(" LIMIT :page_length OFFSET :page_skip")
        .bind("page_length", length)
        .bind("page_skip", skip);
    let mut ids: Vec<Value> = db.scalars(found).await?;
    if reversed {
        ids.reverse();
    }
    if ids.is_empty() {
        return Ok(Some(Slice { count, rows: Vec::new() }));
    }
    let rows = wide
        .unwrap_or(from)
        .wrap(&format!("{select} "), &format!(" AND {id} IN (:page_ids){}", order_by(keys, false)))
        .bind("page_ids", Value::List(ids));
    Ok(Some(Slice { count, rows: db.all(rows).await? }))
}

/// A page behind a cursor, for an order of one timestamp or text and a unique id, both in one direction.
/// One row more than `size` is asked for, which tells whether there is a next page.
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
