//! Every statement about allocations; single rows are read and written through items and edits.

use planwright_domain::ids::{AssignmentId, ResourceId, TaskId};
use planwright_store::{Read, Record, Result, Sql, sql};
use planwright_web::Actor;

use super::model::{AllocationFilter, AllocationRow, NamedAllocationRow};

/// The columns of an allocation with the name of its resource.
pub fn columns() -> String {
    format!("SELECT r.name AS resource_name, {}", AllocationRow::select_list("a"))
}

const LIVE: &str = "FROM task_resources a
    JOIN tasks t ON t.id = a.task_id AND t.deletion_id IS NULL
    JOIN resources r ON r.id = a.resource_id AND r.deletion_id IS NULL
    WHERE a.deletion_id IS NULL";

/// The allocations of tasks in projects that the caller sees, narrowed by a filter.
pub fn listed(actor: &Actor, filter: &AllocationFilter) -> Sql {
    let narrowed = sql!(LIVE).when("AND a.task_id = :task", "task", filter.task.as_given().copied()).when(
        "AND a.resource_id = :resource",
        "resource",
        filter.resource.as_given().copied(),
    );
    actor.in_visible_projects(narrowed, "t.project_id")
}

/// One allocation of a live resource.
pub async fn one(db: &dyn Read, id: AssignmentId) -> Result<Option<NamedAllocationRow>> {
    db.maybe(sql!(format!("{} {LIVE} AND a.id = :id", columns()), id = id)).await
}

/// The live allocation of a resource to a task.
pub async fn of(db: &dyn Read, task: TaskId, resource: ResourceId) -> Result<Option<AllocationRow>> {
    let select = format!(
        "SELECT {} FROM task_resources a
         WHERE a.task_id = :task AND a.resource_id = :resource AND a.deletion_id IS NULL",
        AllocationRow::select_list("a")
    );
    db.maybe(sql!(select, task = task, resource = resource)).await
}

/// How many live rows stand below a task.
pub async fn count_children(db: &dyn Read, task: TaskId) -> Result<i64> {
    let count = "SELECT COUNT(*) FROM tasks WHERE parent_id = :task AND deletion_id IS NULL";
    db.count(sql!(count, task = task)).await
}
