//! SQLite in the process: one thread that writes and a few that read, each with its own connection. They get their
//! work as closures. A panic in a closure becomes an error, and the thread continues.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use anyhow::Context;
use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, ToSql};
use tokio::sync::oneshot;
use uuid::Uuid;

use crate::row::Rows;
use crate::sql::Rendered;
use crate::value::Value;
use crate::{Result, StoreError};

const READERS: usize = 4;
const STATEMENTS_KEPT: usize = 256;
/// The page cache of the writer: about the size of a large plan. A cached page is not copied from the kernel again.
const WRITER_CACHE_KIB: i64 = 16_000;
/// The page cache of each reader. Together they may be larger than that of the writer.
const READER_CACHE_KIB: i64 = 6_000;

type Work = Box<dyn FnOnce(&mut Connection) + Send>;

/// The threads of one database file.
#[derive(Clone)]
pub(crate) struct Sqlite {
    writer: mpsc::Sender<Work>,
    readers: mpsc::Sender<Work>,
    /// The lock of the transaction that owns the writer. Waiting transactions get it in their order.
    pub(crate) turn: Arc<tokio::sync::Mutex<()>>,
    /// How many transactions wait for it.
    pub(crate) waiting: Arc<AtomicUsize>,
}

impl Sqlite {
    /// Opens or creates the file and starts its threads.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let writer = connect(path, false)?;
        let (writer_work, work) = mpsc::channel::<Work>();
        start("sqlite-writer", writer, Arc::new(Mutex::new(work)))?;
        let (reader_work, work) = mpsc::channel::<Work>();
        let work = Arc::new(Mutex::new(work));
        for _ in 0..READERS {
            start("sqlite-reader", connect(path, true)?, work.clone())?;
        }
        Ok(Self { writer: writer_work, readers: reader_work, turn: Arc::default(), waiting: Arc::default() })
    }

    /// Runs work on a reading connection.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        hand_over(&self.readers, work).await
    }

    /// Runs work on the writing connection. The caller holds the lock.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        hand_over(&self.writer, work).await
    }

    /// Queues a rollback without waiting. Work that is sent later finds the writer outside a transaction.
    pub(crate) fn roll_back(&self) {
        let _ = self.writer.send(Box::new(|connection| {
            if !connection.is_autocommit()
                && let Err(error) = connection.execute_batch("ROLLBACK")
            {
                tracing::error!(%error, "a rollback failed");
            }
        }));
    }
}

async fn hand_over<T: Send + 'static>(
    to: &mpsc::Sender<Work>,
    work: impl FnOnce(&mut Connection) -> Result<T> + Send + 'static,
) -> Result<T> {
    let (reply, answer) = oneshot::channel();
    to.send(Box::new(move |connection| {
        let _ = reply.send(work(connection));
    }))
    .map_err(|_| StoreError::Unavailable("the database threads have ended".into()))?;
    answer.await.unwrap_or_else(|_| Err(StoreError::Unexpected(anyhow::anyhow!("a statement panicked"))))
}

/// How often a connection is used. A connection that is hardly used empties its page cache.
struct Usage {
    since: Instant,
    works: u32,
}

impl Usage {
    /// The length of a counting window.
    const WINDOW: Duration = Duration::from_secs(20);
    /// Below this number of jobs in a window the server is idle. Its worker then only polls for jobs and events.
    const FEW: u32 = 1000;

    /// Counts one piece of work. True if a window with little work has ended.
    fn count(&mut self, now: Instant) -> bool {
        self.works += 1;
        if now.duration_since(self.since) < Self::WINDOW {
            return false;
        }
        let few = self.works < Self::FEW;
        *self = Self { since: now, works: 0 };
        few
    }
}

fn start(name: &str, mut connection: Connection, work: Arc<Mutex<mpsc::Receiver<Work>>>) -> Result<()> {
    std::thread::Builder::new()
        .name(name.into())
        .spawn(move || {
            let mut usage = Usage { since: Instant::now(), works: 0 };
            loop {
                let next = work.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).recv();
                let Ok(work) = next else { return };
                let ran = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&mut connection)));
                if ran.is_err() {
                    tracing::error!("a statement panicked; its connection continues");
                }
                if usage.count(Instant::now())
                    && let Err(error) = connection.execute_batch("PRAGMA shrink_memory")
                {
                    tracing::warn!(%error, "a connection could not release its memory");
                }
            }
        })
        .context("starting a database thread")?;
    Ok(())
}

fn connect(path: &Path, read_only: bool) -> Result<Connection> {
    let flags = match read_only {
        true => OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        false => {
            OpenFlags::SQLITE_OPEN_READ_WRITE
                | OpenFlags::SQLITE_OPEN_CREATE
                | OpenFlags::SQLITE_OPEN_NO_MUTEX
        }
    };
    let connection = Connection::open_with_flags(PathBuf::from(path), flags)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    if !read_only {
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
        // A commit that was answered must survive a power cut, which NORMAL does not promise.
        connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")?;
    }
    // A plan that looked at a bound value, such as that of LIMIT, would be made anew each time another value is bound.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.execute_batch("PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0;")?;
    let kept = if read_only { READER_CACHE_KIB } else { WRITER_CACHE_KIB };
    connection.pragma_update(None, "cache_size", -kept)?;
    rusqlite::vtab::array::load_module(&connection)?;
    connection.create_scalar_function(
        "unicode_lower",
        1,
        rusqlite::functions::FunctionFlags::SQLITE_UTF8
            | rusqlite::functions::FunctionFlags::SQLITE_DETERMINISTIC,
        |context| Ok(context.get::<Option<String>>(0)?.map(|text| text.to_lowercase())),
    )?;
    connection.create_scalar_function(
        "search_plain",
        1,
        rusqlite::functions::FunctionFlags::SQLITE_UTF8
            | rusqlite::functions::FunctionFlags::SQLITE_DETERMINISTIC
            | rusqlite::functions::FunctionFlags::SQLITE_INNOCUOUS,
        |context| Ok(context.get::<Option<String>>(0)?.map(|text| crate::words::plain(&text))),
    )?;
    connection.create_scalar_function(
        "search_terms_of",
        1,
        rusqlite::functions::FunctionFlags::SQLITE_UTF8
            | rusqlite::functions::FunctionFlags::SQLITE_DETERMINISTIC
            | rusqlite::functions::FunctionFlags::SQLITE_INNOCUOUS,
        |context| {
            let text = context.get::<Option<String>>(0)?.unwrap_or_default();
            Ok(crate::words::terms_json(&text))
        },
    )?;
    Ok(connection)
}

