//! The risks that a task shows; nothing here writes them.

use planwright_domain::ids::TaskId;
use planwright_store::value::list;
use planwright_store::{Sql, row, sql};

row! {
    /// The risks on a task.
    pub struct RisksOn {
        pub task_id: TaskId,
        pub risks: i64,
        pub severity: Option<i64>,
    }
}

/// The live risks on several tasks: how many, and the worst of them.
pub fn risks(tasks: &[TaskId]) -> Sql {
    sql!(
        "SELECT x.task_id, COUNT(*) AS risks, MAX(r.probability * r.impact) AS severity
         FROM risk_tasks x JOIN risks r ON r.id = x.risk_id AND r.deletion_id IS NULL
         WHERE x.task_id IN (:tasks) GROUP BY x.task_id",
        tasks = list(tasks.iter().copied())
    )
}
