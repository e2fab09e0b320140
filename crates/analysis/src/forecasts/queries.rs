//! Every statement about forecasts that were written down.

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use planwright_domain::ids::ProjectId;
use planwright_domain::words::ForecastTrigger;
use planwright_plan::schedule::network::date;
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, Tx, sql};
use uuid::Uuid;

use super::model::{SnapshotFilter, Work};
use crate::simulation::MonteCarloRun;

/// The select list of a snapshot.
pub(super) const COLUMNS: &str =
    "SELECT s.id, s.captured_at, s.triggered_by, s.cpm_finish, s.total_float_days,
    s.mc_p50_finish, s.mc_p80_finish, s.mc_p95_finish, s.mc_iterations, s.task_count, s.completed_task_count";

/// The snapshots of a project within some days.
pub(super) fn of_project(project: ProjectId, filter: &SnapshotFilter) -> Sql {
    let midnight = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc();
    let after = |day: NaiveDate| day.checked_add_days(Days::new(1)).map(midnight);
    sql!("FROM forecast_snapshots s WHERE s.project_id = :project", project = project)
        .when("AND s.captured_at >= :since", "since", filter.since.as_given().copied().map(midnight))
        .when("AND s.captured_at < :until", "until", filter.until.as_given().copied().and_then(after))
}

/// Whether there is a snapshot that is not older than that.
pub(super) async fn any_since(db: &dyn Read, project: ProjectId, since: DateTime<Utc>) -> Result<bool> {
    let select =
        "SELECT COUNT(*) FROM forecast_snapshots WHERE project_id = :project AND captured_at > :since";
    Ok(db.count(sql!(select, project = project, since = since)).await? > 0)
}

/// The computed finish of a live project; nothing at all when it was never computed.
pub(super) async fn computed_finish(db: &dyn Read, project: ProjectId) -> Result<Option<Option<NaiveDate>>> {
    let select = "SELECT s.finish_day FROM project_schedule s
         JOIN projects p ON p.id = s.project_id AND p.deletion_id IS NULL WHERE s.project_id = :project";
    let finish: Option<Option<i32>> = db.scalar(sql!(select, project = project)).await?;
    Ok(finish.map(|day| day.and_then(date)))
}

/// The projects whose forecast is worth writing down.
pub(super) async fn computed_projects(db: &dyn Read) -> Result<Vec<ProjectId>> {
    let select = "SELECT p.id FROM projects p JOIN project_schedule s ON s.project_id = p.id
         WHERE p.deletion_id IS NULL AND p.archived_at IS NULL ORDER BY p.id";
    db.scalars(sql!(select)).await
}

/// How much work the schedule of a project holds.
pub(super) async fn work(db: &dyn Read, project: ProjectId) -> Result<Work> {
    db.one(sql!(
        "SELECT COUNT(*) AS tasks,
            CAST(COALESCE(SUM(CASE WHEN t.status = 'COMPLETE' THEN 1 ELSE 0 END), 0) AS BIGINT) AS completed,
            MIN(CASE WHEN t.status = 'COMPLETE' THEN NULL ELSE s.total_float END) AS least_float
         FROM tasks t JOIN task_schedule s ON s.task_id = t.id
         WHERE t.project_id = :project AND t.deletion_id IS NULL AND NOT s.is_phase AND NOT t.is_subtask
           AND s.early_finish IS NOT NULL",
        project = project
    ))
    .await
}

/// Writes down a forecast.
pub(super) async fn insert(
    tx: &mut Tx,
    project: ProjectId,
    trigger: ForecastTrigger,
    finish: Option<NaiveDate>,
    work: &Work,
    simulation: Option<&MonteCarloRun>,
) -> Result<()> {
    let statement = sql!(
        "INSERT INTO forecast_snapshots (id, project_id, captured_at, triggered_by, cpm_finish, total_float_days,
            mc_p50_finish, mc_p80_finish, mc_p95_finish, mc_iterations, task_count, completed_task_count)
         VALUES (:id, :project, :now, :trigger, :finish, :float, :p50, :p80, :p95, :runs, :tasks, :completed)",
        id = tx.mint::<Uuid>(),
        project = project,
        now = tx.now(),
        trigger = trigger,
        finish = finish,
        float = work.least_float,
        p50 = simulation.and_then(|run| run.p50),
        p80 = simulation.and_then(|run| run.p80),
        p95 = simulation.and_then(|run| run.p95),
        runs = simulation.map(|run| run.runs),
        tasks = work.tasks,
        completed = work.completed,
    );
    tx.run(statement).await.map(drop)
}

/// The snapshots older than that, the oldest first.
pub(super) async fn older_than(
    db: &dyn Read,
    project: ProjectId,
    before: DateTime<Utc>,
) -> Result<Vec<(Uuid, DateTime<Utc>)>> {
    let select = "SELECT id, captured_at FROM forecast_snapshots
         WHERE project_id = :project AND captured_at < :before ORDER BY captured_at, id";
    db.all(sql!(select, project = project, before = before)).await
}

/// Forgets snapshots.
pub(super) async fn delete(tx: &mut Tx, ids: &[Uuid]) -> Result<()> {
    let delete = "DELETE FROM forecast_snapshots WHERE id IN (:ids)";
    tx.run(sql!(delete, ids = list(ids.iter().copied()))).await.map(drop)
}
