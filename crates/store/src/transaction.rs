//! A transaction that is always ended: if it is dropped for any reason (an error, a cancelled request, a panic), it
//! is rolled back. On SQLite it holds the only writing connection. On PostgreSQL it holds a connection of the pool.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::{DateTime, Utc};
use deadpool_postgres::Object;
use futures_util::future::BoxFuture;
use planwright_domain::Clock;
use planwright_domain::ids::UserId;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::database::{Backend, Context, StatementCount};
use crate::dialect::Keys;
use crate::engine::Engine;
use crate::record::Columns;
use crate::row::Rows;
use crate::sql::{Template, rendered};
use crate::value::Value;
use crate::writer_turn::WriterTurn;
use crate::{Db, Read, Result, Sql, StoreError, postgres, sqlite};

/// An open transaction. All its writes happen together at [`Tx::commit`], or not at all.
pub struct Tx {
    connection: Connection,
    clock: Clock,
    now: DateTime<Utc>,
    context: Context,
    news: Arc<Notify>,
    statements: StatementCount,
    /// Whether there are events to send after the commit.
    pub(crate) has_news: bool,
    /// Who makes the changes of this transaction. None for the system.
    pub(crate) actor: Option<UserId>,
    signals: Vec<Signal>,
}

type Signal = Box<dyn FnOnce() + Send + Sync>;

enum Connection {
    Sqlite(WriterTurn),
    /// `BEGIN` is sent with the first statement, so it needs no round trip of its own.
    Postgres {
        client: Option<Object>,
        is_begun: AtomicBool,
    },
}

/// An open transaction is asked as any reader is.
impl Deref for Tx {
    type Target = dyn Read;

    fn deref(&self) -> &(dyn Read + 'static) {
        self
    }
}

impl Tx {
    pub(crate) async fn begin(db: &Db) -> Result<Self> {
        let connection = match &db.backend {
            Backend::Sqlite(threads) => Connection::Sqlite(WriterTurn::take(threads).await?),
            Backend::Postgres(pool) => {
                Connection::Postgres { client: Some(pool.get().await?), is_begun: AtomicBool::new(false) }
            }
        };
        Ok(Self {
            connection,
            clock: db.clock.clone(),
            now: db.clock.now(),
            context: db.context.clone(),
            news: db.news.clone(),
            statements: db.statements.clone(),
            has_news: false,
            actor: None,
            signals: Vec::new(),
        })
    }

    /// The time at which the transaction began. All its writes have this time.
    pub fn now(&self) -> DateTime<Utc> {
        self.now
    }

    /// Says who makes the changes of this transaction. Its events name them.
    pub fn acts_for(&mut self, actor: UserId) {
        self.actor = Some(actor);
    }

