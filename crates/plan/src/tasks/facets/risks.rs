//! The risks that a task shows; nothing here writes them.

use planwright_store::{FromValue, Result};

use super::{Branch, Piece};

/// The risks on a task that are not over: how many, and the worst of them.
#[derive(Clone, Copy, Debug)]
pub struct RisksOn {
    /// How many there are.
    pub risks: i64,
    /// Probability times impact of the worst.
    pub severity: Option<i64>,
}

/// The risks on several tasks that are not over, counted.
pub(super) const RISKS: Branch = Branch {
    kind: "risks",
    of: "x.task_id",
    number: "COUNT(*)",
    other: "MAX(r.probability * r.impact)",
    from: "risk_tasks x JOIN risks r ON r.id = x.risk_id AND r.deletion_id IS NULL
               AND r.status NOT IN ('RESOLVED', 'CLOSED')
           WHERE x.task_id IN (:tasks) GROUP BY x.task_id",
    ..Branch::BARE
};

/// What was counted.
pub(super) fn counted(piece: Piece) -> Result<RisksOn> {
    Ok(RisksOn { risks: FromValue::from_value(piece.number)?, severity: FromValue::from_value(piece.other)? })
}
