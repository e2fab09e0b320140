//! The database handle that the whole program shares: its location and its read functions. Writing needs a
//! transaction, see `transaction.rs`.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use deadpool_postgres::Pool;
use futures_util::future::BoxFuture;
use planwright_domain::Clock;
use tokio::sync::Notify;

use crate::engine::Engine;
use crate::row::{FromRow, Rows};
use crate::sql::rendered;
use crate::sqlite::Sqlite;
use crate::value::FromValue;
use crate::{Result, Sql, StoreError, Tx, postgres, sqlite};

/// Where a database is.
#[derive(Clone, Debug, PartialEq)]
pub enum Location {
    /// A file of this process.
    File(PathBuf),
    /// A PostgreSQL server, with a maximum number of connections from this process.
    Server {
        /// `postgres://…`
        url: String,
        /// The maximum size of the pool.
        connections: usize,
    },
}

/// The connections of a process to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connections {
    /// All open connections.
    pub open: usize,
    /// The connections that are not in use.
    pub idle: usize,
    /// The number of requests that wait for a connection.
    pub waiting: usize,
}

/// A database; cheap to clone.
#[derive(Clone)]
pub struct Db {
    pub(crate) backend: Backend,
    /// The clock for the times of rows.
    pub clock: Clock,
    pub(crate) context: Context,
    pub(crate) news: Arc<Notify>,
    pub(crate) statements: StatementCount,
}

/// The number of statements that this process has sent to a database.
#[derive(Clone, Default)]
pub(crate) struct StatementCount(Arc<AtomicU64>);

impl StatementCount {
    pub(crate) fn add(&self, statements: usize) {
        self.0.fetch_add(statements as u64, Ordering::Relaxed);
    }
}

/// Values of areas by type, such as their settings. Commands find them in every transaction.
#[derive(Clone, Default)]
pub(crate) struct Context(Arc<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl Context {
    pub(crate) fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.0.get(&TypeId::of::<T>()).and_then(|value| value.downcast_ref())
    }
}

#[derive(Clone)]
pub(crate) enum Backend {
    Sqlite(Sqlite),
    Postgres(Pool),
}

/// Something that can run queries: the database itself, or an open transaction. What a query reads is typed by the methods of
/// `dyn Read`, so each is compiled once for a type of row and not once more for each kind of reader.
pub trait Read: Sync {
    /// The database engine.
    fn engine(&self) -> Engine;

    /// Runs a statement and returns its rows untyped.
    fn rows(&self, sql: Sql) -> BoxFuture<'_, Result<Rows>>;

    /// Runs several statements and returns the rows of each: with one message to a reading thread, or as a pipeline
    /// to the server.
    fn rows_of_each(&self, statements: Vec<Sql>) -> BoxFuture<'_, Result<Vec<Rows>>>;
}

impl dyn Read + '_ {
    /// Every row.
    pub async fn all<T: FromRow>(&self, sql: Sql) -> Result<Vec<T>> {
        self.rows(sql).await?.typed()
    }

    /// The first row, if there is one.
    pub async fn maybe<T: FromRow>(&self, sql: Sql) -> Result<Option<T>> {
        self.rows(sql).await?.first_typed()
    }

    /// The first row. It must exist.
    pub async fn one<T: FromRow>(&self, sql: Sql) -> Result<T> {
        self.rows(sql).await?.first_typed()?.ok_or(StoreError::Missing)
    }

    /// The first column of every row.
    pub async fn scalars<T: FromValue>(&self, sql: Sql) -> Result<Vec<T>> {
        self.rows(sql).await?.scalars()
    }

    /// The first column of the first row, if there is one.
    pub async fn scalar<T: FromValue>(&self, sql: Sql) -> Result<Option<T>> {
        self.rows(sql).await?.first_scalar()
    }

    /// A count, or another number that always exists.
    pub async fn count(&self, sql: Sql) -> Result<i64> {
        self.scalar(sql).await?.ok_or(StoreError::Missing)
    }
}

/// A database is asked as any reader is.
impl Deref for Db {
    type Target = dyn Read;

    fn deref(&self) -> &(dyn Read + 'static) {
        self
    }
}

impl Db {
    /// Opens a database. A missing file is created. A server is not contacted yet.
    pub fn open(location: &Location, clock: Clock) -> Result<Self> {
        let backend = match location {
            Location::File(path) => Backend::Sqlite(Sqlite::open(path)?),
            Location::Server { url, connections } => Backend::Postgres(postgres::pool(url, *connections)?),
        };
        Ok(Self {
            backend,
            clock,
            context: Context::default(),
            news: Arc::default(),
            statements: StatementCount::default(),
        })
    }

    /// The same database with one more value. Commands find it in every transaction with [`Tx::context`].
    pub fn with<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        let mut values = (*self.context.0).clone();
        values.insert(TypeId::of::<T>(), Arc::new(value));
        self.context = Context(Arc::new(values));
        self
    }

    /// A value that was added with [`Db::with`].
    pub fn context<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.context.get()
    }

    /// A signal after each transaction of this process that committed events, so that nobody has to wait for the next
    /// poll.
    pub fn news(&self) -> &Notify {
        &self.news
    }

    /// The number of statements that this handle and its clones have sent, including those of transactions. A
    /// statement that is run for many rows counts once. Beginning and ending a transaction do not count.
    pub fn statements(&self) -> u64 {
        self.statements.0.load(Ordering::Relaxed)
    }

    /// The connections of this process to a server. `None` for a file.
    pub fn connections(&self) -> Option<Connections> {
        let Backend::Postgres(pool) = &self.backend else { return None };
        let status = pool.status();
        Some(Connections { open: status.size, idle: status.available, waiting: status.waiting })
    }

    /// Updates the statistics of the engine after many rows were added at once, if its plans depend on them.
    pub async fn look_anew(&self) -> Result<()> {
        let Some(script) = self.engine().statistics_update() else { return Ok(()) };
        let mut tx = self.begin().await?;
        tx.run_script(script).await?;
        tx.commit().await
    }

    /// Begins a transaction: on SQLite as soon as the writer is free, on PostgreSQL as soon as a connection is.
    pub fn begin(&self) -> BoxFuture<'_, Result<Tx>> {
        Box::pin(Tx::begin(self))
    }
}

impl Read for Db {
    fn engine(&self) -> Engine {
        match &self.backend {
            Backend::Sqlite(_) => Engine::Sqlite,
            Backend::Postgres(_) => Engine::Postgres,
        }
    }

    fn rows(&self, sql: Sql) -> BoxFuture<'_, Result<Rows>> {
        Box::pin(async move {
            let (text, values) = sql.render(self.engine())?;
            self.statements.add(1);
            match &self.backend {
                Backend::Sqlite(threads) => {
                    threads.read(move |connection| sqlite::fetch(connection, &text, &values)).await
                }
                Backend::Postgres(pool) => postgres::fetch(&pool.get().await?, &text, &values).await,
            }
        })
    }

    fn rows_of_each(&self, statements: Vec<Sql>) -> BoxFuture<'_, Result<Vec<Rows>>> {
        Box::pin(async move {
            let rendered = rendered(statements, self.engine())?;
            self.statements.add(rendered.len());
            match &self.backend {
                Backend::Sqlite(threads) => {
                    threads.read(move |connection| sqlite::fetch_each(connection, &rendered)).await
                }
                Backend::Postgres(pool) => postgres::fetch_each(&pool.get().await?, &rendered).await,
            }
        })
    }
}
