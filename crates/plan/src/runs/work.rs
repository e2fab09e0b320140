//! The job behind a run: begin it, compute in steps, end it; and the sweep that finds what nobody ended.
//! Each step commits on its own, so that people see it; dates are written by the last one, or not at all.

use anyhow::anyhow;
use chrono::Duration;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::TaskRunId;
use planwright_domain::words::{RunReason, TaskRunStatus};
use planwright_jobs::{JobError, NewJob, Registry, queue};
use planwright_store::outbox::Event;
use planwright_store::{Db, Result, StoreError, Tx};
use planwright_web::App;
use serde_json::{Value as Json, json};

use super::model::{Run, SchedulerRunResultSummary, TASK_NAME};
use super::{AfterRunByHand, KEPT_DAYS, queries};
use crate::schedule;
use crate::schedule::network::date;
use crate::schedule::queued::{RECALCULATE, Recalculate, set_job};

/// How long a run waits while another one of its project is under way, in seconds.
const TURN_SECONDS: i64 = 1;

/// The jobs of runs.
pub fn jobs(after_run_by_hand: AfterRunByHand) -> Registry<App> {
    Registry::default()
        .on(RECALCULATE, move |app: App, job: Recalculate| work(app.db.clone(), job, after_run_by_hand))
        .every("tend_task_runs", Duration::hours(1), async |app: App| {
            tend(&app.db).await.map_err(JobError::from)
        })
}

/// Why a run ends without dates.
enum Stopped {
    /// Somebody asked for it.
    Cancelled,
    /// The database is away; the same may work in a moment.
    Away(anyhow::Error),
    /// Trying again would end the same way.
    Failed(anyhow::Error),
}

impl From<StoreError> for Stopped {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(_) | StoreError::GaveWay(_) | StoreError::Full(_) => {
                Stopped::Away(error.into())
            }
            error => Stopped::Failed(error.into()),
        }
    }
}

async fn work(
    db: Db,
    job: Recalculate,
    after_run_by_hand: AfterRunByHand,
) -> std::result::Result<(), JobError> {
    let Some(run) = begin(&db, job).await? else { return Ok(()) };
    // In a task of its own, a panic is an ending like any other; else the run would seem to go on for ever.
    let outcome = match tokio::spawn(compute(db.clone(), run.clone(), after_run_by_hand)).await {
        Ok(outcome) => outcome,
        Err(panic) => Err(Stopped::Failed(anyhow!("the recalculation panicked: {panic}"))),
    };
    match outcome {
        Ok(()) => Ok(()),
        Err(Stopped::Away(cause)) => Err(JobError::Retry(cause)),
        Err(Stopped::Cancelled) => Ok(end(&db, &run, None).await?),
        Err(Stopped::Failed(cause)) => {
            end(&db, &run, Some(&format!("{cause:#}"))).await?;
            Err(JobError::Fail(cause))
        }
    }
}

/// Ends a run without dates, unless another worker that took the same job has ended it already.
async fn end(db: &Db, run: &Run, cause: Option<&str>) -> Result<()> {
    let mut tx = db.begin().await?;
    let stands = queries::hold(&mut tx, run.id, None).await?.map(|run| run.status);
    match cause {
        _ if stands != Some(TaskRunStatus::Running) => {}
        Some(cause) => failed(&mut tx, run, cause).await?,
        None => cancelled(&mut tx, run).await?,
    }
    tx.commit().await
}

/// Begins a run, if there is something left to do and no other one of the project is under way.
async fn begin(db: &Db, job: Recalculate) -> Result<Option<Run>> {
    let mut tx = db.begin().await?;
    let Some(run) = queries::hold(&mut tx, job.run, None).await? else { return Ok(None) };
    if matches!(run.status, TaskRunStatus::Success | TaskRunStatus::Cancelled) {
        return Ok(None);
    }
    // A worker that died may have been told to stop before.
    if run.cancel_requested {
        cancelled(&mut tx, &run).await?;
        tx.commit().await?;
        return Ok(None);
    }
    if let Some(other) = queries::other_running(&tx, run.project_id, run.id).await?
        && !ended_if_abandoned(&mut tx, other).await?
    {
        let later = NewJob::new(RECALCULATE, &job)?.of_project(run.project_id);
        let later = queue::enqueue(&mut tx, later.after(Duration::seconds(TURN_SECONDS))).await?;
        set_job(&mut tx, run.id, later).await?;
        tx.commit().await?;
        return Ok(None);
    }
    queries::begin(&mut tx, run.id).await?;
    let told = json!({ "task_run_id": run.id, "task_name": TASK_NAME, "project_id": run.project_id });
    tell(&mut tx, &run, SocketEvent::TaskRunStarted, told).await?;
    tx.commit().await?;
    Ok(Some(run))
}

