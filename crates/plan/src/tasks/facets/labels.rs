//! The labels that a task shows; nothing here writes them.

use planwright_domain::ids::{LabelId, TaskId};
use planwright_domain::words::LabelColor;
use planwright_store::value::list;
use planwright_store::{Sql, row, sql};

row! {
    /// A label on a task.
    pub struct LabelOn {
        pub task_id: TaskId,
        pub id: LabelId,
        pub name: String,
        pub color: LabelColor,
        pub position: i64,
    }
}

/// The labels of several tasks.
pub fn labels(tasks: &[TaskId]) -> Sql {
    let text = "SELECT x.task_id, l.id, l.name, l.color, l.position FROM task_labels x
         JOIN labels l ON l.id = x.label_id AND l.deletion_id IS NULL
         WHERE x.task_id IN (:tasks) ORDER BY l.position, l.name, l.id";
    sql!(text, tasks = list(tasks.iter().copied()))
}
