//! PostgreSQL: a connection pool with a maximum size and a maximum waiting time, so that an overloaded server does
//! not cause unexpected errors. It runs rendered statements. Transactions are in `transaction.rs`.

use std::borrow::Cow;
use std::time::Duration;

use anyhow::Context;
use bytes::{BufMut, BytesMut};
use chrono::{DateTime, NaiveDate, Utc};
use deadpool_postgres::{Hook, HookError, ManagerConfig, Object, Pool, RecyclingMethod, Runtime};
use futures_util::future::try_join_all;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{NoTls, Row};
use uuid::Uuid;

use crate::dialect::{Keys, many_rows_insert, many_rows_update};
use crate::row::Rows;
use crate::sql::Rendered;
use crate::value::Value;
use crate::{Result, StoreError};

/// Up to so many rows are inserted one by one: their statement is prepared anyway.
const FEW: usize = 4;
/// The number of rows that one statement with arrays inserts.
const ROWS_AT_ONCE: usize = 5_000;
/// The number of statements of a bulk write that are sent at once.
const PIPELINE: usize = 256;

/// The settings of each connection. Just-in-time compilation costs more than running a statement. PostgreSQL chooses
/// how to plan: generic plans made a rename and a single task cost twice as much.
const SESSION: &str = "SET jit = off";

/// Creates the pool. No connection is opened yet.
pub(crate) fn pool(url: &str, connections: usize) -> Result<Pool> {
    let config: tokio_postgres::Config =
        as_the_driver_knows(url).parse().context("the database URL is not a PostgreSQL URL")?;
    let manager_config = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let manager = match config.get_ssl_mode() {
        tokio_postgres::config::SslMode::Disable => {
            deadpool_postgres::Manager::from_config(config, NoTls, manager_config)
        }
        _ => {
            let roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
            let provider = rustls::crypto::ring::default_provider();
            let tls = rustls::ClientConfig::builder_with_provider(provider.into())
                .with_safe_default_protocol_versions()
                .context("setting up TLS")?
                .with_root_certificates(roots)
                .with_no_client_auth();
            let tls = tokio_postgres_rustls::MakeRustlsConnect::new(tls);
            deadpool_postgres::Manager::from_config(config, tls, manager_config)
        }
    };
    let told = Hook::async_fn(|client: &mut deadpool_postgres::ClientWrapper, _| {
        Box::pin(async move { client.batch_execute(SESSION).await.map_err(HookError::Backend) })
    });
    Pool::builder(manager)
        .post_create(told)
        .max_size(connections)
        .wait_timeout(Some(Duration::from_secs(10)))
        .create_timeout(Some(Duration::from_secs(5)))
        .recycle_timeout(Some(Duration::from_secs(5)))
        .runtime(Runtime::Tokio1)
        .build()
        .map_err(|error| StoreError::Unexpected(error.into()))
}

/// The driver does not know the modes `verify-full` and `verify-ca` of libpq. With TLS it always checks certificate
/// and name, so requiring TLS is the same.
fn as_the_driver_knows(url: &str) -> Cow<'_, str> {
    let Some((place, parameters)) = url.split_once('?') else { return url.into() };
    let known = parameters.split('&').map(|parameter| match parameter {
        "sslmode=verify-full" | "sslmode=verify-ca" => "sslmode=require",
        other => other,
    });
    format!("{place}?{}", known.collect::<Vec<_>>().join("&")).into()
}

/// Runs a statement that returns rows.
pub(crate) async fn fetch(client: &Object, text: &str, values: &[Value]) -> Result<Rows> {
    let statement = client.prepare_cached(text).await.map_err(|error| explain(error, text))?;
    let columns: Vec<String> = statement.columns().iter().map(|column| column.name().to_owned()).collect();
    let rows = client.query(&statement, &parameters(values)).await.map_err(|error| explain(error, text))?;
    let rows = rows.iter().map(from_postgres).collect::<Result<_>>()?;
    Ok(Rows { columns: columns.into(), rows })
}

