//! The allocations that a task shows; nothing here writes them.

use planwright_store::{FromValue, Result};

use super::{Branch, Piece};
use crate::tasks::model::TaskAssignment;
use crate::tasks::rules;

/// The allocations of several tasks; they stand in the order of their names.
pub(super) const ALLOCATIONS: Branch = Branch {
    kind: "allocation",
    of: "a.task_id",
    id: "r.id",
    name: "r.name",
    other: "a.units",
    from: "task_resources a JOIN resources r ON r.id = a.resource_id AND r.deletion_id IS NULL
           WHERE a.task_id IN (:tasks) AND a.deletion_id IS NULL",
    ..Branch::BARE
};

/// An allocation as a task shows it.
pub(super) fn shown(piece: Piece) -> Result<TaskAssignment> {
    Ok(TaskAssignment {
        resource_id: FromValue::from_value(piece.id)?,
        resource_name: FromValue::from_value(piece.name)?,
        units: rules::units_text(FromValue::from_value(piece.other)?),
    })
}
