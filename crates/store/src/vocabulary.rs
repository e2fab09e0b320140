//! Makes every id and word of the domain a type for rows and values. New ones are added automatically.

use planwright_domain::ids::*;
use planwright_domain::words::*;
use planwright_domain::{Role, with_every_id, with_every_word};
use uuid::Uuid;

use crate::value::{FromValue, ToValue, Value, mismatch};
use crate::{Result, StoreError};

macro_rules! ids {
    ($($name:ident),* $(,)?) => {$(
        impl ToValue for $name {
            fn to_value(self) -> Value {
                Value::Uuid(self.0)
            }
        }

        impl FromValue for $name {
            fn from_value(value: Value) -> Result<Self> {
                Uuid::from_value(value).map($name)
            }
        }
    )*};
}

with_every_id!(ids);

macro_rules! words {
    ($($name:ident),*) => {$(
        impl ToValue for $name {
            fn to_value(self) -> Value {
                Value::Text(self.as_str().to_owned())
            }
        }

        impl FromValue for $name {
            fn from_value(value: Value) -> Result<Self> {
                match &value {
                    Value::Text(text) => $name::parse(text).map_or_else(|| mismatch(stringify!($name), &value), Ok),
                    other => mismatch(stringify!($name), other),
                }
            }
        }
    )*};
}

with_every_word!(words);

impl ToValue for Role {
    fn to_value(self) -> Value {
        Value::Int(self.rank())
    }
}

impl FromValue for Role {
    fn from_value(value: Value) -> Result<Self> {
        let rank = i64::from_value(value)?;
        Role::from_rank(rank).ok_or_else(|| {
            StoreError::Unexpected(anyhow::anyhow!("a column contains {rank}, which is not a role"))
        })
    }
}
