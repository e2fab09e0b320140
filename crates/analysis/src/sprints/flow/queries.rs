//! Every statement about flow.

use chrono::{DateTime, Utc};
use planwright_domain::ids::ProjectId;
use planwright_domain::words::TaskStatus;
use planwright_store::{Read, Result, sql};

use super::rules::{Arrival, Completion, StatusMove};
use crate::sprints::queries::board;

/// How many tasks have which status now.
pub async fn counts_now(db: &dyn Read, project: ProjectId) -> Result<Vec<(TaskStatus, i64)>> {
    let board = board();
    let select = format!("SELECT t.status, COUNT(*) {board} GROUP BY t.status");
    db.all(sql!(select, project = project)).await
}

/// The moves between statuses since a moment.
pub async fn moves(db: &dyn Read, project: ProjectId, since: DateTime<Utc>) -> Result<Vec<StatusMove>> {
    let board = board();
    let select = format!(
        "SELECT x.task_id, x.at, x.is_bulk, x.old_status, x.new_status FROM task_transitions x
         WHERE x.project_id = :project AND x.at >= :since AND x.old_status <> x.new_status
           AND x.task_id IN (SELECT t.id {board})"
    );
    db.all(sql!(select, project = project, since = since)).await
}

/// The tasks that came since a moment, with the status that they came with.
pub async fn arrivals(db: &dyn Read, project: ProjectId, since: DateTime<Utc>) -> Result<Vec<Arrival>> {
    let board = board();
    let select = format!(
        "SELECT t.created_at, COALESCE((SELECT x.old_status FROM task_transitions x
            WHERE x.task_id = t.id AND x.old_status <> x.new_status
            ORDER BY x.at, x.id LIMIT 1), t.status) AS status
         {board} AND t.created_at >= :since"
    );
    db.all(sql!(select, project = project, since = since)).await
}

/// The tasks that are complete and were completed since a moment, as people say or as it was noted.
pub async fn completions(db: &dyn Read, project: ProjectId, since: DateTime<Utc>) -> Result<Vec<Completion>> {
    let board = board();
    let select = format!(
        "SELECT t.created_at, t.actual_start, t.actual_finish,
            (SELECT MIN(x.at) FROM task_transitions x
             WHERE x.task_id = t.id AND x.new_status = 'IN_PROGRESS') AS began_at,
            (SELECT MAX(x.at) FROM task_transitions x
             WHERE x.task_id = t.id AND x.new_status = 'COMPLETE' AND x.old_status <> 'COMPLETE') AS ended_at,
            (SELECT x.is_bulk FROM task_transitions x
             WHERE x.task_id = t.id AND x.new_status = 'COMPLETE' AND x.old_status <> 'COMPLETE'
             ORDER BY x.at DESC, x.id DESC LIMIT 1) AS is_bulk
         {board} AND t.status = 'COMPLETE' AND (t.actual_finish >= :first OR t.status_changed_at >= :since)"
    );
    db.all(sql!(select, project = project, since = since, first = since.date_naive())).await
}
