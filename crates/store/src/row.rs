//! Typed rows: a struct that names its columns and is filled from the result of a statement. Columns are matched by
//! name once for each statement, not once for each row.

use std::sync::Arc;

use crate::value::{FromValue, Value};
use crate::{Result, StoreError};

/// What a statement returned, free of any engine's types.
#[derive(Debug, Default)]
pub struct Rows {
    /// The names of the columns, in order.
    pub columns: Arc<[String]>,
    /// The values, a row at a time.
    pub rows: Vec<Vec<Value>>,
}

/// A struct that can be filled from a row.
pub trait FromRow: Sized {
    /// The columns it needs, in the order [`FromRow::read`] takes them.
    const COLUMNS: &'static [&'static str];

    /// Takes the fields one after another.
    fn read(reader: &mut Reader<'_>) -> Result<Self>;
}

/// Hands out the values of one row in the order of [`FromRow::COLUMNS`].
pub struct Reader<'a> {
    values: &'a mut [Value],
    places: &'a [usize],
    next: usize,
}

impl Reader<'_> {
    /// The next field.
    pub fn take<T: FromValue>(&mut self) -> Result<T> {
        let place = self.places[self.next];
        self.next += 1;
        T::from_value(std::mem::replace(&mut self.values[place], Value::Null))
    }
}

/// A row of a table that need not have one, as the right side of a `LEFT JOIN`: its first column tells, which is never NULL
/// in a row that is there.
impl<T: FromRow> FromRow for Option<T> {
    const COLUMNS: &'static [&'static str] = T::COLUMNS;

    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let first = reader.places.get(reader.next).map(|place| &reader.values[*place]);
        if first.is_none_or(|value| *value == Value::Null) {
            reader.next += T::COLUMNS.len();
            return Ok(None);
        }
        T::read(reader).map(Some)
    }
}

impl Rows {
    /// Takes a column of whole numbers out of the first row, beside what the rows are typed as.
    pub fn number(&self, column: &str) -> Result<Option<i64>> {
        let Some(first) = self.rows.first() else { return Ok(None) };
        let place = self.columns.iter().position(|known| known == column).ok_or(StoreError::Missing)?;
        FromValue::from_value(first[place].clone())
    }

    /// Every row as a struct.
    pub fn typed<T: FromRow>(mut self) -> Result<Vec<T>> {
        if self.rows.is_empty() {
            return Ok(Vec::new());
        }
        let places = self.places(T::COLUMNS)?;
        self.rows.iter_mut().map(|values| T::read(&mut Reader { values, places: &places, next: 0 })).collect()
    }

    /// The first row as a struct, if there is one.
    pub fn first_typed<T: FromRow>(mut self) -> Result<Option<T>> {
        self.rows.truncate(1);
        Ok(self.typed()?.pop())
    }

    /// The first column of every row.
    pub fn scalars<T: FromValue>(self) -> Result<Vec<T>> {
        self.first_column().into_iter().map(|value| T::from_value(value?)).collect()
    }

    /// The first column of the first row, if there is one.
    pub fn first_scalar<T: FromValue>(mut self) -> Result<Option<T>> {
        self.rows.truncate(1);
        Ok(self.scalars()?.pop())
    }

    /// Where each of the columns stands in a row.
    fn places(&self, columns: &[&str]) -> Result<Vec<usize>> {
        let wanted = columns.iter().map(|wanted| wanted.trim_start_matches("r#")).enumerate();
        wanted.map(|(at, wanted)| self.place(at, wanted)).collect()
    }

    /// Where a column stands. Most select lists are made from the same list of names, so it is looked for at its place first.
    fn place(&self, at: usize, wanted: &str) -> Result<usize> {
        if self.columns.get(at).is_some_and(|column| column == wanted) {
            return Ok(at);
        }
        self.columns.iter().position(|column| column == wanted).ok_or_else(|| {
            StoreError::Unexpected(anyhow::anyhow!("the statement returns no column {wanted}"))
        })
    }