    /// The clock for new ids of the transaction.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// A value that was added with [`Db::with`].
    pub fn context<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.context.get()
    }

    /// Whether somebody waits for this transaction to end: on SQLite, where only one can write. On PostgreSQL nobody waits for a
    /// transaction as such.
    pub fn is_awaited(&self) -> bool {
        matches!(&self.connection, Connection::Sqlite(turn) if turn.is_awaited())
    }

    /// A new id.
    pub fn mint<I: From<Uuid>>(&self) -> I {
        self.clock.mint()
    }

    /// Runs a statement for its effect and returns how many rows it touched.
    pub fn run(&mut self, sql: Sql) -> BoxFuture<'_, Result<u64>> {
        Box::pin(async move {
            let (text, values) = sql.render(self.engine())?;
            self.statements.add(1);
            match &self.connection {
                Connection::Sqlite(turn) => {
                    turn.write(text, move |connection, text| sqlite::execute(connection, text, &values)).await
                }
                Connection::Postgres { client, is_begun } => {
                    let client = held(client)?;
                    within(client, is_begun, postgres::execute(client, &text, &values)).await
                }
            }
        })
    }

    /// Runs one statement text for many sets of values: with one message to the writer, or as a pipeline to the
    /// server. The statements must have the same text and the same order of values.
    pub fn run_each(&mut self, statements: Vec<Sql>) -> BoxFuture<'_, Result<u64>> {
        Box::pin(async move {
            let engine = self.engine();
            let Some(first) = statements.first() else { return Ok(0) };
            if let Some(template) = Template::of(first, engine)? {
                let sets =
                    statements.iter().map(|statement| template.values(statement)).collect::<Result<_>>()?;
                return self.execute_each(template.text, sets, Keys::Any).await;
            }
            let mut shared: Option<String> = None;
            let mut sets: Vec<Vec<Value>> = Vec::with_capacity(statements.len());
            for statement in statements {
                let (text, values) = statement.render(engine)?;
                if shared.get_or_insert_with(|| text.clone()) != &text {
                    let mixed = anyhow::anyhow!("a bulk write mixes statements: {text}");
                    return Err(StoreError::Unexpected(mixed));
                }
                sets.push(values);
            }
            let Some(text) = shared else { return Ok(0) };
            self.execute_each(text, sets, Keys::Any).await
        })
    }

    /// Runs one statement for many rows of values with the same names in the same order. The text is parsed once.
    /// Then it is one message to the writer, or a pipeline to the server.
    pub fn run_rows(
        &mut self,
        text: &str,
        rows: impl IntoIterator<Item = Columns>,
    ) -> BoxFuture<'_, Result<u64>> {
        self.run_keyed_rows(text.to_owned(), rows.into_iter().collect(), Keys::Any)
    }

    /// The same for rows that are added or, where their keys are there, changed. No two of them have the same key, so
    /// PostgreSQL takes them at once.
    pub fn upsert_rows(
        &mut self,
        text: &str,
        rows: impl IntoIterator<Item = Columns>,
    ) -> BoxFuture<'_, Result<u64>> {
        self.run_keyed_rows(text.to_owned(), rows.into_iter().collect(), Keys::Distinct)
    }

    fn run_keyed_rows(&mut self, text: String, rows: Vec<Columns>, keys: Keys) -> BoxFuture<'_, Result<u64>> {
        let ordered = ordered_values(text, rows, self.engine());
        Box::pin(async move {
            match ordered? {
                (_, sets) if sets.is_empty() => Ok(0),
                (text, sets) => self.execute_each(text, sets, keys).await,
            }
        })
    }

    /// Runs a rendered statement for each set of values.
    fn execute_each(
        &mut self,
        text: String,
        sets: Vec<Vec<Value>>,
        keys: Keys,
    ) -> BoxFuture<'_, Result<u64>> {
        Box::pin(async move {
            self.statements.add(1);
            match &self.connection {
                Connection::Sqlite(turn) => {
                    turn.write(text, move |connection, text| sqlite::execute_each(connection, text, &sets))
                        .await
                }
                Connection::Postgres { client, is_begun } => {
                    let client = held(client)?;
                    within(client, is_begun, postgres::execute_each(client, &text, &sets, keys)).await
                }
            }
        })
    }

    /// Runs one statement for many rows of values. The values are in the order of the names of the statement, each
    /// used once.
    pub(crate) async fn run_values(&mut self, text: String, sets: Vec<Vec<Value>>) -> Result<u64> {
        let (text, _) = Sql::new(text).order(self.engine());
        self.execute_each(text, sets, Keys::Any).await
    }

    /// Changes many rows of a table, each by the value of its key; every row names the same columns in the same order.
    pub fn update_rows<'a>(
        &'a mut self,
        table: &'a str,
        key: &'static str,
        rows: Vec<Vec<(&'static str, Value)>>,
    ) -> BoxFuture<'a, Result<u64>> {
        Box::pin(async move {
            let Some(first) = rows.first() else { return Ok(0) };
            let names: Vec<&'static str> = first.iter().map(|(name, _)| *name).collect();
            match &self.connection {
                Connection::Sqlite(_) => {
                    let set =
                        names.iter().filter(|name| **name != key).map(|name| format!("{name} = :{name}"));
                    let set: Vec<String> = set.collect();
                    let text = format!("UPDATE {table} SET {} WHERE {key} = :{key}", set.join(", "));
                    self.run_rows(&text, rows).await
                }
                Connection::Postgres { client, is_begun } => {
                    self.statements.add(1);
                    let values = |row: Vec<(_, Value)>| row.into_iter().map(|(_, value)| value).collect();
                    let sets = rows.into_iter().map(values).collect();
                    let client = held(client)?;
                    within(client, is_begun, postgres::update_rows(client, table, key, &names, sets)).await
                }
            }
        })
    }

    /// Runs a whole script of the migrations, without binds.
    pub(crate) async fn run_script(&mut self, script: &'static str) -> Result<()> {
        match &self.connection {
            Connection::Sqlite(turn) => turn.batch(script).await,
            Connection::Postgres { client, is_begun } => {
                let client = held(client)?;
                within(client, is_begun, async { Ok(client.batch_execute(script).await?) }).await
            }
        }
    }

    /// Sends a signal inside this process after the commit, and none without a commit. A crash in between loses the
    /// signal, so it may only announce something that is in the database anyway.
    pub fn signal_committed(&mut self, signal: impl FnOnce() + Send + Sync + 'static) {
        self.signals.push(Box::new(signal));
    }

    /// Makes everything written so far permanent.
    pub fn commit(mut self) -> BoxFuture<'static, Result<()>> {
        Box::pin(async move {
            match &mut self.connection {
                Connection::Sqlite(turn) => turn.commit().await?,
                Connection::Postgres { client, is_begun } => {
                    if is_begun.load(Ordering::Relaxed) {
                        held(client)?.batch_execute("COMMIT").await?;
                    }
                    // Without its client the transaction has nothing left to roll back, and the connection is free again.
                    client.take();
                }
            }
            if self.has_news {
                self.news.notify_one();
            }
            self.signals.into_iter().for_each(|signal| signal());
            Ok(())
        })
    }
}

