//! The dates of a baseline that a task shows; nothing here writes them.

use chrono::NaiveDate;
use planwright_domain::ids::{BaselineId, TaskId};
use planwright_store::value::list;
use planwright_store::{Sql, row, sql};

row! {
    /// What a baseline kept of a task.
    pub struct BaselineDates {
        pub task_id: TaskId,
        pub start_date: Option<NaiveDate>,
        pub finish_date: Option<NaiveDate>,
    }
}

/// The dates of one baseline, or of each project's active one.
pub fn baseline_dates(tasks: &[TaskId], baseline: Option<BaselineId>) -> Sql {
    let select = sql!(
        "SELECT x.task_id, x.start_date, x.finish_date FROM baseline_tasks x
         JOIN baselines b ON b.id = x.baseline_id AND b.deletion_id IS NULL WHERE x.task_id IN (:tasks)",
        tasks = list(tasks.iter().copied())
    );
    match baseline {
        Some(id) => select.push(" AND b.id = :baseline").bind("baseline", id),
        None => select.push(" AND b.is_active"),
    }
}
