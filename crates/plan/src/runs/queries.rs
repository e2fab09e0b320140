//! Every statement about runs. Those that a worker makes look at where the run stands, since people may cancel it meanwhile.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProjectId, TaskRunId};
use planwright_domain::words::TaskRunStatus;
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, Tx, sql};
use planwright_web::Actor;
use serde_json::Value as Json;

use super::model::{Run, RunFilter, RunRow};

/// The select list of a [`RunRow`].
pub const COLUMNS: &str = "SELECT r.id, r.project_id, r.job_id, r.reason, r.initiated_by, u.username, r.status,
    r.progress_pct, r.progress_msg, r.result_summary, r.error_detail, r.created_at, r.started_at, r.completed_at,
    m.role AS my_role";

const VISIBLE: &str = "FROM task_runs r
    JOIN projects p ON p.id = r.project_id AND p.deletion_id IS NULL
    JOIN project_members m ON m.project_id = r.project_id AND m.user_id = :me AND m.deletion_id IS NULL
    LEFT JOIN users u ON u.id = r.initiated_by
    WHERE p.deletion_id IS NULL";

const WORK: &str = "id, project_id, reason, status, cancel_requested";

/// The runs of a caller's projects, or of one of them.
pub fn visible(actor: &Actor, project: Option<ProjectId>, filter: &RunFilter) -> Sql {
    sql!(VISIBLE, me = actor.id)
        .push(&actor.sees_projects())
        .when("AND r.project_id = :project", "project", project)
        .when(
            "AND r.status IN (:statuses)",
            "statuses",
            filter.status.as_given().map(|statuses| list(statuses.iter().copied())),
        )
        .when("AND r.started_at >= :after", "after", filter.started_after.as_given().copied())
        .when("AND r.started_at <= :before", "before", filter.started_before.as_given().copied())
}

/// One of them.
pub async fn find(
    db: &dyn Read,
    actor: &Actor,
    project: Option<ProjectId>,
    id: TaskRunId,
) -> Result<Option<RunRow>> {
    let from = sql!(VISIBLE, me = actor.id, id = id)
        .push(&actor.sees_projects())
        .push(" AND r.id = :id")
        .when("AND r.project_id = :project", "project", project);
    db.maybe(from.wrap(&format!("{COLUMNS} "), "")).await
}

/// A run, held until the transaction ends; of the given project when one is given.
pub async fn hold(tx: &mut Tx, id: TaskRunId, project: Option<ProjectId>) -> Result<Option<Run>> {
    let update = sql!("UPDATE task_runs SET status = status WHERE id = :id", id = id).when(
        "AND project_id = :project",
        "project",
        project,
    );
    tx.maybe(update.push(&format!(" RETURNING {WORK}"))).await
}

/// The run of a project that is under way, other than the given one.
pub async fn other_running(db: &dyn Read, project: ProjectId, than: TaskRunId) -> Result<Option<TaskRunId>> {
    let select =
        "SELECT id FROM task_runs WHERE project_id = :project AND status = 'running' AND id <> :than";
    db.scalar(sql!(select, project = project, than = than)).await
}

/// The runs that wait or are under way.
pub async fn active(db: &dyn Read) -> Result<Vec<TaskRunId>> {
    let select = "SELECT id FROM task_runs WHERE status IN ('pending', 'running') ORDER BY created_at, id";
    db.scalars(sql!(select)).await
}

/// Begins a run.
pub async fn begin(tx: &mut Tx, id: TaskRunId) -> Result<()> {
    tx.run(sql!(
        "UPDATE task_runs SET status = 'running', started_at = :now, completed_at = NULL, progress_pct = 0,
            progress_msg = 'Started', error_detail = '' WHERE id = :id",
        now = tx.now(),
        id = id
    ))
    .await
    .map(drop)
}

/// Notes how far a run is; false when it was told to stop.
pub async fn advance(tx: &mut Tx, id: TaskRunId, percent: i64, message: &str) -> Result<bool> {
    let statement = sql!(
        "UPDATE task_runs SET progress_pct = :percent, progress_msg = :message
         WHERE id = :id AND status = 'running' AND NOT cancel_requested",
        percent = percent,
        message = message,
        id = id
    );
    Ok(tx.run(statement).await? == 1)
}

/// Ends a run well; false when it was told to stop, and then nothing of it may be written.
pub async fn succeed(tx: &mut Tx, id: TaskRunId, summary: &Json) -> Result<bool> {
    let statement = sql!(
        "UPDATE task_runs SET status = 'success', completed_at = :now, progress_pct = 100, progress_msg = 'Done',
            result_summary = :summary
         WHERE id = :id AND status = 'running' AND NOT cancel_requested",
        now = tx.now(),
        summary = summary,
        id = id
    );
    Ok(tx.run(statement).await? == 1)
}

/// Ends a run otherwise.
pub async fn stop(tx: &mut Tx, id: TaskRunId, how: TaskRunStatus, message: &str, error: &str) -> Result<()> {
    tx.run(sql!(
        "UPDATE task_runs SET status = :how, completed_at = :now, progress_msg = :message, error_detail = :error
         WHERE id = :id",
        how = how,
        now = tx.now(),
        message = message,
        error = error,
        id = id
    ))
    .await
    .map(drop)
}

/// Asks a run that is under way to stop.
pub async fn request_stop(tx: &mut Tx, id: TaskRunId) -> Result<()> {
    let update =
        "UPDATE task_runs SET cancel_requested = TRUE, progress_msg = 'Asked to stop' WHERE id = :id";
    tx.run(sql!(update, id = id)).await.map(drop)
}

/// Forgets the runs that ended and are older than that; says how many.
pub async fn forget(tx: &mut Tx, older_than: DateTime<Utc>) -> Result<u64> {
    let delete = "DELETE FROM task_runs
         WHERE created_at < :oldest AND status IN ('success', 'failed', 'cancelled')";
    tx.run(sql!(delete, oldest = older_than)).await
}
