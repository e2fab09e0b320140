//! The statements by which sprints begin and end.

use planwright_domain::ids::{CloseRequestId, ProjectId, SprintId, UserId};
use planwright_store::{Read, Result, Tx, sql};

use super::model::CloseRequestRow;

/// The running sprint of a project.
pub async fn active(db: &dyn Read, project: ProjectId) -> Result<Option<SprintId>> {
    let select =
        "SELECT id FROM sprints WHERE project_id = :project AND state = 'ACTIVE' AND deletion_id IS NULL";
    db.scalar(sql!(select, project = project)).await
}

/// Notes who asked for a sprint to be closed; it is closed within the same transaction.
pub async fn note_closing(
    tx: &mut Tx,
    id: CloseRequestId,
    project: ProjectId,
    sprint: SprintId,
    by: UserId,
) -> Result<()> {
    let insert = "INSERT INTO sprint_close_requests (id, project_id, sprint_id, requested_by, requested_at, completed_at)
         VALUES (:id, :project, :sprint, :by, :now, :now)";
    let now = tx.now();
    tx.run(sql!(insert, id = id, project = project, sprint = sprint, by = by, now = now)).await.map(drop)
}

/// The last request to close a sprint.
pub async fn last_closing(db: &dyn Read, sprint: SprintId) -> Result<Option<CloseRequestRow>> {
    let select = "SELECT id, sprint_id, requested_at, completed_at FROM sprint_close_requests
         WHERE sprint_id = :sprint ORDER BY requested_at DESC, id DESC LIMIT 1";
    db.maybe(sql!(select, sprint = sprint)).await
}
