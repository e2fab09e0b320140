//! The allocations that a task shows; nothing here writes them.

use planwright_domain::ids::{ResourceId, TaskId};
use planwright_store::value::list;
use planwright_store::{Sql, row, sql};

row! {
    /// An allocation of a task.
    pub struct AllocationOn {
        pub task_id: TaskId,
        pub resource_id: ResourceId,
        pub resource_name: String,
        pub units: i64,
    }
}

/// The allocations of several tasks.
pub fn allocations(tasks: &[TaskId]) -> Sql {
    let text = "SELECT a.task_id, r.id AS resource_id, r.name AS resource_name, a.units FROM task_resources a
         JOIN resources r ON r.id = a.resource_id AND r.deletion_id IS NULL
         WHERE a.task_id IN (:tasks) AND a.deletion_id IS NULL ORDER BY r.name, r.id";
    sql!(text, tasks = list(tasks.iter().copied()))
}