async fn compute(db: Db, run: Run, after_run_by_hand: AfterRunByHand) -> std::result::Result<(), Stopped> {
    let together = schedule::queries::recalculated_together(&db, run.project_id).await?;
    let tasks = schedule::queries::count_tasks(&db, together.iter().map(|project| project.id)).await?;
    let message = match together.len() {
        0 | 1 => format!("Computing {tasks} tasks"),
        projects => format!("Computing {tasks} tasks of {projects} linked projects"),
    };
    step(&db, &run, 10, &message).await?;
    let mut tx = db.begin().await?;
    schedule::recalculate(&mut tx, run.project_id).await?;
    let summary = summary(&tx, &run).await?;
    if !queries::succeed(&mut tx, run.id, &summary).await? {
        return Err(Stopped::Cancelled);
    }
    let told = json!({ "task_run_id": run.id, "result_summary": summary });
    tell(&mut tx, &run, SocketEvent::TaskRunCompleted, told).await?;
    if run.reason == RunReason::Manual {
        after_run_by_hand(&mut tx, run.project_id).await?;
    }
    Ok(tx.commit().await?)
}

/// Tells how far a run is, unless it was told to stop.
async fn step(db: &Db, run: &Run, percent: i64, message: &str) -> std::result::Result<(), Stopped> {
    let mut tx = db.begin().await?;
    if !queries::advance(&mut tx, run.id, percent, message).await? {
        return Err(Stopped::Cancelled);
    }
    let told = json!({ "task_run_id": run.id, "pct": percent, "msg": message });
    tell(&mut tx, run, SocketEvent::TaskRunProgress, told).await?;
    Ok(tx.commit().await?)
}

async fn summary(tx: &Tx, run: &Run) -> Result<Json> {
    let Some(outcome) = schedule::queries::outcome_of(tx, run.project_id).await? else {
        return Ok(Json::Null);
    };
    let summary = SchedulerRunResultSummary {
        project_finish: outcome.finish_day.and_then(date),
        critical_path: serde_json::from_value(outcome.critical_path).ok(),
        status_date: outcome.status_date,
    };
    serde_json::to_value(summary).map_err(|error| StoreError::Unexpected(error.into()))
}

/// Ends a run that nobody wants any more.
pub(super) async fn cancelled(tx: &mut Tx, run: &Run) -> Result<()> {
    queries::stop(tx, run.id, TaskRunStatus::Cancelled, "Cancelled", "").await?;
    tell(tx, run, SocketEvent::TaskRunCancelled, json!({ "task_run_id": run.id })).await
}

async fn failed(tx: &mut Tx, run: &Run, cause: &str) -> Result<()> {
    queries::stop(tx, run.id, TaskRunStatus::Failed, "Failed", cause).await?;
    let told = json!({ "task_run_id": run.id, "error_detail": "The recalculation failed." });
    tell(tx, run, SocketEvent::TaskRunFailed, told).await
}

/// Ends a run whose job is gone; false while it still has one.
///
/// The row is held first: a run that ends says so before its job goes.
async fn ended_if_abandoned(tx: &mut Tx, id: TaskRunId) -> Result<bool> {
    let Some(run) = queries::hold(tx, id, None).await? else { return Ok(true) };
    if !matches!(run.status, TaskRunStatus::Pending | TaskRunStatus::Running) {
        return Ok(true);
    }
    if queue::has(tx, RECALCULATE, &Recalculate { run: id }).await? {
        return Ok(false);
    }
    failed(tx, &run, "Its job ended without a result.").await?;
    Ok(true)
}

async fn tell(tx: &mut Tx, run: &Run, event: SocketEvent, payload: Json) -> Result<()> {
    tx.emit(Event::Socket(event), Some(run.project_id), None, payload).await
}

/// Ends runs whose job is gone, and forgets those that ended long ago.
async fn tend(db: &Db) -> Result<()> {
    let mut tx = db.begin().await?;
    for run in queries::active(&tx).await? {
        ended_if_abandoned(&mut tx, run).await?;
    }
    let oldest = tx.now() - Duration::days(KEPT_DAYS);
    queries::forget(&mut tx, oldest).await?;
    tx.commit().await
}
