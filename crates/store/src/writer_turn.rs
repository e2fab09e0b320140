//! The turn of one transaction at the only writing connection of SQLite. It ends with the transaction, rolls back what was not
//! committed, and tells the log when it was long.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::OwnedMutexGuard;

use crate::sqlite::Sqlite;
use crate::{Result, StoreError};

/// From here on a turn is long: everybody else who writes waits for it.
const LONG: Duration = Duration::from_millis(50);
/// So much of a statement stands in the log.
const MOST_LETTERS: usize = 240;

/// The turn of a transaction.
pub(crate) struct WriterTurn {
    threads: Sqlite,
    is_open: bool,
    since: Instant,
    used: Arc<Mutex<Used>>,
    _lock: OwnedMutexGuard<()>,
}

/// One more that waits. It is counted until it has its turn, or is given up.
struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    async fn of<T>(threads: &Sqlite, turn: impl Future<Output = T>) -> T {
        threads.waiting.fetch_add(1, Ordering::Relaxed);
        let _counted = Self(threads.waiting.clone());
        turn.await
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What the statements of a turn took.
#[derive(Debug, Default)]
struct Used {
    statements: usize,
    slowest: Duration,
    text: String,
}

impl Used {
    fn note(&mut self, took: Duration, text: String) {
        self.statements += 1;
        if took >= self.slowest {
            (self.slowest, self.text) = (took, text);
        }
    }
}

impl WriterTurn {
    /// Waits for the turn, and begins the transaction.
    pub(crate) async fn take(threads: &Sqlite) -> Result<Self> {
        let lock = Waiting::of(threads, threads.turn.clone().lock_owned()).await;
        // The turn stands before BEGIN is awaited, so that a request cancelled in between rolls back too.
        let turn = Self {
            threads: threads.clone(),
            is_open: true,
            since: Instant::now(),
            used: Arc::default(),
            _lock: lock,
        };
        turn.batch("BEGIN IMMEDIATE").await?;
        Ok(turn)
    }

    /// Whether other transactions wait for their turn.
    pub(crate) fn is_awaited(&self) -> bool {
        self.threads.waiting.load(Ordering::Relaxed) > 0
    }

    /// Runs work on the writing connection; `text` is the statement that it runs.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        text: String,
        work: impl FnOnce(&mut rusqlite::Connection, &str) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let used = self.used.clone();
        let timed = move |connection: &mut rusqlite::Connection| {
            let begun = Instant::now();
            let done = work(connection, &text);
            used.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).note(begun.elapsed(), text);
            done
        };
        self.threads.write(timed).await
    }

    /// Runs statements without values.
    pub(crate) async fn batch(&self, text: &str) -> Result<()> {
        let run = |connection: &mut rusqlite::Connection, text: &str| Ok(connection.execute_batch(text)?);
        self.write(text.to_owned(), run).await
    }

    /// Makes everything permanent.
    pub(crate) async fn commit(&mut self) -> Result<()> {
        if !self.is_open {
            return Err(StoreError::Unexpected(anyhow::anyhow!("the transaction has ended")));
        }
        self.batch("COMMIT").await?;
        self.is_open = false;
        Ok(())
    }

    fn tell(&self) {
        let held = self.since.elapsed();
        if held < LONG {
            return;
        }
        let used = self.used.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let statement: String = used.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let statement: String = statement.chars().take(MOST_LETTERS).collect();
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        tracing::debug!(
            held_ms = milliseconds(held),
            statements = used.statements,
            slowest_ms = milliseconds(used.slowest),
            statement,
            "a transaction held the writer for long"
        );
    }
}

impl Drop for WriterTurn {
    fn drop(&mut self) {
        // The lock is given back after this, so the next BEGIN queues up behind the rollback.
        if self.is_open {
            self.threads.roll_back();
        }
        self.tell();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_statement_of_a_turn_is_kept() {
        let mut used = Used::default();
        for (took, text) in [(2, "BEGIN"), (9, "INSERT"), (4, "COMMIT")] {
            used.note(Duration::from_millis(took), text.to_owned());
        }
        assert_eq!((used.statements, used.slowest.as_millis(), used.text.as_str()), (3, 9, "INSERT"));
    }
}
