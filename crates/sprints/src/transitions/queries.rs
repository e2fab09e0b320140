//! The statements by which sprints begin and end.

use planwright_domain::ids::{CloseRequestId, ProjectId, SprintId, UserId};
use planwright_store::{Read, Result, Tx, sql};

use super::model::CloseRequestRow;

/// The running sprint of a project.
pub async fn active(db: &impl Read, project: ProjectId) -> Result<Option<SprintId>> {
    let select =
        "SELECT id FROM sprints WHERE project_id = :project AND state = 'ACTIVE' AND deletion_id IS NULL";
    db.scalar(sql!(select, project = project)).await
}

/// Numbers the tasks of a sprint that begins, in the order of the board; no version rises, since nobody moved them.
pub async fn seed_ranks(tx: &mut Tx, sprint: SprintId, number: i64) -> Result<()> {
    let update = "UPDATE tasks SET sprint_rank = x.place, change_number = :number FROM (
            SELECT t.id, ROW_NUMBER() OVER (ORDER BY t.priority_rank ASC NULLS LAST, t.short_id, t.id) AS place
            FROM tasks t WHERE t.sprint_id = :sprint AND t.deletion_id IS NULL AND t.type <> 'epic') AS x
         WHERE tasks.id = x.id";
    tx.run(sql!(update, number = number, sprint = sprint)).await.map(drop)
}

/// Takes the places away of tasks that stay in a sprint that is over.
pub async fn clear_ranks(tx: &mut Tx, sprint: SprintId, number: i64) -> Result<()> {
    let update = "UPDATE tasks SET sprint_rank = NULL, change_number = :number
         WHERE sprint_id = :sprint AND sprint_rank IS NOT NULL AND deletion_id IS NULL";
    tx.run(sql!(update, number = number, sprint = sprint)).await.map(drop)
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
pub async fn last_closing(db: &impl Read, sprint: SprintId) -> Result<Option<CloseRequestRow>> {
    let select = "SELECT id, sprint_id, requested_at, completed_at FROM sprint_close_requests
         WHERE sprint_id = :sprint ORDER BY requested_at DESC, id DESC LIMIT 1";
    db.maybe(sql!(select, sprint = sprint)).await
}