/// Runs a statement that returns rows.
pub(crate) fn fetch(connection: &mut Connection, text: &str, values: &[Value]) -> Result<Rows> {
    let mut statement = connection.prepare_cached(text).map_err(|error| explain(error, text))?;
    let columns = statement.column_names().map(str::to_owned).collect::<Vec<_>>();
    let width = columns.len();
    let mut found = Rows { columns: columns.into(), rows: Vec::new() };
    let mut rows = statement.query(rusqlite::params_from_iter(values))?;
    while let Some(row) = rows.next()? {
        let mut values = Vec::with_capacity(width);
        for at in 0..width {
            values.push(from_sqlite(row.get_ref(at)?));
        }
        found.rows.push(values);
    }
    Ok(found)
}

/// Runs several statements that return rows.
pub(crate) fn fetch_each(connection: &mut Connection, statements: &[Rendered]) -> Result<Vec<Rows>> {
    statements.iter().map(|(text, values)| fetch(connection, text, values)).collect()
}

/// Runs a statement for its effect and returns how many rows it touched.
pub(crate) fn execute(connection: &mut Connection, text: &str, values: &[Value]) -> Result<u64> {
    let mut statement = connection.prepare_cached(text).map_err(|error| explain(error, text))?;
    Ok(statement.execute(rusqlite::params_from_iter(values))? as u64)
}

/// Runs one statement for many sets of values and returns how many rows they touched.
pub(crate) fn execute_each(connection: &mut Connection, text: &str, sets: &[Vec<Value>]) -> Result<u64> {
    let mut statement = connection.prepare_cached(text).map_err(|error| explain(error, text))?;
    let mut touched = 0;
    for set in sets {
        touched += statement.execute(rusqlite::params_from_iter(set))?;
    }
    Ok(touched as u64)
}

fn explain(error: rusqlite::Error, text: &str) -> StoreError {
    match StoreError::from(error) {
        StoreError::Unexpected(cause) => StoreError::Unexpected(cause.context(text.to_owned())),
        known => known,
    }
}

fn from_sqlite(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Int(number),
        ValueRef::Real(number) => Value::Float(number),
        ValueRef::Text(text) => Value::Text(match std::str::from_utf8(text) {
            Ok(text) => text.to_owned(),
            Err(_) => String::from_utf8_lossy(text).into_owned(),
        }),
        // Most are ids, which so need no room of their own; bytes of that length are read as bytes all the same.
        ValueRef::Blob(bytes) => match Uuid::from_slice(bytes) {
            Ok(id) => Value::Uuid(id),
            Err(_) => Value::Bytes(bytes.to_vec()),
        },
    }
}

/// A value of a list that is bound as one array.
fn owned(value: &Value) -> rusqlite::Result<rusqlite::types::Value> {
    Ok(match value.to_sql()? {
        ToSqlOutput::Owned(value) => value,
        ToSqlOutput::Borrowed(value) => {
            value.try_into().map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?
        }
        _ => return Err(rusqlite::Error::ToSqlConversionFailure("a list in a list".into())),
    })
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        use rusqlite::types::Value as Owned;
        Ok(match self {
            Value::Null => ToSqlOutput::Owned(Owned::Null),
            Value::Bool(yes) => ToSqlOutput::Owned(Owned::Integer((*yes).into())),
            Value::Int(number) => ToSqlOutput::Owned(Owned::Integer(*number)),
            Value::Float(number) => ToSqlOutput::Owned(Owned::Real(*number)),
            Value::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Value::Bytes(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
            Value::Uuid(id) => ToSqlOutput::Borrowed(ValueRef::Blob(id.as_bytes())),
            Value::Date(date) => ToSqlOutput::Owned(Owned::Text(Value::date_text(*date))),
            Value::Time(time) => ToSqlOutput::Owned(Owned::Text(Value::time_text(*time))),
            Value::List(list) => {
                let values = list.iter().map(owned).collect::<rusqlite::Result<Vec<Owned>>>()?;
                ToSqlOutput::from_rc(std::rc::Rc::new(values), c"rarray")
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_that_is_hardly_used_gives_its_memory_back() {
        let begin = Instant::now();
        let mut usage = Usage { since: begin, works: 0 };
        assert!(!usage.count(begin + Duration::from_secs(19)));
        assert!(usage.count(begin + Duration::from_secs(20)));
        for _ in 0..Usage::FEW {
            assert!(!usage.count(begin + Duration::from_secs(39)));
        }
        assert!(!usage.count(begin + Duration::from_secs(40)));
        assert!(usage.count(begin + Duration::from_secs(60)));
    }
}
