//! How many predecessors a task shows; links themselves are in `dependencies/`.

use planwright_domain::ids::TaskId;
use planwright_store::value::list;
use planwright_store::{Sql, row, sql};

use crate::tasks::queries::STATUS;

row! {
    /// How many predecessors a task has, and how many of them are unfinished.
    pub struct Preceded {
        pub task_id: TaskId,
        pub predecessors: i64,
        pub unfinished: i64,
    }
}

/// The predecessors of several tasks, counted.
pub fn predecessors(tasks: &[TaskId]) -> Sql {
    let select = format!(
        "SELECT d.successor_id AS task_id, COUNT(*) AS predecessors,
            CAST(SUM(CASE WHEN {STATUS} = 'COMPLETE' THEN 0 ELSE 1 END) AS BIGINT) AS unfinished
         FROM dependencies d JOIN tasks t ON t.id = d.predecessor_id AND t.deletion_id IS NULL
         LEFT JOIN task_schedule s ON s.task_id = t.id
         WHERE d.successor_id IN (:tasks) AND d.deletion_id IS NULL AND NOT d.pending_acceptance
         GROUP BY d.successor_id"
    );
    sql!(select, tasks = list(tasks.iter().copied()))
}
