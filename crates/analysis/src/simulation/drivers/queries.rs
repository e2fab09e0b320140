//! Every statement about analyses of drivers.

use std::collections::HashMap;

use planwright_domain::ids::{ProjectId, UserId};
use planwright_domain::words::{DriverAnalysisStatus, DriverKind};
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, sql};
use planwright_web::Actor;
use serde_json::Value as Json;
use uuid::Uuid;

use super::model::{AnalysisRow, FoundDriver};

/// So many analyses of a project are kept of each person.
const MOST_KEPT: i64 = 10;

const COLUMNS: &str =
    "SELECT id, project_id, status, percentile, runs, seed, result, error_detail, requested_by, created_at,
    completed_at FROM driver_analyses";

/// What is asked for.
pub struct Asked {
    /// The percentile of the finish.
    pub percentile: i64,
    /// The runs of each simulation at most.
    pub runs: i64,
    /// The seed.
    pub seed: i64,
}

/// Writes down what is asked for, and forgets the oldest that the same person asked for.
pub async fn insert(tx: &mut Tx, id: Uuid, project: ProjectId, by: UserId, asked: &Asked) -> Result<()> {
    let insert =
        "INSERT INTO driver_analyses (id, project_id, status, percentile, runs, seed, result, error_detail,
            requested_by, created_at)
         VALUES (:id, :project, :status, :percentile, :runs, :seed, :result, '', :by, :now)";
    tx.run(sql!(
        insert,
        id = id,
        project = project,
        status = DriverAnalysisStatus::Pending,
        percentile = asked.percentile,
        runs = asked.runs,
        seed = asked.seed.to_string(),
        result = Json::Null,
        by = by,
        now = tx.now()
    ))
    .await?;
    let delete =
        "DELETE FROM driver_analyses WHERE project_id = :project AND requested_by = :by AND id NOT IN (
            SELECT id FROM driver_analyses WHERE project_id = :project AND requested_by = :by
            ORDER BY created_at DESC, id DESC LIMIT :most)";
    tx.run(sql!(delete, project = project, by = by, most = MOST_KEPT)).await.map(drop)
}

/// The names of the risks and tasks among drivers whose projects somebody sees.
pub async fn names(db: &dyn Read, actor: &Actor, drivers: &[FoundDriver]) -> Result<HashMap<Uuid, String>> {
    let of = |kind: DriverKind| list(drivers.iter().filter(|one| one.kind == kind).map(|one| one.id));
    let risks = sql!("SELECT r.id, r.title FROM risks r WHERE r.id IN (:ids)", ids = of(DriverKind::Risk));
    let tasks = sql!("SELECT t.id, t.name FROM tasks t WHERE t.id IN (:ids)", ids = of(DriverKind::Task));
    let mut names: Vec<(Uuid, String)> =
        db.all(actor.in_visible_projects(risks, "r.project_id").push(" ORDER BY r.id")).await?;
    names.extend(db.all(actor.in_visible_projects(tasks, "t.project_id").push(" ORDER BY t.id")).await?);
    Ok(names.into_iter().collect())
}

/// One analysis of a project.
pub async fn find(db: &dyn Read, project: ProjectId, id: Uuid) -> Result<Option<AnalysisRow>> {
    let select = format!("{COLUMNS} WHERE id = :id AND project_id = :project");
    db.maybe(sql!(select, id = id, project = project)).await
}

/// An analysis that is not made yet.
pub async fn pending(db: &dyn Read, id: Uuid) -> Result<Option<AnalysisRow>> {
    let select = format!("{COLUMNS} WHERE id = :id AND status = :status");
    db.maybe(sql!(select, id = id, status = DriverAnalysisStatus::Pending)).await
}

/// The newest analysis of a project.
pub async fn latest(db: &dyn Read, project: ProjectId) -> Result<Option<AnalysisRow>> {
    let select = format!("{COLUMNS} WHERE project_id = :project ORDER BY created_at DESC, id DESC LIMIT 1");
    db.maybe(sql!(select, project = project)).await
}

/// Whether a project has an analysis.
pub async fn has_any(db: &dyn Read, project: ProjectId) -> Result<bool> {
    let select = "SELECT COUNT(*) FROM driver_analyses WHERE project_id = :project";
    Ok(db.count(sql!(select, project = project)).await? > 0)
}

/// Ends an analysis with what was found, or with why it failed.
pub async fn end(
    tx: &mut Tx,
    id: Uuid,
    status: DriverAnalysisStatus,
    (result, error_detail): (&Json, &str),
) -> Result<()> {
    let update = "UPDATE driver_analyses SET status = :status, result = :result, error_detail = :error,
            completed_at = :now
         WHERE id = :id AND status = :pending";
    let values = sql!(
        update,
        status = status,
        result = result,
        error = error_detail,
        now = tx.now(),
        id = id,
        pending = DriverAnalysisStatus::Pending
    );
    tx.run(values).await.map(drop)
}