/// The text of a statement for an engine, and the values of each row in the order in which the text wants them.
fn ordered_values(text: String, rows: Vec<Columns>, engine: Engine) -> Result<(String, Vec<Vec<Value>>)> {
    let (text, order) = Sql::new(text).order(engine);
    let Some(first) = rows.first() else { return Ok((text, Vec::new())) };
    let find = |name: &String| first.iter().position(|(bound, _)| bound == name);
    let missing = || StoreError::Unexpected(anyhow::anyhow!("a bulk write misses a value: {text}"));
    let places: Vec<usize> =
        order.iter().map(|name| find(name).ok_or_else(missing)).collect::<Result<_>>()?;
    let take = |mut row: Columns| -> Vec<Value> {
        places.iter().map(|at| std::mem::replace(&mut row[*at].1, Value::Null)).collect()
    };
    let sets = rows.into_iter().map(take).collect();
    Ok((text, sets))
}

fn held(client: &Option<Object>) -> Result<&Object> {
    client.as_ref().ok_or_else(|| StoreError::Unexpected(anyhow::anyhow!("the transaction has ended")))
}

/// Runs a statement. The first one of a transaction is sent together with `BEGIN`.
async fn within<T>(
    client: &Object,
    is_begun: &AtomicBool,
    work: impl Future<Output = Result<T>>,
) -> Result<T> {
    if is_begun.swap(true, Ordering::Relaxed) {
        return work.await;
    }
    let begin = async { Ok(client.batch_execute("BEGIN").await?) };
    // The one named first is sent first.
    let ((), found) = futures_util::future::try_join(begin, work).await?;
    Ok(found)
}

impl Read for Tx {
    fn engine(&self) -> Engine {
        match self.connection {
            Connection::Sqlite(_) => Engine::Sqlite,
            Connection::Postgres { .. } => Engine::Postgres,
        }
    }

    fn rows(&self, sql: Sql) -> BoxFuture<'_, Result<Rows>> {
        Box::pin(async move {
            let (text, values) = sql.render(self.engine())?;
            self.statements.add(1);
            match &self.connection {
                Connection::Sqlite(turn) => {
                    turn.write(text, move |connection, text| sqlite::fetch(connection, text, &values)).await
                }
                Connection::Postgres { client, is_begun } => {
                    let client = held(client)?;
                    within(client, is_begun, postgres::fetch(client, &text, &values)).await
                }
            }
        })
    }

    fn rows_of_each(&self, statements: Vec<Sql>) -> BoxFuture<'_, Result<Vec<Rows>>> {
        Box::pin(async move {
            let rendered = rendered(statements, self.engine())?;
            self.statements.add(rendered.len());
            match &self.connection {
                Connection::Sqlite(turn) => {
                    let text = rendered.first().map(|(text, _)| text.clone()).unwrap_or_default();
                    turn.write(text, move |connection, _| sqlite::fetch_each(connection, &rendered)).await
                }
                Connection::Postgres { client, is_begun } => {
                    let client = held(client)?;
                    within(client, is_begun, postgres::fetch_each(client, &rendered)).await
                }
            }
        })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        match self {
            Connection::Sqlite(_) => {}
            Connection::Postgres { client, is_begun } => {
                let Some(client) = client.take().filter(|_| *is_begun.get_mut()) else { return };
                match tokio::runtime::Handle::try_current() {
                    Ok(runtime) => {
                        runtime.spawn(async move {
                            if let Err(error) = client.batch_execute("ROLLBACK").await {
                                tracing::warn!(%error, "a rollback failed; its connection is closed");
                                drop(Object::take(client));
                            }
                        });
                    }
                    Err(_) => drop(Object::take(client)),
                }
            }
        }
    }
}