/// Runs several statements that return rows, all at once.
pub(crate) async fn fetch_each(client: &Object, statements: &[Rendered]) -> Result<Vec<Rows>> {
    try_join_all(statements.iter().map(|(text, values)| fetch(client, text, values))).await
}

/// Runs a statement for its effect and returns how many rows it touched.
pub(crate) async fn execute(client: &Object, text: &str, values: &[Value]) -> Result<u64> {
    let statement = client.prepare_cached(text).await.map_err(|error| explain(error, text))?;
    client.execute(&statement, &parameters(values)).await.map_err(|error| explain(error, text))
}

/// Changes many rows of a table by their keys with one statement.
pub(crate) async fn update_rows(
    client: &Object,
    table: &str,
    key: &str,
    names: &[&'static str],
    sets: Vec<Vec<Value>>,
) -> Result<u64> {
    let mut columns: Vec<Vec<Value>> = names.iter().map(|_| Vec::with_capacity(sets.len())).collect();
    for set in sets {
        columns.iter_mut().zip(set).for_each(|(column, value)| column.push(value));
    }
    let mut keys = Vec::new();
    let (mut full, mut empty, mut arrays) = (Vec::new(), Vec::new(), Vec::new());
    for (name, column) in names.iter().zip(columns) {
        match (*name == key, column.iter().find_map(type_name)) {
            (true, _) => keys = column,
            (false, None) => empty.push(*name),
            (false, Some(kind)) => {
                full.push((*name, kind));
                arrays.push(column);
            }
        }
    }
    let text = many_rows_update(table, key, &full, &empty);
    let statement = client.prepare_cached(&text).await.map_err(|error| explain(error, &text))?;
    let parameters: Vec<&(dyn ToSql + Sync)> =
        std::iter::once(&keys).chain(&arrays).map(|column| column as &(dyn ToSql + Sync)).collect();
    client.execute(&statement, &parameters).await.map_err(|error| explain(error, &text))
}

/// What the server calls the type of a value; it converts to the column's own where that is narrower.
fn type_name(value: &Value) -> Option<&'static str> {
    Some(match value {
        Value::Null | Value::List(_) => return None,
        Value::Bool(_) => "boolean",
        Value::Int(_) => "bigint",
        Value::Float(_) => "double precision",
        Value::Text(_) => "text",
        Value::Bytes(_) => "bytea",
        Value::Uuid(_) => "uuid",
        Value::Date(_) => "date",
        Value::Time(_) => "timestamptz",
    })
}

/// Runs one statement for many sets of values, several at once.
pub(crate) async fn execute_each(
    client: &Object,
    text: &str,
    sets: &[Vec<Value>],
    keys: Keys,
) -> Result<u64> {
    let statement = client.prepare_cached(text).await.map_err(|error| explain(error, text))?;
    let mut touched = 0;
    if sets.len() > FEW {
        let types: Vec<&str> = statement.params().iter().map(|kind| kind.name()).collect();
        if let Some(many) = many_rows_insert(text, &types, keys) {
            return insert_as_arrays(client, &many, types.len(), sets).await;
        }
    }
    for chunk in sets.chunks(PIPELINE) {
        let running = chunk.iter().map(|values| {
            let statement = &statement;
            async move { client.execute(statement, &parameters(values)).await }
        });
        touched += try_join_all(running).await.map_err(|error| explain(error, text))?.iter().sum::<u64>();
    }
    Ok(touched)
}

/// Inserts rows by a statement that takes each of their columns as an array.
async fn insert_as_arrays(client: &Object, text: &str, width: usize, sets: &[Vec<Value>]) -> Result<u64> {
    let statement = client.prepare_cached(text).await.map_err(|error| explain(error, text))?;
    let mut touched = 0;
    for rows in sets.chunks(ROWS_AT_ONCE) {
        let column = |at: usize| -> Vec<&Value> { rows.iter().map(|row| &row[at]).collect() };
        let columns: Vec<Vec<&Value>> = (0..width).map(column).collect();
        let columns: Vec<&(dyn ToSql + Sync)> =
            columns.iter().map(|column| column as &(dyn ToSql + Sync)).collect();
        touched += client.execute(&statement, &columns).await.map_err(|error| explain(error, text))?;
    }
    Ok(touched)
}

