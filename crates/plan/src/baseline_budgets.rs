//! What a baseline promised, added up by dates and calendar. It is written once, with the baseline, and never changes. The
//! baselines themselves are in the crate `governance`.

use std::collections::HashSet;
use std::hash::Hash;

use planwright_domain::ids::BaselineId;
use planwright_store::{Sql, sql};

/// Which rows `k` of a baseline are promised: its work. What has no dates cannot be planned by a day, so it is no part of it.
pub const PROMISED: &str = "k.is_leaf = TRUE AND k.start_date IS NOT NULL AND k.finish_date IS NOT NULL";

/// What is known of a row of a baseline that does not say whether it was work.
#[derive(Clone, Copy, Debug)]
pub struct Place<T> {
    /// The task.
    pub task: T,
    /// The task above it.
    pub parent: Option<T>,
    /// Whether it is an entry of the checklist of a task.
    pub is_subtask: bool,
    /// Whether it is the rule of tasks that recur.
    pub is_recurring: bool,
}

/// Which rows of a baseline were work as far as their places show: steps that have no steps below them.
pub fn looks_like_work<T: Copy + Eq + Hash>(rows: &[Place<T>]) -> HashSet<T> {
    let phases: HashSet<T> = rows.iter().filter(|row| !row.is_subtask).filter_map(|row| row.parent).collect();
    let work = rows.iter().filter(|row| !row.is_subtask && !row.is_recurring && !phases.contains(&row.task));
    work.map(|row| row.task).collect()
}

/// Adds up what a baseline keeps of its work. Run it once, when the baseline has all of its rows.
pub fn add_up(baseline: BaselineId) -> Sql {
    let insert = format!(
        "INSERT INTO baseline_budgets (baseline_id, calendar_id, start_date, finish_date, duration, budget)
         SELECT k.baseline_id, t.calendar_id, k.start_date, k.finish_date,
            CAST(SUM(COALESCE(k.duration, 0)) AS BIGINT), CAST(SUM(k.budget) AS BIGINT)
         FROM baseline_tasks k JOIN tasks t ON t.id = k.task_id
         WHERE k.baseline_id = :baseline AND {PROMISED}
         GROUP BY k.baseline_id, t.calendar_id, k.start_date, k.finish_date"
    );
    sql!(insert, baseline = baseline)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn place(task: u8, parent: Option<u8>, is_subtask: bool, is_recurring: bool) -> Place<u8> {
        Place { task, parent, is_subtask, is_recurring }
    }

    #[test]
    fn phases_checklists_and_rules_are_no_work_and_tasks_with_a_checklist_are() {
        let rows = [
            place(1, None, false, false),
            place(2, Some(1), false, false),
            place(3, Some(2), true, false),
            place(4, None, false, true),
            place(5, Some(9), false, false),
        ];
        assert_eq!(looks_like_work(&rows), HashSet::from([2, 5]));
    }
}
