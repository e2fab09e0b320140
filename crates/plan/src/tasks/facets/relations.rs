//! Whether a task shows that it is related to others; nothing here writes relations.

use super::Branch;

/// Which of several tasks an informational relation starts from.
pub(super) const SOURCES: Branch = Branch {
    kind: "relation",
    of: "x.source_id",
    from: "task_relations x WHERE x.source_id IN (:tasks) AND x.deletion_id IS NULL",
    ..Branch::BARE
};

/// Which of them one leads to.
pub(super) const TARGETS: Branch = Branch {
    of: "x.target_id",
    from: "task_relations x WHERE x.target_id IN (:tasks) AND x.deletion_id IS NULL",
    ..SOURCES
};