    fn first_column(self) -> Vec<Result<Value>> {
        self.rows.into_iter().map(|row| row.into_iter().next().ok_or(StoreError::Missing)).collect()
    }
}

/// Declares a row type: `row! { pub struct CalendarRow { pub id: CalendarId, pub name: String } }`; `and` adds the columns of
/// other row types.
#[macro_export]
macro_rules! row {
    (
        $(#[$meta:meta])* $vis:vis struct $name:ident {
            $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty),* $(,)?
        }
        $(and $(#[$inner_meta:meta])* $inner_vis:vis $inner:ident: $inner_type:ty)*
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        $vis struct $name {
            $($(#[$field_meta])* $field_vis $field: $type,)*
            $($(#[$inner_meta])* $inner_vis $inner: $inner_type,)*
        }

        impl $crate::FromRow for $name {
            const COLUMNS: &'static [&'static str] = {
                const LISTS: &[&[&str]] = &[
                    &[$(stringify!($field)),*],
                    $(<$inner_type as $crate::FromRow>::COLUMNS,)*
                ];
                const ALL: [&str; $crate::record::total(LISTS)] = $crate::record::joined(LISTS);
                &ALL
            };

            fn read(reader: &mut $crate::Reader<'_>) -> $crate::Result<Self> {
                Ok(Self {
                    $($field: reader.take()?,)*
                    $($inner: <$inner_type as $crate::FromRow>::read(reader)?,)*
                })
            }
        }
    };
}

macro_rules! tuples {
    ($($name:ident),*) => {
        impl<$($name: FromValue),*> FromRow for ($($name,)*) {
            const COLUMNS: &'static [&'static str] = &[];

            fn read(reader: &mut Reader<'_>) -> Result<Self> {
                let mut values = reader.values.iter_mut();
                Ok(($({
                    let value = values.next().ok_or(StoreError::Missing)?;
                    $name::from_value(std::mem::replace(value, Value::Null))?
                },)*))
            }
        }
    };
}

tuples!(A, B);
tuples!(A, B, C);
tuples!(A, B, C, D);
tuples!(A, B, C, D, E);

#[cfg(test)]
mod tests {
    use super::*;

    row! {
        struct Inner { key: i64, size: Option<i64> }
    }

    row! {
        struct Other { count: i64 }
    }

    row! {
        struct Outer { name: String }
        and first: Inner
        and second: Option<Other>
    }

    fn rows(columns: &[&str], values: Vec<Value>) -> Rows {
        Rows { columns: columns.iter().map(|name| (*name).to_owned()).collect(), rows: vec![values] }
    }

    #[test]
    fn a_row_takes_in_the_columns_of_others() {
        assert_eq!(Outer::COLUMNS, ["name", "key", "size", "count"]);
        let values = vec![Value::Int(9), Value::Text("a".into()), Value::Int(7), Value::Null];
        let outer: Vec<Outer> = rows(&["count", "name", "key", "size"], values).typed().unwrap();
        let Outer { name, first, second } = &outer[0];
        assert_eq!((name.as_str(), first.key, second.as_ref().map(|other| other.count)), ("a", 7, Some(9)));
        let inner = rows(&["size", "count", "key"], vec![Value::Null, Value::Int(9), Value::Int(7)]);
        assert_eq!(inner.number("count").unwrap(), Some(9));
        assert!(inner.number("other").is_err());
        let inner: Vec<Inner> = inner.typed().unwrap();
        assert_eq!((inner[0].key, inner[0].size), (7, None));
    }

    #[test]
    fn without_its_first_column_a_joined_row_is_not_there() {
        let columns = ["key", "size"];
        let missing: Vec<Option<Inner>> = rows(&columns, vec![Value::Null, Value::Null]).typed().unwrap();
        assert!(missing[0].is_none());
        let there: Vec<Option<Inner>> = rows(&columns, vec![Value::Int(1), Value::Int(2)]).typed().unwrap();
        assert_eq!(there[0].as_ref().and_then(|inner| inner.size), Some(2));
    }
}
