//! Where the rows of an import are written: all in one transaction, or in slices that are committed one by one, so that
//! nobody waits long for the writer. What is committed before the end is hidden until `opening.rs` opens it.

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use planwright_domain::Clock;
use planwright_store::record::Columns;
use planwright_store::row::Rows;
use planwright_store::{Db, Engine, Read, Record, Result, Sql, StoreError, Tx};

/// A slice has so many parts at most; then others get their turn.
const PARTS: usize = 5;
/// From so many parts on a slice ends early if somebody waits for it.
const ENOUGH_PARTS: usize = 2;

/// So many rows are written at most before others get their turn.
pub fn slice(engine: Engine) -> usize {
    PARTS * engine.rows_at_once()
}

/// How far an import has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What it does.
    pub phase: &'static str,
    /// How many rows of the phase are written.
    pub done: usize,
    /// How many there are in all, as far as that is known: it grows with rows that bring others.
    pub total: usize,
}

/// The statement that notes how far an import has come. It touches no row when somebody stopped the import.
pub type Note<'a> = dyn Fn(Progress) -> Sql + Send + Sync + 'a;

/// Rows that are made when their turn comes. The type is one, whatever they are made of, so that jobs can wait for them.
pub type Many<'a, T> = Box<dyn Iterator<Item = T> + Send + 'a>;

/// Where the rows go.
pub struct Slices<'a> {
    into: Into<'a>,
    clock: Clock,
    now: DateTime<Utc>,
    /// Rows in the open slice.
    rows: usize,
    progress: Progress,
}

enum Into<'a> {
    Whole(&'a mut Tx),
    Each { db: &'a Db, open: Option<Box<Tx>>, note: &'a Note<'a> },
}

impl<'a> Slices<'a> {
    /// All rows in a transaction that is open already.
    pub fn whole(tx: &'a mut Tx) -> Self {
        Self::over(tx.clock().clone(), tx.now(), Into::Whole(tx))
    }

    /// Rows in slices of their own.
    pub fn each(db: &'a Db, note: &'a Note<'a>) -> Self {
        Self::over(db.clock.clone(), db.clock.now(), Into::Each { db, open: None, note })
    }

    fn over(clock: Clock, now: DateTime<Utc>, into: Into<'a>) -> Self {
        Self { into, clock, now, rows: 0, progress: Progress { phase: "", done: 0, total: 0 } }
    }

    /// The clock for new ids.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The time of all rows of the import.
    pub fn now(&self) -> DateTime<Utc> {
        self.now
    }

    /// A value that was put beside the database.
    pub fn context<T: Send + Sync + 'static>(&self) -> Option<&T> {
        match &self.into {
            Into::Whole(tx) => tx.context(),
            Into::Each { db, .. } => db.context(),
        }
    }

    /// How many rows are written at once.
    pub fn part(&self) -> usize {
        self.engine().rows_at_once()
    }

    /// How many rows come next.
    fn room(&self) -> usize {
        self.part().min(slice(self.engine()) - self.rows)
    }

    /// Begins the next part of the import in a slice of its own, so that whoever follows the import hears of the one before.
    ///
    /// # Errors
    /// `Missing` when the import was stopped in the meantime.
    pub async fn phase(&mut self, phase: &'static str, total: usize) -> Result<()> {
        self.pause().await?;
        self.progress = Progress { phase, done: 0, total };
        Ok(())
    }

    /// The transaction of this slice.
    pub async fn tx(&mut self) -> Result<&mut Tx> {
        match &mut self.into {
            Into::Whole(tx) => Ok(tx),
            Into::Each { db, open, .. } => {
                if open.is_none() {
                    *open = Some(Box::new(db.begin().await?));
                }
                open.as_deref_mut().ok_or(StoreError::Missing)
            }
        }
    }

    /// Ends the slice, if there is one: its rows are committed, and others get their turn.
    ///
    /// # Errors
    /// `Missing` when the import was stopped in the meantime.
    pub async fn pause(&mut self) -> Result<()> {
        self.rows = 0;
        let progress = self.progress;
        let Into::Each { open, note, .. } = &mut self.into else { return Ok(()) };
        let Some(mut tx) = open.take() else { return Ok(()) };
        match tx.run(note(progress)).await? {
            0 => Err(StoreError::Missing),
            _ => tx.commit().await,
        }
    }

    /// Makes the last slice permanent.
    pub async fn commit(self) -> Result<()> {
        match self.into {
            Into::Each { open: Some(tx), .. } => tx.commit().await,
            _ => Ok(()),
        }
    }

    /// Runs one statement text for many sets of values. They are made slice by slice, so that neither the memory nor the time
    /// for which a slice is open grows with their number.
    pub async fn run_each(&mut self, mut statements: Many<'_, Sql>) -> Result<()> {
        loop {
            let part: Vec<Sql> = statements.by_ref().take(self.room()).collect();
            let count = part.len();
            if count == 0 {
                return Ok(());
            }
            self.tx().await?.run_each(part).await?;
            self.wrote(count).await?;
        }
    }

    /// Adds rows, each with the same further columns; made slice by slice as well.
    pub async fn insert_each<T: Record>(&mut self, mut rows: Many<'_, T>, more: &Columns) -> Result<()> {
        loop {
            let part: Vec<T> = rows.by_ref().take(self.room()).collect();
            if part.is_empty() {
                return Ok(());
            }
            self.tx().await?.insert_each(part.iter().map(|row| (row, more.clone())).collect()).await?;
            self.wrote(part.len()).await?;
        }
    }

    /// Counts rows that were written, and ends the slice when it is full, or when somebody waits for it.
    pub async fn wrote(&mut self, rows: usize) -> Result<()> {
        self.rows += rows;
        self.progress.done += rows;
        self.progress.total = self.progress.total.max(self.progress.done);
        let is_awaited = match &self.into {
            Into::Each { open: Some(tx), .. } => tx.is_awaited(),
            _ => false,
        };
        let (whole, enough) = (slice(self.engine()), ENOUGH_PARTS * self.part());
        match self.rows >= whole || (self.rows >= enough && is_awaited) {
            true => self.pause().await,
            false => Ok(()),
        }
    }
}

/// Reads what is written so far. Between two slices no transaction is open, so nobody waits for it.
impl Read for Slices<'_> {
    fn engine(&self) -> Engine {
        match &self.into {
            Into::Whole(tx) => tx.engine(),
            Into::Each { db, .. } => db.engine(),
        }
    }

    fn rows(&self, sql: Sql) -> BoxFuture<'_, Result<Rows>> {
        match &self.into {
            Into::Whole(tx) => tx.rows(sql),
            Into::Each { open: Some(tx), .. } => tx.rows(sql),
            Into::Each { db, .. } => db.rows(sql),
        }
    }

    fn rows_of_each(&self, statements: Vec<Sql>) -> BoxFuture<'_, Result<Vec<Rows>>> {
        match &self.into {
            Into::Whole(tx) => tx.rows_of_each(statements),
            Into::Each { open: Some(tx), .. } => tx.rows_of_each(statements),
            Into::Each { db, .. } => db.rows_of_each(statements),
        }
    }
}
