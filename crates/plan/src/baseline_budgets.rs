//! What a baseline promised, added up by dates and calendar. It is written once, with the baseline, and never changes. The
//! baselines themselves are in the crate `governance`.

use planwright_domain::ids::BaselineId;
use planwright_store::{Sql, sql};

/// Adds up what a baseline keeps of its work. Run it once, when the baseline has all of its rows.
///
/// What has no dates cannot be planned by a day, so it is no part of the promise.
pub fn add_up(baseline: BaselineId) -> Sql {
    sql!(
        "INSERT INTO baseline_budgets (baseline_id, calendar_id, start_date, finish_date, duration, budget)
         SELECT k.baseline_id, t.calendar_id, k.start_date, k.finish_date,
            CAST(SUM(COALESCE(k.duration, 0)) AS BIGINT), CAST(SUM(k.budget) AS BIGINT)
         FROM baseline_tasks k JOIN tasks t ON t.id = k.task_id
         WHERE k.baseline_id = :baseline AND k.is_leaf = TRUE AND k.start_date IS NOT NULL AND k.finish_date IS NOT NULL
         GROUP BY k.baseline_id, t.calendar_id, k.start_date, k.finish_date",
        baseline = baseline
    )
}
