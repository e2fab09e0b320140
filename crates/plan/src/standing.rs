//! What is counted over the leaves of a plan wherever projects are listed or summed up: the conditions and the sums, said once.
//! Phases are counted through their children.

/// Open work with that much float or less is at risk, in working days.
pub const LITTLE_FLOAT: i64 = 5;

/// The leaves among tasks `t` with their schedule `s`. Recurring templates are no work.
pub const LEAVES: &str =
    "t.deletion_id IS NULL AND t.is_recurring = FALSE AND (s.is_summary IS NULL OR s.is_summary = FALSE)";

/// What is open, late and at risk among them, and how far they are. `:today` is a day from 1970-01-01, `:little` is
/// [`LITTLE_FLOAT`].
pub const COUNTS: &str = "CAST(SUM(CASE WHEN t.status <> 'COMPLETE' THEN 1 ELSE 0 END) AS BIGINT) AS open_task_count,
    CAST(SUM(CASE WHEN t.status <> 'COMPLETE' AND s.early_finish < :today THEN 1 ELSE 0 END) AS BIGINT) AS overdue_count,
    CAST(SUM(CASE WHEN t.status <> 'COMPLETE' AND s.total_float <= :little THEN 1 ELSE 0 END) AS BIGINT) AS at_risk_count,
    CAST(SUM(t.duration) AS DOUBLE PRECISION) AS weight,
    CAST(SUM(t.duration * t.percent_complete) AS DOUBLE PRECISION) AS weighted_percent";
