//! The table of the queue: queue a job, claim it with a lease, renew the lease, finish the job, or put it back.
//! `worker.rs` runs a claimed job.

use chrono::{DateTime, Duration, Utc};
use planwright_domain::ids::{JobId, ProjectId};
use planwright_store::{Db, Read, Result, StoreError, Tx, row, sql};
use serde::Serialize;
use serde_json::Value as Json;
use uuid::Uuid;

/// The lease of a claimed job without renewal, in seconds.
pub const LEASE_SECONDS: i64 = 60;

/// A job to queue.
#[derive(Clone, Debug)]
pub struct NewJob {
    kind: &'static str,
    payload: Json,
    project: Option<ProjectId>,
    dedupe_key: Option<String>,
    delay: Duration,
}

impl NewJob {
    /// A job of a registered kind.
    pub fn new(kind: &'static str, payload: &impl Serialize) -> Result<Self> {
        let payload = serde_json::to_value(payload).map_err(|error| StoreError::Unexpected(error.into()))?;
        Ok(Self { kind, payload, project: None, dedupe_key: None, delay: Duration::zero() })
    }

    /// Belongs to a project.
    pub fn of_project(mut self, project: ProjectId) -> Self {
        self.project = Some(project);
        self
    }

    /// Only one job with this key waits at a time. Queueing another one does nothing.
    pub fn once(mut self, key: String) -> Self {
        self.dedupe_key = Some(key);
        self
    }

    /// The job starts after this delay.
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }
}

row! {
    /// A job with a lease.
    pub struct Claimed {
        /// The job.
        pub id: JobId,
        /// Its kind.
        pub kind: String,
        /// Its payload.
        pub payload: Json,
        /// The project it belongs to.
        pub project_id: Option<ProjectId>,
        /// The number of attempts, including this one.
        pub attempts: i64,
        /// When it was queued.
        pub created_at: DateTime<Utc>,
    }
}

/// Queues a job, or finds the waiting one with the same key. It can be claimed after the commit.
pub async fn enqueue(tx: &mut Tx, job: NewJob) -> Result<JobId> {
    let id: JobId = tx.mint();
    let statement = sql!(
        "INSERT INTO jobs (id, kind, payload, project_id, dedupe_key, run_at, attempts, created_at)
         VALUES (:id, :kind, :payload, :project, :dedupe, :run_at, 0, :now)
         ON CONFLICT (dedupe_key) DO UPDATE SET dedupe_key = excluded.dedupe_key RETURNING id",
        id = id,
        kind = job.kind,
        payload = job.payload,
        project = job.project,
        dedupe = job.dedupe_key,
        run_at = tx.now() + job.delay,
        now = tx.now(),
    );
    // Touching the job that waits already keeps a worker from claiming it before this transaction can be seen.
    tx.scalar(statement).await?.ok_or(StoreError::Missing)
}

/// Whether a job of that kind and payload waits or runs.
pub async fn has(db: &dyn Read, kind: &str, payload: &impl Serialize) -> Result<bool> {
    let payload = serde_json::to_value(payload).map_err(|error| StoreError::Unexpected(error.into()))?;
    let select = "SELECT COUNT(*) FROM jobs WHERE kind = :kind AND payload = :payload";
    Ok(db.count(sql!(select, kind = kind, payload = payload)).await? > 0)
}

/// Claims the job that has been due the longest.
pub async fn claim(db: &Db, worker: Uuid) -> Result<Option<Claimed>> {
    let due =
        "SELECT COUNT(*) FROM jobs WHERE run_at <= :now AND (lease_until IS NULL OR lease_until < :now)";
    if db.count(sql!(due, now = db.clock.now())).await? == 0 {
        return Ok(None);
    }
    let tx = db.begin().await?;
    let skip_locked = tx.engine().skip_locked();
    let statement = sql!(
        format!(
            "UPDATE jobs SET attempts = attempts + 1, lease_owner = :worker, lease_until = :until, dedupe_key = NULL
             WHERE id = (SELECT id FROM jobs
                         WHERE run_at <= :now AND (lease_until IS NULL OR lease_until < :now)
                         ORDER BY run_at, id LIMIT 1 {skip_locked})
             RETURNING id, kind, payload, project_id, attempts, created_at"
        ),
        worker = worker,
        until = tx.now() + Duration::seconds(LEASE_SECONDS),
        now = tx.now(),
    );
    let claimed = tx.maybe(statement).await?;
    tx.commit().await?;
    Ok(claimed)
}

/// Renews a lease. False if another worker has the job now.
pub async fn keep(db: &Db, worker: Uuid, job: JobId) -> Result<bool> {
    let mut tx = db.begin().await?;
    let statement = sql!(
        "UPDATE jobs SET lease_until = :until WHERE id = :id AND lease_owner = :worker",
        until = tx.now() + Duration::seconds(LEASE_SECONDS),
        id = job,
        worker = worker
    );
    let kept = tx.run(statement).await? == 1;
    tx.commit().await?;
    Ok(kept)
}

/// Removes a finished job. False if the lease was lost and another worker has the job now.
pub async fn finish(tx: &mut Tx, worker: Uuid, job: JobId) -> Result<bool> {
    let statement =
        sql!("DELETE FROM jobs WHERE id = :id AND lease_owner = :worker", id = job, worker = worker);
    Ok(tx.run(statement).await? == 1)
}

/// Puts a job back, to be retried later.
pub async fn put_back(tx: &mut Tx, worker: Uuid, job: JobId, delay: Duration) -> Result<()> {
    let statement = sql!(
        "UPDATE jobs SET lease_owner = NULL, lease_until = NULL, run_at = :at
         WHERE id = :id AND lease_owner = :worker",
        at = tx.now() + delay,
        id = job,
        worker = worker
    );
    tx.run(statement).await.map(drop)
}

/// The number of waiting and running jobs, for health pages.
pub async fn waiting(db: &dyn Read) -> Result<i64> {
    db.count(sql!("SELECT COUNT(*) FROM jobs")).await
}
