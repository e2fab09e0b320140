//! Watermarks: what a person had read of a place after a pull, by the counters of changes as they stood then. The number
//! of a watermark is all that a client keeps of it. Losing one costs a full pull, and nothing else.

use chrono::{DateTime, Duration, Utc};
use planwright_domain::ids::UserId;
use planwright_store::{Db, Read, Result, StoreError, row, sql};
use planwright_web::App;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use uuid::Uuid;

/// For how many days a client may stay away without reading everything again.
const KEPT_DAYS: i64 = 90;
/// How many watermarks of a person and a place are kept at most.
const MOST: i64 = 2000;
/// How often a number is asked for again that somebody else took.
const ATTEMPTS: usize = 5;

/// Whose reading of which place: a project, or zeros for all programs of the person.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(crate) user: UserId,
    pub(crate) place: Uuid,
}

row! {
    struct Watermark {
        number: i64,
        state: Json,
        at: DateTime<Utc>,
    }
}

/// What was read at a watermark, and when.
pub(crate) struct Known<S> {
    pub(crate) state: S,
    pub(crate) at: DateTime<Utc>,
}

const OF_READING: &str =
    "SELECT number, state, at FROM sync_watermarks WHERE user_id = :user AND place_id = :place";

/// What a person had read at a watermark. `None` if it is not known any more.
pub(crate) async fn find<S: DeserializeOwned>(
    db: &dyn Read,
    reading: Reading,
    number: i64,
) -> Result<Option<Known<S>>> {
    let select = format!("{OF_READING} AND number = :number");
    let found: Option<Watermark> =
        db.maybe(sql!(select, user = reading.user, place = reading.place, number = number)).await?;
    // A state that an older version wrote otherwise is not known either.
    Ok(found.and_then(|row| Some(Known { state: serde_json::from_value(row.state).ok()?, at: row.at })))
}

/// The number of a state, which is the newest one of the person if nothing has changed since.
pub(crate) async fn pin<S: Serialize>(app: &App, reading: Reading, state: &S) -> Result<i64> {
    let state = serde_json::to_value(state).map_err(|error| StoreError::Unexpected(error.into()))?;
    let (db, now) = (&app.db, app.clock.now());
    let mut newest = newest(db, reading).await?;
    for _ in 0..ATTEMPTS {
        if let Some(row) = newest.as_ref().filter(|row| row.state == state) {
            return Ok(row.number);
        }
        let next = newest.as_ref().map_or(0, |row| row.number + 1).max(now.timestamp());
        if keep(db, reading, next, &state).await? {
            return Ok(next);
        }
        newest = self::newest(db, reading).await?;
    }
    Err(StoreError::Unavailable("many pulls of one person at the same moment".into()))
}

async fn newest(db: &dyn Read, reading: Reading) -> Result<Option<Watermark>> {
    let select = format!("{OF_READING} ORDER BY number DESC LIMIT 1");
    db.maybe(sql!(select, user = reading.user, place = reading.place)).await
}

/// Keeps a watermark, and forgets the oldest ones. False if another pull took the number.
async fn keep(db: &Db, reading: Reading, number: i64, state: &Json) -> Result<bool> {
    let mut tx = db.begin().await?;
    let (user, place, now) = (reading.user, reading.place, tx.now());
    let insert = "INSERT INTO sync_watermarks (user_id, place_id, number, state, at)
                  VALUES (:user, :place, :number, :state, :now) ON CONFLICT DO NOTHING";
    let added =
        tx.run(sql!(insert, user = user, place = place, number = number, state = state, now = now)).await?;
    let forget = "DELETE FROM sync_watermarks WHERE user_id = :user AND place_id = :place AND (at < :old
                    OR number <= (SELECT w.number FROM sync_watermarks w WHERE w.user_id = :user
                        AND w.place_id = :place ORDER BY w.number DESC LIMIT 1 OFFSET :most))";
    let old = now - Duration::days(KEPT_DAYS);
    tx.run(sql!(forget, user = user, place = place, old = old, most = MOST)).await?;
    tx.commit().await?;
    Ok(added > 0)
}
