//! Every statement about what happened in a sprint since a moment.

use chrono::{DateTime, Utc};
use planwright_domain::ids::SprintId;
use planwright_store::{Read, Result, sql};

use super::model::{BlockedRow, ScopeAdded, StatusChange};

/// Lists no more than so many lines of each kind.
const MOST: i64 = 500;

/// The changes of status in a sprint since a moment, the newest first.
pub async fn status_changes(
    db: &dyn Read,
    sprint: SprintId,
    since: DateTime<Utc>,
) -> Result<Vec<StatusChange>> {
    let select = "SELECT x.old_status AS \"from\", x.new_status AS \"to\", x.actor_id, u.username AS actor_username, x.at,
            t.id AS task_id, t.short_id AS task_short_id, t.name AS task_title
         FROM task_transitions x JOIN tasks t ON t.id = x.task_id AND t.deletion_id IS NULL
         JOIN sprints s ON s.id = :sprint AND s.project_id = x.project_id
         LEFT JOIN users u ON u.id = x.actor_id
         WHERE x.at >= :since AND x.old_status <> x.new_status
           AND (x.old_sprint_id = :sprint OR x.new_sprint_id = :sprint)
         ORDER BY x.at DESC, x.id DESC LIMIT :most";
    db.all(sql!(select, sprint = sprint, since = since, most = MOST)).await
}

/// What came into a sprint since a moment, the newest first.
pub async fn scope_added(db: &dyn Read, sprint: SprintId, since: DateTime<Utc>) -> Result<Vec<ScopeAdded>> {
    let select =
        "SELECT c.added_by, u.username AS added_by_username, c.added_at AS at, c.status, c.story_points,
            e.name AS epic, t.id AS task_id, t.short_id AS task_short_id, t.name AS task_title
         FROM sprint_scope_changes c JOIN tasks t ON t.id = c.task_id AND t.deletion_id IS NULL
         LEFT JOIN tasks e ON e.id = t.parent_epic_id AND e.deletion_id IS NULL
         LEFT JOIN users u ON u.id = c.added_by
         WHERE c.sprint_id = :sprint AND c.added_at >= :since AND c.deletion_id IS NULL
         ORDER BY c.added_at DESC, c.id DESC LIMIT :most";
    db.all(sql!(select, sprint = sprint, since = since, most = MOST)).await
}

/// The tasks of a sprint that are blocked or on hold now.
pub async fn blocked(db: &dyn Read, sprint: SprintId) -> Result<Vec<BlockedRow>> {
    let select = "SELECT u.id AS actor_id, u.username AS actor_username,
            COALESCE(t.blocked_since, t.status_changed_at) AS at, t.blocker_type,
            t.blocked_since IS NULL AS is_paused, t.id AS task_id, t.short_id AS task_short_id, t.name AS task_title
         FROM tasks t LEFT JOIN users u ON u.id = t.blocked_by_id
         WHERE t.sprint_id = :sprint AND t.deletion_id IS NULL AND t.status <> 'COMPLETE'
           AND (t.blocked_since IS NOT NULL OR t.status = 'ON_HOLD')
         ORDER BY t.id";
    db.all(sql!(select, sprint = sprint)).await
}
