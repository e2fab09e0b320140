//! The task that blocks another, as that one shows it; nothing here blocks.

use planwright_domain::ids::TaskId;
use planwright_store::{FromValue, Result};

use super::{Branch, Piece};
use crate::tasks::model::BlockingTask;

/// Tasks that block others, by their own ids.
pub(super) const BLOCKERS: Branch = Branch {
    kind: "blocker",
    of: "t.id",
    name: "t.name",
    code: "t.short_id",
    word: crate::tasks::queries::STATUS,
    from: "tasks t LEFT JOIN task_schedule s ON s.task_id = t.id
           WHERE t.id IN (:blocking) AND t.deletion_id IS NULL",
    ..Branch::BARE
};

/// A blocking task as the blocked one shows it.
pub(super) fn shown(piece: Piece) -> Result<BlockingTask> {
    Ok(BlockingTask {
        id: TaskId(piece.of_id),
        name: FromValue::from_value(piece.name)?,
        short_id: FromValue::from_value(piece.code)?,
        status: FromValue::from_value(piece.word)?,
    })
}
