//! Every statement of the health pages; they only read.
//! Signs of life are written and read in the jobs crate.

use chrono::{DateTime, Utc};
use planwright_domain::words::FailedTaskStatus;
use planwright_store::{Read, Result, sql};

use super::model::{DeadReading, OutboxReading, QueueReading, ScheduleReading};

/// So many different errors are looked at to find the commonest cause.
const MOST_ERRORS: i64 = 200;

/// How much room the database takes, in bytes.
pub async fn database_bytes(db: &dyn Read) -> Result<i64> {
    db.count(db.engine().size_listing()).await
}

/// The queue.
pub async fn queue(db: &dyn Read, now: DateTime<Utc>) -> Result<QueueReading> {
    db.one(sql!(
        "SELECT COUNT(*) AS waiting,
                COUNT(CASE WHEN lease_until >= :now THEN 1 END) AS running,
                MIN(CASE WHEN run_at <= :now AND (lease_until IS NULL OR lease_until < :now) THEN run_at END)
                    AS due_since
         FROM jobs",
        now = now
    ))
    .await
}

/// Events on their way out.
pub async fn outbox(db: &dyn Read) -> Result<OutboxReading> {
    db.one(sql!("SELECT COUNT(*) AS waiting, MIN(at) AS since FROM outbox")).await
}

/// What runs by the clock.
pub async fn schedules(db: &dyn Read) -> Result<Vec<ScheduleReading>> {
    db.all(sql!("SELECT kind, last_run_at, next_run_at FROM job_schedules ORDER BY kind")).await
}

/// What failed for good.
pub async fn dead(db: &dyn Read) -> Result<DeadReading> {
    let by_status: Vec<(FailedTaskStatus, i64)> =
        db.all(sql!("SELECT status, COUNT(*) AS jobs FROM failed_jobs GROUP BY status")).await?;
    let since: Option<Option<DateTime<Utc>>> =
        db.scalar(sql!("SELECT MIN(last_failed_at) FROM failed_jobs WHERE status = 'dead'")).await?;
    let errors: Vec<(String, i64)> = db
        .all(sql!(
            "SELECT error, COUNT(*) AS jobs FROM failed_jobs WHERE status = 'dead'
             GROUP BY error ORDER BY jobs DESC, error LIMIT :most",
            most = MOST_ERRORS
        ))
        .await?;
    Ok(DeadReading { by_status, since: since.flatten(), errors })
}
