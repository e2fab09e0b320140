//! A statement: its text with named values (`:project`), written once for both engines. Rendering turns the names
//! into `$n` for PostgreSQL, and into `?` for SQLite, where numbered values cost quadratic time.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::engine::Engine;
use crate::value::{ToValue, Value};
use crate::{Result, StoreError};

/// A statement under construction.
#[derive(Clone, Debug)]
pub struct Sql {
    text: Cow<'static, str>,
    binds: Vec<(&'static str, Value)>,
}

/// A statement as an engine wants it.
pub(crate) type Rendered = (String, Vec<Value>);

/// Several statements as an engine wants them.
pub(crate) fn rendered(statements: Vec<Sql>, engine: Engine) -> Result<Vec<Rendered>> {
    statements.into_iter().map(|statement| statement.render(engine)).collect()
}

/// Builds a statement: `sql!("SELECT … WHERE id = :id", id = project)`.
#[macro_export]
macro_rules! sql {
    ($text:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::Sql::new($text)$(.bind(stringify!($name), $value))*
    };
}

impl Sql {
    /// A statement without binds yet.
    pub fn new(text: impl Into<Cow<'static, str>>) -> Self {
        Self { text: text.into(), binds: Vec::new() }
    }

    /// Adds the value for `:name`.
    pub fn bind(mut self, name: &'static str, value: impl ToValue) -> Self {
        self.binds.push((name, value.to_value()));
        self
    }

    /// Appends a piece of text, such as one more condition.
    pub fn push(mut self, text: &str) -> Self {
        self.text.to_mut().push_str(text);
        self
    }

    /// Appends a condition and its value when there is one.
    pub fn when<T: ToValue>(self, condition: &str, name: &'static str, value: Option<T>) -> Self {
        match value {
            Some(value) => self.push(" ").push(condition).bind(name, value),
            None => self,
        }
    }

    /// Wraps the text: `before` + text + `after`.
    pub fn wrap(mut self, before: &str, after: &str) -> Self {
        self.text = Cow::Owned(format!("{before}{}{after}", self.text));
        self
    }

    /// Adds the values of another statement, whose text stands within this one.
    pub fn bind_like(mut self, within: &Sql) -> Self {
        self.binds.extend(within.binds.iter().cloned());
        self
    }

    /// The text with its names, for messages.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text for one engine and the values in the order it wants them.
    pub(crate) fn render(self, engine: Engine) -> Result<(String, Vec<Value>)> {
        let mut out = String::with_capacity(self.text.len() + 16);
        let mut values = Vec::with_capacity(self.binds.len());
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        for piece in pieces(&self.text) {
            let name = match piece {
                Piece::Text(text) => {
                    out.push_str(text);
                    continue;
                }
                Piece::Name(name) => name,
            };
            let value = self.binds.iter().rev().find(|(bound, _)| *bound == name).map(|(_, value)| value);
            let value = value.ok_or_else(|| {
                StoreError::Unexpected(anyhow::anyhow!("no value for :{name} in: {}", self.text))
            })?;
            match (engine, value) {
                (Engine::Sqlite, Value::List(list)) if list.len() > LONGEST_WRITTEN_LIST => {
                    let number = *numbers.entry(name).or_insert_with(|| {
                        values.push(value.clone());
                        values.len()
                    });
                    out.push_str(&format!("SELECT value FROM rarray(?{number})"));
                }
                (Engine::Sqlite, Value::List(list)) => push_list(&mut out, &mut values, list),
                (Engine::Sqlite, value) => {
                    values.push(value.clone());
                    out.push_str(&format!("?{}", values.len()));
                }
                (Engine::Postgres, value) => {
                    let value = match value {
                        Value::List(list) => match list.as_slice() {
                            // Of an array the planner expects ten values, and plans anew each time where there is one.
                            [one] if out.ends_with("IN (") => one,
                            _ => {
                                compare_with_array(&mut out)?;
                                value
                            }
                        },
                        value => value,
                    };
                    let number = *numbers.entry(name).or_insert_with(|| {
                        values.push(value.clone());
                        values.len()
                    });
                    out.push_str(&format!("${number}"));
                }
            }
        }
        Ok((out, values))
    }
}

impl Sql {
    /// The text for one engine and the names in the order it wants their values.
    pub(crate) fn order(self, engine: Engine) -> (String, Vec<String>) {
        let (mut out, mut names) = (String::with_capacity(self.text.len()), Vec::new());
        for piece in pieces(&self.text) {
            match (piece, engine) {
                (Piece::Text(text), _) => out.push_str(text),
                (Piece::Name(name), Engine::Sqlite) => {
                    out.push('?');
                    names.push(name.to_owned());
                }
                (Piece::Name(name), Engine::Postgres) => {
                    let known = names.iter().position(|known| known == name);
                    let number = known.unwrap_or_else(|| {
                        names.push(name.to_owned());
                        names.len() - 1
                    });
                    out.push_str(&format!("${}", number + 1));
                }
            }
        }
        (out, names)
    }
}

/// A text that many statements share, rendered once: only the values of the others are looked at.
pub(crate) struct Template {
    source: Cow<'static, str>,
    /// The text for the engine.
    pub(crate) text: String,
    /// For each value, its name and where the first statement had it.
    places: Vec<(&'static str, usize)>,
}

impl Template {
    /// Of the first of many statements. `None` when a list makes its text depend on the values.
    pub(crate) fn of(first: &Sql, engine: Engine) -> Result<Option<Self>> {
        if first.binds.iter().any(|(_, value)| matches!(value, Value::List(_))) {
            return Ok(None);
        }
        let (text, names) = first.clone().order(engine);
        let places = names.iter().map(|name| first.place(name)).collect::<Result<_>>()?;
        Ok(Some(Self { source: first.text.clone(), text, places }))
    }

