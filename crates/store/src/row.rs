//! Typed rows: a struct that names its columns, filled from whatever a statement returned.
//! Columns are matched by name once a statement, not once a row.

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

impl Rows {
    /// Every row as a struct.
    pub fn typed<T: FromRow>(mut self) -> Result<Vec<T>> {
        if self.rows.is_empty() {
            return Ok(Vec::new());
        }
        let places = T::COLUMNS
            .iter()
            .map(|wanted| wanted.trim_start_matches("r#"))
            .map(|wanted| {
                self.columns.iter().position(|column| column == wanted).ok_or_else(|| {
                    StoreError::Unexpected(anyhow::anyhow!("the statement returns no column {wanted}"))
                })
            })
            .collect::<Result<Vec<usize>>>()?;
        self.rows.iter_mut().map(|values| T::read(&mut Reader { values, places: &places, next: 0 })).collect()
    }

    /// The first column of every row.
    pub fn scalars<T: FromValue>(self) -> Result<Vec<T>> {
        self.rows
            .into_iter()
            .map(|row| row.into_iter().next().map_or_else(|| Err(StoreError::Missing), T::from_value))
            .collect()
    }
}

/// Declares a row type: `row! { pub struct CalendarRow { pub id: CalendarId, pub name: String } }`.
#[macro_export]
macro_rules! row {
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        $vis struct $name { $($(#[$field_meta])* $field_vis $field: $type),* }

        impl $crate::FromRow for $name {
            const COLUMNS: &'static [&'static str] = &[$(stringify!($field)),*];

            fn read(reader: &mut $crate::Reader<'_>) -> $crate::Result<Self> {
                Ok(Self { $($field: reader.take()?),* })
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
