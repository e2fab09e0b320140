//! The minutes that the caller has logged on tasks; nobody sees those of others. Nothing here writes them.

use planwright_store::{FromValue, Result};

use super::{Branch, Piece};

/// The caller's own minutes on a task.
#[derive(Clone, Copy, Debug)]
pub struct Logged {
    /// Those on the task itself.
    pub own: i64,
    /// Those and all on the rows below it, where they were asked for.
    pub with_rows_below: i64,
}

/// The minutes on tasks of a page that has no phases.
pub(super) const ON_TASKS: Branch = Branch {
    kind: "logged",
    of: "e.task_id",
    number: "CAST(SUM(e.minutes) AS BIGINT)",
    other: "CAST(SUM(e.minutes) AS BIGINT)",
    from: "time_entries e WHERE e.user_id = :me AND e.task_id IN (:tasks) AND e.deletion_id IS NULL
           GROUP BY e.task_id",
    ..Branch::BARE
};

/// The same with the rows below. It climbs from the minutes to their phases, so it costs what the caller has logged and not
/// what a phase contains.
pub(super) const UP_TO_PHASES: Branch = Branch {
    kind: "logged",
    of: "x.id",
    number: "CAST(SUM(CASE WHEN x.is_own THEN x.minutes ELSE 0 END) AS BIGINT)",
    other: "CAST(SUM(x.minutes) AS BIGINT)",
    from: "(WITH RECURSIVE above (id, parent_id, minutes, is_own) AS (
                SELECT t.id, t.parent_id, e.minutes, TRUE
                FROM (SELECT task_id, CAST(SUM(minutes) AS BIGINT) AS minutes FROM time_entries
                      WHERE user_id = :me AND deletion_id IS NULL GROUP BY task_id) e
                JOIN tasks t ON t.id = e.task_id AND t.deletion_id IS NULL AND t.project_id IN (:projects)
                UNION ALL
                SELECT p.id, p.parent_id, a.minutes, FALSE
                FROM above a JOIN tasks p ON p.id = a.parent_id AND p.deletion_id IS NULL)
            SELECT id, minutes, is_own FROM above WHERE id IN (:tasks)) x GROUP BY x.id",
    ..Branch::BARE
};

/// What was added up.
pub(super) fn summed(piece: Piece) -> Result<Logged> {
    Ok(Logged {
        own: FromValue::from_value(piece.number)?,
        with_rows_below: FromValue::from_value(piece.other)?,
    })
}