    /// The values of a statement with the same text.
    pub(crate) fn values(&self, statement: &Sql) -> Result<Vec<Value>> {
        if statement.text != self.source {
            return Err(StoreError::Unexpected(anyhow::anyhow!(
                "a bulk write mixes statements: {}",
                statement.text
            )));
        }
        let value = |(name, at): &(&'static str, usize)| {
            let at = match statement.binds.get(*at) {
                Some((bound, _)) if bound == name => *at,
                _ => statement.place(name)?.1,
            };
            Ok(statement.binds[at].1.clone())
        };
        self.places.iter().map(value).collect()
    }
}

impl Sql {
    /// A name that is bound, and where.
    fn place(&self, name: &str) -> Result<(&'static str, usize)> {
        let place = self.binds.iter().rposition(|(bound, _)| *bound == name);
        let place = place.ok_or_else(|| {
            StoreError::Unexpected(anyhow::anyhow!("no value for :{name} in: {}", self.text))
        })?;
        Ok((self.binds[place].0, place))
    }
}

/// SQLite gets longer lists as one array each. A statement has room for 32 766 values, and several parts of one statement
/// may name the same list.
const LONGEST_WRITTEN_LIST: usize = 512;

/// Lists are padded to a power of two by repeating the last value, so that few distinct texts fill the statement cache.
fn push_list(out: &mut String, values: &mut Vec<Value>, list: &[Value]) {
    let Some(last) = list.last() else {
        out.push_str("NULL");
        return;
    };
    let padded = list.len().next_power_of_two();
    for (place, value) in list.iter().chain(std::iter::repeat(last)).take(padded).enumerate() {
        values.push(value.clone());
        let comma = if place == 0 { "" } else { ", " };
        out.push_str(&format!("{comma}?{}", values.len()));
    }
}

/// PostgreSQL takes a list as one array, so that lists of any length share a text and its plan: turns the `IN (` that was
/// just written into a comparison with an array.
fn compare_with_array(out: &mut String) -> Result<()> {
    let (kept, comparison) = match out.strip_suffix("IN (") {
        Some(before) => match before.strip_suffix("NOT ") {
            Some(before) => (before.len(), "<> ALL ("),
            None => (before.len(), "= ANY ("),
        },
        None => return Err(StoreError::Unexpected(anyhow::anyhow!("a list outside IN (…): {out}"))),
    };
    out.truncate(kept);
    out.push_str(comparison);
    Ok(())
}

enum Piece<'a> {
    Text(&'a str),
    Name(&'a str),
}

/// Cuts a text at its named binds, leaving string literals and `::` casts alone.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let bytes = text.as_bytes();
    let (mut pieces, mut from, mut at) = (Vec::new(), 0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'\'' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'\'' {
                    at += 1;
                }
                at += 1;
            }
            b':' if bytes.get(at + 1) == Some(&b':') => at += 2,
            b':' if bytes.get(at + 1).is_some_and(|next| next.is_ascii_lowercase()) => {
                let start = at + 1;
                let length = bytes[start..]
                    .iter()
                    .take_while(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || **byte == b'_')
                    .count();
                pieces.push(Piece::Text(&text[from..at]));
                pieces.push(Piece::Name(&text[start..start + length]));
                at = start + length;
                from = at;
            }
            _ => at += 1,
        }
    }
    pieces.push(Piece::Text(&text[from..]));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_used_twice_is_bound_twice_in_sqlite_and_once_in_postgres() {
        let statement = sql!("SELECT :id, ':id', a::text FROM t WHERE b = :id AND c IN (:many)", id = 7i64)
            .bind("many", crate::value::list([1i64, 2, 3]));
        let (text, values) = statement.clone().render(Engine::Sqlite).unwrap();
        assert_eq!(text, "SELECT ?1, ':id', a::text FROM t WHERE b = ?2 AND c IN (?3, ?4, ?5, ?6)");
        assert_eq!(values.len(), 6);
        let (text, values) = statement.render(Engine::Postgres).unwrap();
        assert_eq!(text, "SELECT $1, ':id', a::text FROM t WHERE b = $1 AND c = ANY ($2)");
        assert_eq!(values.len(), 2);
    }

