//! The real differences between the two database engines, each with a name and a reason. No other code may ask for
//! the engine. At most ten differences are allowed.

use crate::engine::Engine;
use crate::sql::Sql;
use crate::value::ToValue;

impl Engine {
    /// 1. Several nodes on PostgreSQL may start at once and must migrate one after another. SQLite has only one
    ///    writer.
    pub(crate) fn migration_lock(self) -> Option<Sql> {
        match self {
            Engine::Sqlite => None,
            Engine::Postgres => Some(Sql::new("SELECT CAST(pg_advisory_xact_lock(7165414) AS TEXT)")),
        }
    }

    /// 2. Workers skip rows that another worker has locked. SQLite has one writer and needs no such clause.
    pub const fn skip_locked(self) -> &'static str {
        match self {
            Engine::Sqlite => "",
            Engine::Postgres => "FOR UPDATE SKIP LOCKED",
        }
    }

    /// 9. The row lock: the second transaction waits until the first one ends, and then finds the row changed or deleted.
    ///    SQLite has one writer and needs no such clause. Rows that refer to the locked row may still be added.
    pub const fn row_lock(self) -> &'static str {
        match self {
            Engine::Sqlite => "",
            Engine::Postgres => "FOR NO KEY UPDATE",
        }
    }

    /// 3. Search that ignores case: `LIKE` of SQLite ignores case only for ASCII, and PostgreSQL has `ILIKE`. Both use `lower`
    ///    on the stored text. For SQLite it is our own function that knows all of Unicode.
    pub(crate) const fn lower(self) -> &'static str {
        match self {
            Engine::Sqlite => "unicode_lower",
            Engine::Postgres => "lower",
        }
    }

    /// 4. The existing tables and columns, to compare both schemas. The index of words is not among them: each engine has
    ///    its own and fills it from the rows.
    pub fn schema_listing(self) -> Sql {
        match self {
            Engine::Sqlite => Sql::new(
                "SELECT m.name AS table_name, c.name AS column_name, upper(c.type) AS column_type,
                        c.\"notnull\" AS required
                 FROM sqlite_master m JOIN pragma_table_info(m.name) c
                 WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE 'search!_%' ESCAPE '!'
                 ORDER BY m.name, c.name",
            ),
            Engine::Postgres => Sql::new(
                "SELECT CAST(table_name AS TEXT) AS table_name, CAST(column_name AS TEXT) AS column_name,
                        upper(CAST(data_type AS TEXT)) AS column_type, is_nullable = 'NO' AS required
                 FROM information_schema.columns
                 WHERE table_schema = current_schema() AND table_name NOT LIKE 'search!_%' ESCAPE '!'
                 ORDER BY table_name COLLATE \"C\", column_name COLLATE \"C\"",
            ),
        }
    }

    /// 4. The existing indexes, for the same purpose. (5. is the text index, in `words.rs` and `schema/text_index`.)
    pub fn index_listing(self) -> Sql {
        match self {
            Engine::Sqlite => Sql::new(
                "SELECT name AS index_name FROM sqlite_master
                 WHERE type = 'index' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'search!_%' ESCAPE '!' ORDER BY name",
            ),
            Engine::Postgres => Sql::new(
                "SELECT CAST(indexname AS TEXT) AS index_name FROM pg_indexes
                 WHERE schemaname = current_schema() AND indexname NOT LIKE '%_pkey'
                   AND indexname NOT LIKE 'search!_%' ESCAPE '!'
                 ORDER BY indexname COLLATE \"C\"",
            ),
        }
    }

    /// 7. Whether the table of migrations exists. Each engine has its own catalogue.
    pub(crate) fn migrations_listing(self) -> Sql {
        match self {
            Engine::Sqlite => {
                Sql::new("SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'migrations'")
            }
            Engine::Postgres => Sql::new(
                "SELECT COUNT(*) FROM information_schema.tables
                 WHERE table_schema = current_schema() AND table_name = 'migrations'",
            ),
        }
    }

    /// 6. The size of the database in bytes.
    pub fn size_listing(self) -> Sql {
        match self {
            Engine::Sqlite => Sql::new(
                "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()",
            ),
            Engine::Postgres => Sql::new("SELECT pg_database_size(current_database()) AS bytes"),
        }
    }
}

impl Engine {
    /// 10. New statistics after many rows were added at once, which only the plans of PostgreSQL depend on.
    pub(crate) const fn statistics_update(self) -> Option<&'static str> {
        match self {
            Engine::Sqlite => None,
            Engine::Postgres => Some(
                "ANALYZE projects; ANALYZE project_members; ANALYZE tasks; ANALYZE task_schedule;
                 ANALYZE dependencies; ANALYZE task_resources; ANALYZE project_resources; ANALYZE resources;
                 ANALYZE acceptance_criteria; ANALYZE custom_field_values; ANALYZE sprints;",
            ),
        }
    }
}

/// 8. One statement that changes many rows at once, each by its key: PostgreSQL takes the columns as arrays, where a
///    statement for each row would cost more than the rows. SQLite repeats one prepared statement, which costs almost nothing.
///    Columns without any value are named in `empty` and set to NULL.
pub(crate) fn many_rows_update(table: &str, key: &str, columns: &[(&str, &str)], empty: &[&str]) -> String {
    let set = columns.iter().map(|(name, _)| format!("{name} = v.{name}"));
    let cleared = empty.iter().map(|name| format!("{name} = NULL"));
    let set: Vec<String> = set.chain(cleared).collect();
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let arrays: Vec<String> =
        columns.iter().enumerate().map(|(at, (_, kind))| format!("${}::{kind}[]", at + 2)).collect();
    format!(
        "UPDATE {table} AS t SET {} FROM UNNEST($1::uuid[]{}{}) AS v (row_key{}{}) WHERE t.{key} = v.row_key",
        set.join(", "),
        if arrays.is_empty() { "" } else { ", " },
        arrays.join(", "),
        if names.is_empty() { "" } else { ", " },
        names.join(", "),
    )
}

