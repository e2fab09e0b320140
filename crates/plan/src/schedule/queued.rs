//! Queueing a recalculation: the row that people read as a run, and the job that computes it.
//! What becomes of it is in `runs/`.

use planwright_domain::ids::{JobId, ProjectId, TaskRunId, UserId};
use planwright_domain::words::RunReason;
use planwright_jobs::{NewJob, queue};
use planwright_store::{Read, Result, Tx, sql};
use serde::{Deserialize, Serialize};

/// The kind of job that computes a run.
pub const RECALCULATE: &str = "recalculate";

/// What the job needs to know; a run has one job at a time.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Recalculate {
    /// The run.
    pub run: TaskRunId,
}

/// Queues a recalculation of a project, or finds the one that waits already; it begins after the commit.
pub async fn queue_run(
    tx: &mut Tx,
    project: ProjectId,
    reason: RunReason,
    by: Option<UserId>,
) -> Result<TaskRunId> {
    let fresh: TaskRunId = tx.mint();
    let run = insert(tx, fresh, project, reason, by).await?;
    if run == fresh {
        let job = NewJob::new(RECALCULATE, &Recalculate { run })?.of_project(project);
        let job = queue::enqueue(tx, job).await?;
        set_job(tx, run, job).await?;
    }
    Ok(run)
}

/// Adds a run that waits, unless one waits already; returns the one that waits.
///
/// Touching that one keeps a worker from beginning it before what this transaction writes can be seen.
async fn insert(
    tx: &mut Tx,
    id: TaskRunId,
    project: ProjectId,
    reason: RunReason,
    by: Option<UserId>,
) -> Result<TaskRunId> {
    let statement = sql!(
        "INSERT INTO task_runs (id, project_id, reason, initiated_by, status, cancel_requested, progress_msg,
            error_detail, created_at)
         VALUES (:id, :project, :reason, :by, 'pending', FALSE, 'Waiting for a worker', '', :now)
         ON CONFLICT (project_id) WHERE status = 'pending' DO UPDATE SET progress_msg = excluded.progress_msg
         RETURNING id",
        id = id,
        project = project,
        reason = reason,
        by = by,
        now = tx.now(),
    );
    tx.scalar(statement).await?.ok_or(planwright_store::StoreError::Missing)
}

/// Whether the stored dates of a project are older than its plan, because their recalculation waits or runs.
pub async fn is_behind(db: &dyn Read, project: ProjectId) -> Result<bool> {
    let count = "SELECT COUNT(*) FROM task_runs
         WHERE project_id = :project AND status IN ('pending', 'running') AND reason <> :manual";
    Ok(db.count(sql!(count, project = project, manual = RunReason::Manual)).await? > 0)
}

/// Notes the job that computes a run.
pub async fn set_job(tx: &mut Tx, id: TaskRunId, job: JobId) -> Result<()> {
    tx.run(sql!("UPDATE task_runs SET job_id = :job WHERE id = :id", job = job, id = id)).await.map(drop)
}
