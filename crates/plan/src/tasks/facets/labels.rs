//! The labels that a task shows; nothing here writes them.

use planwright_store::{FromValue, Result};

use super::{Branch, Piece};
use crate::tasks::model::TaskLabelChip;

/// The name of a label without regard to case, by which it is unique in its project.
pub fn name_key(name: &str) -> String {
    name.to_lowercase()
}

/// The labels of several tasks.
pub(super) const LABELS: Branch = Branch {
    kind: "label",
    of: "x.task_id",
    id: "l.id",
    name: "l.name",
    word: "l.color",
    number: "l.position",
    from: "task_labels x JOIN labels l ON l.id = x.label_id AND l.deletion_id IS NULL WHERE x.task_id IN (:tasks)",
    ..Branch::BARE
};

/// A label as a task shows it.
pub(super) fn chip(piece: Piece) -> Result<TaskLabelChip> {
    Ok(TaskLabelChip {
        id: FromValue::from_value(piece.id)?,
        name: FromValue::from_value(piece.name)?,
        color: FromValue::from_value(piece.word)?,
        position: FromValue::from_value(piece.number)?,
    })
}
