//! Every statement about pushed tasks.

use planwright_domain::ids::{ProjectId, TaskId, TokenId, UserId};
use planwright_store::{Read, Result, Tx, sql};
use uuid::Uuid;

use super::model::{AwaitingRow, Known, SyncedRow};
use super::rules::Push;

/// What is known before a task is pushed, in one statement.
pub async fn known(db: &dyn Read, project: ProjectId, token: TokenId, push: &Push) -> Result<Known> {
    let select = "SELECT t.status_map, s.id, s.task_id, s.external_url, s.parent_external_id, s.pending_assignee, s.created_at,
            EXISTS (SELECT 1 FROM tasks c WHERE c.parent_id = s.task_id AND c.deletion_id IS NULL AND NOT c.is_subtask)
                AS is_phase,
            (SELECT p.task_id FROM synced_tasks p JOIN tasks o ON o.id = p.task_id AND o.deletion_id IS NULL
             WHERE p.project_id = :project AND p.source = :source AND p.external_id = :parent) AS parent_task_id,
            EXISTS (SELECT 1 FROM synced_tasks w WHERE w.project_id = :project AND w.source = :source
                AND w.parent_external_id = :external) AS is_awaited
         FROM api_tokens t LEFT JOIN synced_tasks s
             ON s.project_id = :project AND s.source = :source AND s.external_id = :external
         WHERE t.id = :token";
    let parent = push.parent.clone().unwrap_or_default();
    let select = sql!(
        select,
        project = project,
        source = &push.source,
        external = &push.external_id,
        parent = parent,
        token = token
    );
    db.one(select).await
}

/// The member of a project with an address, if there is exactly one.
pub async fn member(db: &dyn Read, project: ProjectId, email: &str) -> Result<Option<UserId>> {
    let select = "SELECT u.id FROM users u
         JOIN project_members m ON m.user_id = u.id AND m.project_id = :project AND m.deletion_id IS NULL
         WHERE LOWER(u.email) = :email AND u.is_active = TRUE AND u.status <> 'deactivated' LIMIT 2";
    let found: Vec<UserId> = db.scalars(sql!(select, project = project, email = email)).await?;
    Ok(match found[..] {
        [only] => Some(only),
        _ => None,
    })
}

/// The rows that wait for a parent with a key, and stand at the top.
pub async fn waiting_for(db: &dyn Read, project: ProjectId, push: &Push) -> Result<Vec<TaskId>> {
    let select = "SELECT s.task_id FROM synced_tasks s
         JOIN tasks t ON t.id = s.task_id AND t.deletion_id IS NULL AND t.parent_id IS NULL
         WHERE s.project_id = :project AND s.source = :source AND s.parent_external_id = :external
         ORDER BY s.created_at, s.id";
    db.scalars(sql!(select, project = project, source = &push.source, external = &push.external_id)).await
}

/// Writes the row of a key.
pub async fn keep(tx: &mut Tx, row: &SyncedRow, is_new: bool) -> Result<()> {
    if is_new {
        return tx.insert(row, Vec::new()).await;
    }
    let update = "UPDATE synced_tasks SET task_id = :task, external_url = :url, parent_external_id = :parent,
            pending_assignee = :pending, pushed_by = :by, synced_at = :now WHERE id = :id";
    let update = sql!(
        update,
        task = row.task_id,
        url = &row.external_url,
        parent = &row.parent_external_id,
        pending = &row.pending_assignee,
        by = row.pushed_by,
        now = row.synced_at,
        id = row.id
    );
    tx.run(update).await.map(drop)
}

/// Whether tasks of a project wait for a person who is a member of it.
pub async fn is_awaited(db: &dyn Read, project: ProjectId, person: UserId) -> Result<bool> {
    let select = format!("SELECT COUNT(*) {AWAITING}");
    Ok(db.count(sql!(select, project = project, person = person)).await? > 0)
}

const AWAITING: &str = "FROM synced_tasks s
     JOIN users u ON u.id = :person AND LOWER(u.email) = s.pending_assignee
     JOIN project_members m ON m.user_id = u.id AND m.project_id = s.project_id AND m.deletion_id IS NULL
     JOIN tasks t ON t.id = s.task_id AND t.deletion_id IS NULL AND t.assignee_id IS NULL
     WHERE s.project_id = :project AND s.pending_assignee <> ''";

/// The tasks of a project that wait for a person who is a member of it.
pub async fn awaiting(db: &dyn Read, project: ProjectId, person: UserId) -> Result<Vec<AwaitingRow>> {
    let select =
        format!("SELECT s.id, s.task_id, s.source, s.pushed_by {AWAITING} ORDER BY s.created_at, s.id");
    db.all(sql!(select, project = project, person = person)).await
}

/// Notes that a task waits for nobody any more.
pub async fn settle(tx: &mut Tx, id: Uuid) -> Result<()> {
    tx.run(sql!("UPDATE synced_tasks SET pending_assignee = '' WHERE id = :id", id = id)).await.map(drop)
}
