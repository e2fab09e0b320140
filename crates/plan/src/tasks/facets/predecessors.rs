//! How many predecessors a task shows; links themselves are in `dependencies/`.

use planwright_store::{FromValue, Result};

use super::{Branch, Piece};

/// How many predecessors a task has, and how many of them are unfinished.
#[derive(Clone, Copy, Debug)]
pub struct Preceded {
    /// All predecessors.
    pub predecessors: i64,
    /// Those that are not complete.
    pub unfinished: i64,
}

/// The predecessors of several tasks, counted. Where one stands is as `STATUS` in `tasks/queries.rs` says.
pub(super) const PREDECESSORS: Branch = Branch {
    kind: "predecessors",
    of: "d.successor_id",
    number: "COUNT(*)",
    other: "CAST(SUM(CASE WHEN COALESCE(CASE WHEN s.is_phase THEN s.rolled_status END, t.status) = 'COMPLETE'
                 THEN 0 ELSE 1 END) AS BIGINT)",
    from: "dependencies d JOIN tasks t ON t.id = d.predecessor_id AND t.deletion_id IS NULL
           LEFT JOIN task_schedule s ON s.task_id = t.id
           WHERE d.successor_id IN (:tasks) AND d.deletion_id IS NULL AND NOT d.pending_acceptance
           GROUP BY d.successor_id",
    ..Branch::BARE
};

/// What was counted.
pub(super) fn counted(piece: Piece) -> Result<Preceded> {
    Ok(Preceded {
        predecessors: FromValue::from_value(piece.number)?,
        unfinished: FromValue::from_value(piece.other)?,
    })
}
