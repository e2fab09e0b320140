//! The statements about scope changes that only their pages need.

use planwright_domain::ids::{ScopeChangeId, SprintId};
use planwright_plan::sprints::scope::ScopeChangeRow;
use planwright_store::record::Record;
use planwright_store::value::list;
use planwright_store::{Read, Result, sql};

use super::model::ListedRow;

/// What came into a sprint, newest first.
pub async fn of_sprint(db: &dyn Read, sprint: SprintId) -> Result<Vec<ListedRow>> {
    let select =
        "SELECT c.id, c.task_id, c.item_name, COALESCE(c.story_points, t.story_points) AS story_points,
            u.first_name, u.last_name, u.username, c.added_at, c.goal_impact, c.status
         FROM sprint_scope_changes c JOIN tasks t ON t.id = c.task_id AND t.deletion_id IS NULL
         LEFT JOIN users u ON u.id = c.added_by
         WHERE c.sprint_id = :sprint AND c.deletion_id IS NULL ORDER BY c.added_at DESC, c.id DESC";
    db.all(sql!(select, sprint = sprint)).await
}

/// Those of some scope changes that are of a sprint.
pub async fn named(db: &dyn Read, sprint: SprintId, ids: &[ScopeChangeId]) -> Result<Vec<ScopeChangeRow>> {
    let columns = ScopeChangeRow::select_list("c");
    let select = format!(
        "SELECT {columns} FROM sprint_scope_changes c JOIN tasks t ON t.id = c.task_id AND t.deletion_id IS NULL
         WHERE c.sprint_id = :sprint AND c.id IN (:ids) AND c.deletion_id IS NULL ORDER BY c.added_at, c.id"
    );
    db.all(sql!(select, sprint = sprint, ids = list(ids.iter().copied()))).await
}
