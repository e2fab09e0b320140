//! What a batch reads of tasks besides what their commands read.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use planwright_domain::ids::TaskId;
use planwright_store::value::list;
use planwright_store::{Read, Result, sql};
use uuid::Uuid;

use super::batches::Batch;

/// No row gets as far.
const NO_VERSION: i64 = i64::MAX;

/// The version that each row had at a watermark of the caller. Changes of their own since then count as known.
pub(super) async fn bases(
    db: &dyn Read,
    batch: &Batch,
    tasks: &[Uuid],
    plan: i64,
    at: DateTime<Utc>,
) -> Result<HashMap<Uuid, i64>> {
    let select = "SELECT t.id, CASE WHEN t.change_number <= :plan THEN t.server_version ELSE COALESCE(
                (SELECT MIN(h.version) - 1 FROM history h WHERE h.entity = 'task' AND h.entity_id = t.id
                    AND h.at >= :at AND (h.actor_id IS NULL OR h.actor_id <> :me)), t.server_version) END
         FROM tasks t WHERE t.id IN (:tasks) AND t.project_id = :project AND t.deletion_id IS NULL";
    let tasks = list(tasks.iter().copied());
    let select = sql!(select, plan = plan, at = at, me = batch.user, tasks = tasks, project = batch.project);
    let rows: Vec<(Uuid, i64)> = db.all(select).await?;
    Ok(rows.into_iter().map(|(id, version)| (id, version.max(1))).collect())
}

/// A version that no row ever had, for each row that is there: what differs from it is a conflict.
pub(super) async fn forgotten_bases(
    db: &dyn Read,
    batch: &Batch,
    tasks: &[Uuid],
) -> Result<HashMap<Uuid, i64>> {
    let select =
        "SELECT id FROM tasks WHERE id IN (:tasks) AND project_id = :project AND deletion_id IS NULL";
    let tasks = list(tasks.iter().copied());
    let found: Vec<Uuid> = db.scalars(sql!(select, tasks = tasks, project = batch.project)).await?;
    Ok(found.into_iter().map(|id| (id, NO_VERSION)).collect())
}

/// The versions of tasks as they are now.
pub(super) async fn versions(db: &dyn Read, tasks: &[TaskId]) -> Result<HashMap<Uuid, i64>> {
    let select = "SELECT id, server_version FROM tasks WHERE id IN (:tasks)";
    let rows: Vec<(Uuid, i64)> = db.all(sql!(select, tasks = list(tasks.iter().copied()))).await?;
    Ok(rows.into_iter().collect())
}

/// Those of some tasks that the project has in its trash.
pub(super) async fn deleted(db: &dyn Read, batch: &Batch, tasks: &[TaskId]) -> Result<HashSet<TaskId>> {
    if tasks.is_empty() {
        return Ok(HashSet::new());
    }
    let select =
        "SELECT id FROM tasks WHERE id IN (:tasks) AND project_id = :project AND deletion_id IS NOT NULL";
    let tasks = list(tasks.iter().copied());
    let found: Vec<TaskId> = db.scalars(sql!(select, tasks = tasks, project = batch.project)).await?;
    Ok(found.into_iter().collect())
}
