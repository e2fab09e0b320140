//! Signs of life of the workers, a row each, for the health pages.
//! How old a sign may be before somebody should look is decided there.

use chrono::{DateTime, Duration, Utc};
use planwright_store::{Db, Read, Result, sql};
use uuid::Uuid;

/// A worker writes a sign of life at most this often, in seconds.
pub const INTERVAL_SECONDS: i64 = 15;

/// Rows of workers that are gone are kept for so long, in hours.
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

/// Takes the sign of life of a worker away that stops, so that nobody counts it as alive.
pub(crate) async fn stop(db: &Db, worker: Uuid) -> Result<()> {
    let mut tx = db.begin().await?;
    tx.run(sql!("DELETE FROM worker_heartbeats WHERE worker_id = :worker", worker = worker)).await?;
    tx.commit().await
}

/// The newest sign of life of any worker.
pub async fn newest(db: &impl Read) -> Result<Option<DateTime<Utc>>> {
    let newest: Option<Option<DateTime<Utc>>> =
        db.scalar(sql!("SELECT MAX(beat_at) FROM worker_heartbeats")).await?;
    Ok(newest.flatten())
}

/// How many workers gave a sign of life since then.
pub async fn alive_since(db: &impl Read, since: DateTime<Utc>) -> Result<i64> {
    db.count(sql!("SELECT COUNT(*) FROM worker_heartbeats WHERE beat_at >= :since", since = since)).await
}
