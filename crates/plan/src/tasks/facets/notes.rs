//! When notes were written on tasks; nothing here writes them.

use super::Branch;

/// The newest note of each of several tasks.
pub(super) const NOTES: Branch = Branch {
    kind: "note",
    of: "n.task_id",
    at: "MAX(n.created_at)",
    from: "task_notes n WHERE n.task_id IN (:tasks) AND n.deletion_id IS NULL GROUP BY n.task_id",
    ..Branch::BARE
};
