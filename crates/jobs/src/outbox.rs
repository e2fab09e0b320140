//! Passes committed events from the outbox to the code that reacts to them. Taking an event and the writes of a
//! reaction are one transaction, so a crash repeats nothing and loses nothing.

use futures_util::future::BoxFuture;
use planwright_store::outbox::Waiting;
use planwright_store::{Db, Result, Tx};

/// The maximum number of events in one transaction.
const BATCH: i64 = 200;

/// The code that handles events, oldest first.
pub type Reaction = fn(&mut Tx, Vec<Waiting>) -> BoxFuture<'_, Result<()>>;

/// Handles all waiting events and returns their number.
pub async fn hand_out(db: &Db, react: Reaction) -> Result<usize> {
    let mut handed = 0;
    loop {
        if !planwright_store::outbox::has_waiting(db).await? {
            return Ok(handed);
        }
        let mut tx = db.begin().await?;
        let events = tx.take_waiting(BATCH).await?;
        let taken = events.len();
        react(&mut tx, events).await?;
        tx.commit().await?;
        handed += taken;
        // A batch that is not full was the last one; what came since then calls the worker again.
        if taken < BATCH as usize {
            return Ok(handed);
        }
    }
}
