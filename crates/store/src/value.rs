//! The values of a statement and of its result, without the types of a database engine. In SQLite, times and dates
//! are text of a fixed width, so they sort. PostgreSQL has types for them.

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use uuid::Uuid;

use crate::{Result, StoreError};

/// One value bound to a statement or read from a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// SQL NULL; it takes the type that the statement expects.
    Null,
    /// A truth value (0 and 1 in SQLite).
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// Text without NUL characters.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// An id (16 bytes in SQLite).
    Uuid(Uuid),
    /// A calendar date.
    Date(NaiveDate),
    /// An instant, in microseconds.
    Time(DateTime<Utc>),
    /// Several values for `IN (:name)`; an empty list matches nothing.
    List(Vec<Value>),
}

impl Value {
    /// A date or an instant as the text that SQLite keeps.
    pub(crate) fn date_text(date: NaiveDate) -> String {
        date.format("%Y-%m-%d").to_string()
    }

    /// See [`Value::date_text`].
    pub(crate) fn time_text(time: DateTime<Utc>) -> String {
        time.to_rfc3339_opts(SecondsFormat::Micros, true)
    }
}

/// Anything that can be bound to a statement.
pub trait ToValue {
    /// The value to bind.
    fn to_value(self) -> Value;
}

/// Anything that can be read from a column.
pub trait FromValue: Sized {
    /// The typed value, or an error naming what was found instead.
    fn from_value(value: Value) -> Result<Self>;
}

/// The error for a column that holds something else than the row type says.
pub(crate) fn mismatch<T>(wanted: &str, found: &Value) -> Result<T> {
    Err(StoreError::Unexpected(anyhow::anyhow!("a column holds {found:?} where {wanted} was expected")))
}

macro_rules! values {
    ($($type:ty, $wanted:literal: $to:expr, { $($from:pat => $read:expr),+ $(,)? };)*) => {$(
        impl ToValue for $type {
            fn to_value(self) -> Value {
                #[allow(clippy::redundant_closure_call)]
                ($to)(self)
            }
        }

        impl FromValue for $type {
            fn from_value(value: Value) -> Result<Self> {
                match value {
                    $($from => $read,)+
                    #[allow(unreachable_patterns)]
                    other => mismatch($wanted, &other),
                }
            }
        }
    )*};
}

values! {
    Value, "anything": |value: Value| value, { value => Ok(value) };
    bool, "a truth value": Value::Bool, { Value::Bool(yes) => Ok(yes), Value::Int(number) => Ok(number != 0) };
    i64, "a whole number": Value::Int, { Value::Int(number) => Ok(number) };
    i32, "a small whole number": |n: i32| Value::Int(n.into()), {
        Value::Int(number) => i32::try_from(number).map_err(|e| StoreError::Unexpected(e.into())),
    };
    f64, "a number": Value::Float, { Value::Float(number) => Ok(number), Value::Int(number) => Ok(number as f64) };
    String, "text": Value::Text, { Value::Text(text) => Ok(text) };
    Vec<u8>, "bytes": Value::Bytes, {
        Value::Bytes(bytes) => Ok(bytes),
        Value::Uuid(sixteen) => Ok(sixteen.into_bytes().to_vec()),
    };
    Uuid, "an id": Value::Uuid, {
        Value::Uuid(id) => Ok(id),
        Value::Bytes(bytes) => Uuid::from_slice(&bytes).map_err(|e| StoreError::Unexpected(e.into())),
    };
    NaiveDate, "a date": Value::Date, {
        Value::Date(date) => Ok(date),
        Value::Text(text) => text.parse().map_err(|e: chrono::ParseError| StoreError::Unexpected(e.into())),
    };
    DateTime<Utc>, "an instant": Value::Time, {
        Value::Time(time) => Ok(time),
        Value::Text(text) => text.parse().map_err(|e: chrono::ParseError| StoreError::Unexpected(e.into())),
    };
    serde_json::Value, "JSON": |json: serde_json::Value| Value::Text(json.to_string()), {
        Value::Text(text) => serde_json::from_str(&text).map_err(|e| StoreError::Unexpected(e.into())),
    };
}

impl ToValue for &str {
    fn to_value(self) -> Value {
        Value::Text(self.to_owned())
    }
}

impl<T: ToValue + Clone> ToValue for &T {
    fn to_value(self) -> Value {
        self.clone().to_value()
    }
}

impl<T: ToValue> ToValue for Option<T> {
    fn to_value(self) -> Value {
        self.map_or(Value::Null, ToValue::to_value)
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value) -> Result<Self> {
        match value {
            Value::Null => Ok(None),
            value => T::from_value(value).map(Some),
        }
    }
}

/// Binds several values for `IN (:name)`.
pub fn list<T: ToValue>(values: impl IntoIterator<Item = T>) -> Value {
    Value::List(values.into_iter().map(ToValue::to_value).collect())
}