fn parameters(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

fn explain(error: tokio_postgres::Error, text: &str) -> StoreError {
    match StoreError::from(error) {
        StoreError::Unexpected(cause) => StoreError::Unexpected(cause.context(text.to_owned())),
        known => known,
    }
}

fn from_postgres(row: &Row) -> Result<Vec<Value>> {
    row.columns()
        .iter()
        .enumerate()
        .map(|(at, column)| {
            let value = match *column.type_() {
                Type::BOOL => row.try_get::<_, Option<bool>>(at)?.map(Value::Bool),
                Type::INT2 => row.try_get::<_, Option<i16>>(at)?.map(|number| Value::Int(number.into())),
                Type::INT4 => row.try_get::<_, Option<i32>>(at)?.map(|number| Value::Int(number.into())),
                Type::INT8 => row.try_get::<_, Option<i64>>(at)?.map(Value::Int),
                Type::FLOAT8 => row.try_get::<_, Option<f64>>(at)?.map(Value::Float),
                Type::FLOAT4 => row.try_get::<_, Option<f32>>(at)?.map(|number| Value::Float(number.into())),
                Type::UUID => row.try_get::<_, Option<Uuid>>(at)?.map(Value::Uuid),
                Type::DATE => row.try_get::<_, Option<NaiveDate>>(at)?.map(Value::Date),
                Type::TIMESTAMPTZ => row.try_get::<_, Option<DateTime<Utc>>>(at)?.map(Value::Time),
                Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(at)?.map(Value::Bytes),
                Type::TEXT | Type::VARCHAR | Type::NAME | Type::UNKNOWN => {
                    row.try_get::<_, Option<String>>(at)?.map(Value::Text)
                }
                ref other => {
                    return Err(StoreError::Unexpected(anyhow::anyhow!(
                        "column {} has type {other}, which no row type reads",
                        column.name()
                    )));
                }
            };
            Ok(value.unwrap_or(Value::Null))
        })
        .collect()
}

impl ToSql for Value {
    fn to_sql(
        &self,
        wanted: &Type,
        out: &mut BytesMut,
    ) -> std::result::Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match (self, wanted) {
            (Value::Null, _) => return Ok(IsNull::Yes),
            (Value::Bool(yes), _) => out.put_u8((*yes).into()),
            (Value::Int(number), &Type::INT2) => out.put_i16(i16::try_from(*number)?),
            (Value::Int(number), &Type::INT4) => out.put_i32(i32::try_from(*number)?),
            (Value::Int(number), &Type::FLOAT8) => out.put_f64(*number as f64),
            (Value::Int(number), &Type::INT8) => out.put_i64(*number),
            (Value::Float(number), _) => return number.to_sql(wanted, out),
            (Value::Text(text), _) => out.put_slice(text.as_bytes()),
            (Value::Bytes(bytes), _) => out.put_slice(bytes),
            (Value::Uuid(id), _) => out.put_slice(id.as_bytes()),
            (Value::Date(date), _) => return date.to_sql(wanted, out),
            (Value::Time(time), _) => return time.to_sql(wanted, out),
            (Value::List(list), _) => return list.to_sql(wanted, out),
            (value, wanted) => return Err(format!("cannot bind {value:?} as {wanted}").into()),
        }
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checked_certificate_may_be_demanded_as_libpq_says_it() {
        use tokio_postgres::config::SslMode;
        let mode = |parameters: &str| {
            let url = format!("postgres://db.test/plans{parameters}");
            as_the_driver_knows(&url).parse::<tokio_postgres::Config>().unwrap().get_ssl_mode()
        };
        assert_eq!(mode("?sslmode=verify-full&connect_timeout=3"), SslMode::Require);
        assert_eq!(mode("?connect_timeout=3&sslmode=verify-ca"), SslMode::Require);
        assert_eq!(mode("?sslmode=disable"), SslMode::Disable);
        assert_eq!(mode(""), SslMode::Prefer);
    }
}
