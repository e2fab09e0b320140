//! Handing out the outbox: events that were committed reach those who react to them.
//! Taking an event and what a reaction writes commit together, so a crash in between repeats nothing and loses nothing.

use futures_util::future::BoxFuture;
use planwright_store::outbox::Waiting;
use planwright_store::{Db, Result, Tx};

/// How many events are handed out in one transaction. Reactions write on the same few rows again and again, and what a
/// transaction has overwritten it has to walk past until its end.
const BATCH: i64 = 50;

/// What is done with each event.
pub type Reaction = fn(&mut Tx, Waiting) -> BoxFuture<'_, Result<()>>;

/// Hands out everything that waits; returns how many events that were.
pub async fn hand_out(db: &Db, react: Reaction) -> Result<usize> {
    let mut handed = 0;
    loop {
        if planwright_store::outbox::waiting(db).await? == 0 {
            return Ok(handed);
        }
        let mut tx = db.begin().await?;
        let events = tx.take_waiting(BATCH).await?;
        let taken = events.len();
        for event in events {
            react(&mut tx, event).await?;
        }
        tx.commit().await?;
        handed += taken;
        if taken == 0 {
            return Ok(handed);
        }
    }
}
