//! The dates of a baseline that a task shows; nothing here writes them.

use chrono::NaiveDate;
use planwright_store::{FromValue, Result};

use super::{Branch, Piece};

/// What a baseline kept of a task.
#[derive(Clone, Copy, Debug)]
pub struct BaselineDates {
    /// Its first day.
    pub start: Option<NaiveDate>,
    /// Its last day.
    pub finish: Option<NaiveDate>,
}

/// The dates of each project's active baseline.
pub(super) const ACTIVE: Branch = Branch {
    from: "baseline_tasks x JOIN baselines b ON b.id = x.baseline_id AND b.deletion_id IS NULL
           WHERE x.task_id IN (:tasks) AND b.is_active",
    ..KEPT
};

/// The dates of one baseline.
pub(super) const ONE: Branch = Branch {
    from: "baseline_tasks x JOIN baselines b ON b.id = x.baseline_id AND b.deletion_id IS NULL
           WHERE x.task_id IN (:tasks) AND b.id = :baseline",
    ..KEPT
};

const KEPT: Branch = Branch {
    kind: "baseline",
    of: "x.task_id",
    start: "x.start_date",
    finish: "x.finish_date",
    ..Branch::BARE
};

/// What was kept of a task.
pub(super) fn dates(piece: Piece) -> Result<BaselineDates> {
    Ok(BaselineDates {
        start: FromValue::from_value(piece.start)?,
        finish: FromValue::from_value(piece.finish)?,
    })
}