impl Engine {
    /// So, by the same difference, an import writes this number of rows before it looks whether somebody waits: a message to
    /// PostgreSQL takes its time, and the one writer of SQLite keeps others waiting.
    pub const fn rows_at_once(self) -> usize {
        match self {
            Engine::Sqlite => 100,
            Engine::Postgres => 2000,
        }
    }
}

/// Whether rows that are written together may have the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keys {
    /// Nobody has looked.
    Any,
    /// No two have the same.
    Distinct,
}

/// The same for new rows: an INSERT of one row of values as one of many rows, whose values are columns of arrays. `None` for a
/// statement that looks at the table itself, because its rows would not see each other. Rows that may be there are changed at once
/// only when their keys are known to be distinct: PostgreSQL refuses to change a row twice.
pub(crate) fn many_rows_insert(text: &str, types: &[&str], keys: Keys) -> Option<String> {
    let (head, rest) = text.split_once("VALUES (")?;
    let mut depth = 1;
    let end = rest.char_indices().find_map(|(at, letter)| {
        depth += match letter {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        (depth == 0).then_some(at)
    })?;
    let (values, after) = (&rest[..end], rest[end + 1..].trim());
    let has_more = after.contains('$') || after.contains("RETURNING");
    let is_upsert = keys == Keys::Distinct && after.contains("DO UPDATE SET") && !has_more;
    let is_plain =
        after.is_empty() || after.starts_with("ON CONFLICT") && (is_upsert || after.ends_with("DO NOTHING"));
    if !head.trim_start().starts_with("INSERT INTO")
        || !is_plain
        || values.contains("SELECT")
        || types.is_empty()
    {
        return None;
    }
    let arrays: Vec<String> =
        types.iter().enumerate().map(|(at, kind)| format!("${}::{kind}[]", at + 1)).collect();
    let names: Vec<String> = (1..=types.len()).map(|number| format!("c{number}")).collect();
    let columns = values.replace('$', "v.c");
    Some(format!(
        "{head}SELECT {columns} FROM UNNEST({}) AS v ({}) {after}",
        arrays.join(", "),
        names.join(", ")
    ))
}

/// A condition `<column> contains :name`, ignoring case, with the wildcards of the search text taken literally.
pub fn contains(engine: Engine, column: &str, name: &str) -> String {
    let lower = engine.lower();
    format!("{lower}({column}) LIKE :{name} ESCAPE '!'")
}

/// A condition `<column> begins with :name`, ignoring case. The value is the text in lower case.
pub fn begins(engine: Engine, column: &str, name: &str) -> String {
    let lower = engine.lower();
    format!("SUBSTR({lower}({column}), 1, LENGTH(:{name})) = :{name}")
}

/// The value for [`contains`].
pub fn pattern(search: &str) -> impl ToValue + Clone {
    let mut pattern = String::with_capacity(search.len() + 2);
    pattern.push('%');
    for character in search.to_lowercase().chars() {
        if matches!(character, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_insertion_of_one_row_becomes_one_of_many_unless_rows_would_have_to_see_each_other() {
        let one = "INSERT INTO notes (id, text, place) VALUES ($1, COALESCE($2, ''), 0) ON CONFLICT (id) DO NOTHING";
        let many = "INSERT INTO notes (id, text, place) SELECT v.c1, COALESCE(v.c2, ''), 0
            FROM UNNEST($1::uuid[], $2::text[]) AS v (c1, c2) ON CONFLICT (id) DO NOTHING";
        let of = |text: &str| many_rows_insert(text, &["uuid", "text"], Keys::Any);
        assert_eq!(of(one), Some(many.split_whitespace().collect::<Vec<_>>().join(" ")));
        for other in [
            "INSERT INTO notes (id) VALUES ((SELECT MAX(n) FROM notes))",
            "INSERT INTO notes (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET text = $2",
            "INSERT INTO notes (id) VALUES ($1) RETURNING id",
            "INSERT INTO notes (id) SELECT $1",
            "UPDATE notes SET text = $1",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn rows_that_may_be_there_are_taken_at_once_only_when_their_keys_are_distinct() {
        let one = "INSERT INTO notes (id, text) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET text = excluded.text";
        let many = "INSERT INTO notes (id, text) SELECT v.c1, v.c2 FROM UNNEST($1::uuid[], $2::text[]) AS v (c1, c2) \
            ON CONFLICT (id) DO UPDATE SET text = excluded.text";
        let of = |text: &str, keys: Keys| many_rows_insert(text, &["uuid", "text"], keys);
        assert_eq!(of(one, Keys::Distinct), Some(many.to_owned()));
        assert_eq!(of(one, Keys::Any), None);
        let with_value = one.replace("excluded.text", "$2");
        assert_eq!(of(&with_value, Keys::Distinct), None, "a value behind the rows belongs to one of them");
        assert_eq!(of(&format!("{one} RETURNING id"), Keys::Distinct), None);
    }
}
