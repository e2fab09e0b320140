//! How many acceptance criteria a task has, and how many of them are met; nothing here writes them.

use planwright_store::{FromValue, Result};

use super::{Branch, Piece};
use crate::tasks::criteria::Criteria;

/// The criteria of several tasks, counted.
pub(super) const CRITERIA: Branch = Branch {
    kind: "criteria",
    of: "c.task_id",
    number: "COUNT(*)",
    other: "CAST(SUM(CASE WHEN c.met THEN 1 ELSE 0 END) AS BIGINT)",
    from: "acceptance_criteria c WHERE c.task_id IN (:tasks) AND c.deletion_id IS NULL GROUP BY c.task_id",
    ..Branch::BARE
};

/// What was counted.
pub(super) fn counted(piece: Piece) -> Result<Criteria> {
    Ok(Criteria { total: FromValue::from_value(piece.number)?, met: FromValue::from_value(piece.other)? })
}