    #[test]
    fn statements_of_one_text_are_rendered_once_whatever_the_order_of_their_values() {
        let text = "INSERT INTO t (a, b, c) VALUES (:a, ':a', :b) ON CONFLICT (a) DO UPDATE SET c = :b";
        let first = sql!(text, a = 1i64, b = 2i64);
        let other = sql!(text, b = 4i64, a = 3i64);
        for (engine, numbers) in [(Engine::Sqlite, vec![3, 4, 4]), (Engine::Postgres, vec![3, 4])] {
            let template = Template::of(&first, engine).unwrap().unwrap();
            assert_eq!(template.values(&first).unwrap(), first.clone().render(engine).unwrap().1);
            assert_eq!(
                template.values(&other).unwrap(),
                numbers.into_iter().map(Value::Int).collect::<Vec<_>>()
            );
            assert!(template.values(&sql!("SELECT :a", a = 1i64)).is_err());
            assert!(template.values(&sql!(text, a = 1i64)).is_err());
        }
        let template = Template::of(&first, Engine::Postgres).unwrap().unwrap();
        assert_eq!(template.text, first.render(Engine::Postgres).unwrap().0);
        let many = sql!("DELETE FROM t WHERE a IN (:many)").bind("many", crate::value::list([1i64]));
        assert!(Template::of(&many, Engine::Sqlite).unwrap().is_none());
    }

    #[test]
    fn in_postgres_a_list_of_one_is_a_single_value() {
        let statement = sql!("SELECT a FROM t WHERE b IN (:many) AND c NOT IN (:many)");
        let (text, values) =
            statement.bind("many", crate::value::list([7i64])).render(Engine::Postgres).unwrap();
        assert_eq!((text.as_str(), values.len()), ("SELECT a FROM t WHERE b IN ($1) AND c NOT IN ($1)", 1));
    }

    #[test]
    fn in_postgres_a_list_is_an_array_behind_in_and_an_error_elsewhere() {
        let many = || crate::value::list([1i64, 2, 3]);
        let (text, _) = sql!("c NOT IN (:many)").bind("many", many()).render(Engine::Postgres).unwrap();
        assert_eq!(text, "c <> ALL ($1)");
        assert!(sql!("c = :many").bind("many", many()).render(Engine::Postgres).is_err());
    }

    #[test]
    fn a_name_without_a_value_is_an_error_that_names_it() {
        let error = sql!("SELECT :id").render(Engine::Sqlite).unwrap_err();
        assert!(error.to_string().contains(":id"));
    }

    #[test]
    fn a_long_list_is_one_value_however_often_a_statement_names_it() {
        let many = Value::List((0..513).map(Value::Int).collect());
        let named = sql!("a IN (:many) OR b IN (:many) AND c = :c").bind("many", many).bind("c", 1);
        let (text, values) = named.render(Engine::Sqlite).unwrap();
        let list = "SELECT value FROM rarray(?1)";
        assert_eq!((text, values.len()), (format!("a IN ({list}) OR b IN ({list}) AND c = ?2"), 2));
    }

    #[test]
    fn an_empty_list_matches_nothing() {
        let (text, values) =
            sql!("c IN (:many)").bind("many", Value::List(vec![])).render(Engine::Sqlite).unwrap();
        assert_eq!((text.as_str(), values.len()), ("c IN (NULL)", 0));
    }
}
