//! Whether a task shows that it is related to others; nothing here writes relations.

use planwright_domain::ids::TaskId;
use planwright_store::value::list;
use planwright_store::{Sql, sql};

/// Which of the tasks take part in an informational relation.
pub fn related(tasks: &[TaskId]) -> Sql {
    let text = "SELECT source_id FROM task_relations WHERE source_id IN (:tasks) AND deletion_id IS NULL
         UNION
         SELECT target_id FROM task_relations WHERE target_id IN (:tasks) AND deletion_id IS NULL";
    sql!(text, tasks = list(tasks.iter().copied()))
}
