//! Failed jobs: they failed in all attempts or cannot be done, and are kept until a person requeues or discards them.
//! The workspace area has the routes for them.

use chrono::{DateTime, Duration, Utc};
use planwright_domain::ids::{JobId, ProjectId, UserId};
use planwright_domain::words::FailedTaskStatus;
use planwright_store::{Read, Result, Tx, row, sql};
use serde_json::Value as Json;
use uuid::Uuid;

use crate::queue::Claimed;

row! {
    /// A job that failed in all attempts or cannot be done.
    pub struct DeadJob {
        /// The row.
        pub id: Uuid,
        /// The job it was.
        pub job_id: JobId,
        /// Its kind.
        pub kind: String,
        /// Its payload.
        pub payload: Json,
        /// The project it belongs to.
        pub project_id: Option<ProjectId>,
        /// The error with all its causes.
        pub error: String,
        /// How often it was tried.
        pub failure_count: i64,
        /// When it failed first.
        pub first_failed_at: DateTime<Utc>,
        /// When it failed last.
        pub last_failed_at: DateTime<Utc>,
        /// The current state.
        pub status: FailedTaskStatus,
        /// The note of the person who discarded it.
        pub resolution_note: String,
        /// Who requeued or discarded it.
        pub resolved_by: Option<UserId>,
        /// The time of the decision.
        pub resolved_at: Option<DateTime<Utc>>,
    }
}

/// The columns of a [`DeadJob`].
pub const COLUMNS: &str = "SELECT f.id, f.job_id, f.kind, f.payload, f.project_id, f.error, f.failure_count,
    f.first_failed_at, f.last_failed_at, f.status, f.resolution_note, f.resolved_by, f.resolved_at";

/// Moves a job that will not be retried to the failed jobs.
pub async fn bury(tx: &mut Tx, job: &Claimed, error: &str) -> Result<()> {
    let statement = sql!(
        "INSERT INTO failed_jobs (id, job_id, kind, payload, project_id, error, failure_count, first_failed_at,
            last_failed_at, status, resolution_note)
         VALUES (:id, :job, :kind, :payload, :project, :error, :attempts, :first, :now, 'dead', '')",
        id = tx.mint::<Uuid>(),
        job = job.id,
        kind = &job.kind,
        payload = &job.payload,
        project = job.project_id,
        error = error,
        attempts = job.attempts,
        first = job.created_at,
        now = tx.now()
    );
    tx.run(statement).await.map(drop)
}

/// One failed job.
pub async fn find(db: &dyn Read, id: Uuid) -> Result<Option<DeadJob>> {
    db.maybe(sql!(format!("{COLUMNS} FROM failed_jobs f WHERE f.id = :id"), id = id)).await
}

/// The ids of failed jobs, oldest first, up to a maximum number.
pub async fn still_dead(db: &dyn Read, most: i64) -> Result<Vec<Uuid>> {
    db.scalars(sql!(
        "SELECT id FROM failed_jobs WHERE status = 'dead' ORDER BY last_failed_at, id LIMIT :most",
        most = most
    ))
    .await
}

/// The number of failed jobs, for health pages and for tests that must end with none.
pub async fn count(db: &dyn Read) -> Result<i64> {
    db.count(sql!("SELECT COUNT(*) FROM failed_jobs WHERE status = 'dead'")).await
}

/// Queues a failed job again. False if it was already requeued or discarded.
pub async fn requeue(tx: &mut Tx, id: Uuid, by: UserId, delay: Duration) -> Result<bool> {
    let status = if delay.is_zero() { FailedTaskStatus::Retried } else { FailedTaskStatus::PendingRetry };
    if !resolve(tx, id, by, status, "").await? {
        return Ok(false);
    }
    let statement = sql!(
        "INSERT INTO jobs (id, kind, payload, project_id, run_at, attempts, created_at)
         SELECT :new, kind, payload, project_id, :at, 0, :now FROM failed_jobs WHERE id = :id",
        new = tx.mint::<JobId>(),
        at = tx.now() + delay,
        now = tx.now(),
        id = id
    );
    tx.run(statement).await?;
    Ok(true)
}

/// Discards a failed job. False if it was already requeued or discarded.
pub async fn dismiss(tx: &mut Tx, id: Uuid, by: UserId, note: &str) -> Result<bool> {
    resolve(tx, id, by, FailedTaskStatus::Dismissed, note).await
}

async fn resolve(tx: &mut Tx, id: Uuid, by: UserId, status: FailedTaskStatus, note: &str) -> Result<bool> {
    let statement = sql!(
        "UPDATE failed_jobs SET status = :status, resolution_note = :note, resolved_by = :by, resolved_at = :now
         WHERE id = :id AND status = 'dead'",
        status = status,
        note = note,
        by = by,
        now = tx.now(),
        id = id
    );
    Ok(tx.run(statement).await? == 1)
}
