//! A worker: claims due jobs, runs them with a lease that it renews, and decides what happens to jobs that fail. It
//! runs inside `serve` by default, or alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration as Wait;

use chrono::Duration;
use futures_util::future::{BoxFuture, join_all};
use planwright_store::{Db, Result, sql};
use tokio::sync::{Notify, watch};
use uuid::Uuid;

use crate::errands::Errands;
use crate::outbox::{Reaction, hand_out};
use crate::queue::{self, Claimed, LEASE_SECONDS};
use crate::registry::{Beside, JobError, Registry, Round};
use crate::{dead, heartbeat};

/// After this number of attempts a job has failed.
pub const MOST_ATTEMPTS: i64 = 5;

const IDLE_WAIT: Wait = Wait::from_millis(250);
/// The poll interval for events and deliveries. It is short, because people wait for them.
const EVENT_WAIT: Wait = Wait::from_millis(40);
const OUTAGE_WAIT: Wait = Wait::from_secs(2);

/// A worker over a context that every job receives.
pub struct Worker<C> {
    db: Db,
    context: C,
    registry: Arc<Registry<C>>,
    react: Reaction,
    id: Uuid,
    /// When the last sign of life was written, in seconds of the epoch.
    last_beat: AtomicI64,
}

impl<C: Clone + Send + Sync + 'static> Worker<C> {
    /// A worker with an id of its own.
    pub fn new(db: Db, context: C, registry: Registry<C>, react: Reaction) -> Self {
        let id = db.clock.mint();
        Self { db, context, registry: Arc::new(registry), react, id, last_beat: AtomicI64::new(0) }
    }

    /// Works until it is stopped. Running work is finished first.
    pub async fn run(self, stop: watch::Receiver<bool>) {
        tracing::info!(worker = %self.id, "the worker has started");
        // Events are handed out beside the jobs, since a long job must not hold them up.
        let news = Call::News(self.db.news());
        let events =
            until_told(stop.clone(), EVENT_WAIT, "the events of the outbox cannot be sent", news, || {
                Box::pin(async { Ok(hand_out(&self.db, self.react).await? > 0) })
            });
        let trouble = "the worker cannot reach its queue";
        let jobs = until_told(stop.clone(), IDLE_WAIT, trouble, Call::Never, || Box::pin(self.take_job()));
        let beside = self.registry.besides().iter().map(|round| self.go_round(round, stop.clone()));
        tokio::join!(events, jobs, join_all(beside));
        if let Err(error) = heartbeat::stop(&self.db, self.id).await {
            tracing::warn!(%error, "the sign of life of this worker could not be deleted");
        }
        tracing::info!(worker = %self.id, "the worker has stopped");
    }

    /// Runs everything that is due now. Tests call it instead of waiting.
    pub async fn run_due(&self) -> Result<usize> {
        let mut steps = 0;
        while self.step().await? {
            steps += 1;
        }
        Ok(steps)
    }

    /// Runs background tasks until it is stopped. Running work is finished first.
    async fn go_round(&self, round: &Beside<C>, stop: watch::Receiver<bool>) {
        let trouble = "work besides the jobs cannot continue";
        let call = self.db.context::<Errands>().map_or(Call::Never, |errands| Call::Errand(errands.listen()));
        until_told(stop, EVENT_WAIT, trouble, call, || round(self.context.clone(), Round::Work)).await;
        loop {
            match round(self.context.clone(), Round::Finish).await {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => return tracing::warn!(%error, trouble),
            }
        }
    }

    /// Writes a sign of life of this worker, unless there is a recent one.
    async fn beat(&self) -> Result<()> {
        let now = self.db.clock.now().timestamp();
        if now - self.last_beat.load(Ordering::Relaxed) < heartbeat::INTERVAL_SECONDS {
            return Ok(());
        }
        heartbeat::beat(&self.db, self.id).await?;
        self.last_beat.store(now, Ordering::Relaxed);
        Ok(())
    }

    /// One round of everything. True if there was something to do.
    async fn step(&self) -> Result<bool> {
        let mut busy = hand_out(&self.db, self.react).await? > 0;
        busy |= self.take_job().await?;
        for round in self.registry.besides() {
            busy |= round(self.context.clone(), Round::Work).await?;
        }
        Ok(busy)
    }

    /// A sign of life, the scheduled jobs that are due, and one job. True if there was a job.
    async fn take_job(&self) -> Result<bool> {
        self.beat().await?;
        self.enqueue_scheduled().await?;
        let Some(job) = queue::claim(&self.db, self.id).await? else { return Ok(false) };
        self.work(job).await?;
        Ok(true)
    }

    async fn work(&self, job: Claimed) -> Result<()> {
        let begun = std::time::Instant::now();
        let outcome = match self.registry.handler(&job.kind) {
            // Whoever began it last never came back to say how it ended: it takes its process down with it.
            _ if job.attempts > MOST_ATTEMPTS => Err(JobError::Fail(anyhow::anyhow!(
                "the job was started {MOST_ATTEMPTS} times and never ended"
            ))),
            None => Err(JobError::Fail(anyhow::anyhow!("no code is registered for this kind of job"))),
            Some(run) => {
                let work = tokio::spawn(run(self.context.clone(), job.payload.clone()));
                self.keep_until_done(&job, work).await
            }
        };
        let took = begun.elapsed();
        let mut tx = self.db.begin().await?;
        let result = match outcome {
            Ok(()) => {
                queue::finish(&mut tx, self.id, job.id).await?;
                "done"
            }
            Err(JobError::Retry(error)) if job.attempts < MOST_ATTEMPTS => {
                let delay = Duration::seconds(30 << (job.attempts - 1));
                tracing::warn!(job = %job.id, kind = %job.kind, error = %format!("{error:#}"), "a job will be retried");
                queue::put_back(&mut tx, self.id, job.id, delay).await?;
                "retried"
            }
            Err(JobError::Retry(error) | JobError::Fail(error)) => {
                tracing::error!(job = %job.id, kind = %job.kind, error = %format!("{error:#}"), "a job failed and will not be retried");
                if queue::finish(&mut tx, self.id, job.id).await? {
                    dead::bury(&mut tx, &job, &format!("{error:#}")).await?;
                }
                "failed"
            }
        };
        tx.commit().await?;
        metrics::histogram!("planwright_job_seconds", "kind" => job.kind.clone()).record(took.as_secs_f64());
        metrics::counter!("planwright_jobs_total", "kind" => job.kind, "result" => result).increment(1);
        Ok(())
    }

    /// Runs a job and renews its lease. A job that panics has failed.
    async fn keep_until_done(
        &self,
        job: &Claimed,
        mut work: tokio::task::JoinHandle<std::result::Result<(), JobError>>,
    ) -> std::result::Result<(), JobError> {
        let beat = Wait::from_secs(LEASE_SECONDS as u64 / 3);
        loop {
            tokio::select! {
                ended = &mut work => {
                    return ended.unwrap_or_else(|panic| Err(JobError::Fail(anyhow::anyhow!("the job panicked: {panic}"))));
                }
                () = tokio::time::sleep(beat) => {
                    if let Err(error) = queue::keep(&self.db, self.id, job.id).await {
                        tracing::warn!(job = %job.id, %error, "a lease could not be renewed");
                    }
                    if let Err(error) = self.beat().await {
                        tracing::warn!(%error, "a sign of life could not be written");
                    }
                }
            }
        }
    }

    /// Queues the scheduled jobs that are due. Of several nodes, only the first one that updates the schedule does
    /// so.
    async fn enqueue_scheduled(&self) -> Result<()> {
        for (kind, interval) in self.registry.schedules() {
            let now = self.db.clock.now();
            let select = "SELECT next_run_at FROM job_schedules WHERE kind = :kind";
            let due: Option<chrono::DateTime<chrono::Utc>> =
                self.db.scalar(sql!(select, kind = *kind)).await?;
            if due.is_some_and(|due| now < due) {
                continue;
            }
            let mut tx = self.db.begin().await?;
            let next = tx.now() + *interval;
            let moved = match due {
                None => {
                    tx.run(sql!(
                        "INSERT INTO job_schedules (kind, last_run_at, next_run_at) VALUES (:kind, :now, :next)
                         ON CONFLICT (kind) DO NOTHING",
                        kind = *kind,
                        now = tx.now(),
                        next = next
                    ))
                    .await?
                }
                Some(due) => {
                    tx.run(sql!(
                        "UPDATE job_schedules SET last_run_at = :now, next_run_at = :next
                         WHERE kind = :kind AND next_run_at = :due",
                        now = tx.now(),
                        next = next,
                        kind = *kind,
                        due = due
                    ))
                    .await?
                }
            };
            if moved == 1 {
                let payload = serde_json::json!({});
                queue::enqueue(&mut tx, queue::NewJob::new(kind, &payload)?.once((*kind).to_owned())).await?;
            }
            tx.commit().await?;
        }
        Ok(())
    }
}

/// Repeats a round until it is stopped: at once if there was something to do, otherwise after a wait. A signal ends
/// the wait early. A signal from another process is not seen until the wait is over.
async fn until_told<'a>(
    mut stop: watch::Receiver<bool>,
    idle_wait: Wait,
    trouble: &'static str,
    mut call: Call<'_>,
    round: impl Fn() -> BoxFuture<'a, Result<bool>>,
) {
    while !*stop.borrow() {
        let wait = match round().await {
            Ok(true) => continue,
            Ok(false) => idle_wait,
            Err(error) => {
                tracing::warn!(%error, trouble);
                OUTAGE_WAIT
            }
        };
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = call.heard() => {}
            _ = stop.changed() => {}
        }
    }
}

/// The signals that end a wait early.
enum Call<'a> {
    Never,
    /// Events were committed.
    News(&'a Notify),
    /// Work for a background task was committed.
    Errand(watch::Receiver<()>),
}

impl Call<'_> {
    async fn heard(&mut self) {
        match self {
            Call::News(call) => call.notified().await,
            Call::Errand(bell) => {
                if bell.changed().await.is_err() {
                    // A bell that is gone rings no more.
                    std::future::pending().await
                }
            }
            Call::Never => std::future::pending().await,
        }
    }
}
