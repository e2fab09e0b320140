//! Signs of life of the workers, one row each, for the health pages. The health pages decide when a sign of life is
//! too old.

use chrono::{DateTime, Duration, Utc};
use planwright_store::{Db, Read, Result, sql};
use uuid::Uuid;

/// A worker writes a sign of life at most this often, in seconds.
pub const INTERVAL_SECONDS: i64 = 15;

/// How long rows of ended workers are kept, in hours.
const KEPT_HOURS: i64 = 24;

/// Writes a sign of life of one worker.
pub(crate) async fn beat(db: &Db, worker: Uuid) -> Result<()> {
    let mut tx = db.begin().await?;
    let now = tx.now();
    tx.run(sql!(
        "INSERT INTO worker_heartbeats (worker_id, started_at, beat_at) VALUES (:worker, :now, :now)
         ON CONFLICT (worker_id) DO UPDATE SET beat_at = excluded.beat_at",
        worker = worker,
        now = now
    ))
    .await?;
    let oldest = now - Duration::hours(KEPT_HOURS);
    tx.run(sql!("DELETE FROM worker_heartbeats WHERE beat_at < :oldest", oldest = oldest)).await?;
    tx.commit().await
}

/// Deletes the sign of life of a worker that stops, so that it does not count as alive.
pub(crate) async fn stop(db: &Db, worker: Uuid) -> Result<()> {
    let mut tx = db.begin().await?;
    tx.run(sql!("DELETE FROM worker_heartbeats WHERE worker_id = :worker", worker = worker)).await?;
    tx.commit().await
}

/// The newest sign of life of any worker.
pub async fn newest(db: &dyn Read) -> Result<Option<DateTime<Utc>>> {
    let newest: Option<Option<DateTime<Utc>>> =
        db.scalar(sql!("SELECT MAX(beat_at) FROM worker_heartbeats")).await?;
    Ok(newest.flatten())
}

/// The number of workers with a sign of life since then.
pub async fn alive_since(db: &dyn Read, since: DateTime<Utc>) -> Result<i64> {
    db.count(sql!("SELECT COUNT(*) FROM worker_heartbeats WHERE beat_at >= :since", since = since)).await
}
