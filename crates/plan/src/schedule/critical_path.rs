//! How the critical path of a project changes from one recalculation to the next, and how much of it an event names.
//! Which rows are critical is decided by the engine.

use std::collections::HashSet;

use planwright_domain::ids::TaskId;
use serde::Serialize;

/// Lists of more rows than this are left out of events: who follows a large plan reads it again.
pub(super) const MOST_NAMED: usize = 500;

/// The rows that came onto a critical path and those that left it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct PathChange {
    pub(super) added: Vec<TaskId>,
    pub(super) removed: Vec<TaskId>,
}

impl PathChange {
    /// What makes one path of another; each list has the order of the path that its rows are on.
    pub(super) fn between(before: &[TaskId], after: &[TaskId]) -> Self {
        let missing = |rows: &[TaskId], from: &[TaskId]| {
            let from: HashSet<TaskId> = from.iter().copied().collect();
            rows.iter().copied().filter(|row| !from.contains(row)).collect()
        };
        Self { added: missing(after, before), removed: missing(before, after) }
    }
}

/// What an event says of a critical path: all of it when it is short, and what changed of it.
#[derive(Debug, Serialize)]
pub(super) struct ToldPath<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    critical_path: Option<&'a [TaskId]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    critical_path_added: Option<&'a [TaskId]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    critical_path_removed: Option<&'a [TaskId]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    critical_path_truncated: Option<bool>,
}

impl<'a> ToldPath<'a> {
    /// The path as it is, and how it came to be.
    pub(super) fn of(path: &'a [TaskId], change: &'a PathChange) -> Self {
        let is_short = |rows: &[TaskId]| rows.len() <= MOST_NAMED;
        let PathChange { added, removed } = change;
        let with_change = is_short(added) && is_short(removed);
        Self {
            critical_path: is_short(path).then_some(path),
            critical_path_added: with_change.then_some(added),
            critical_path_removed: with_change.then_some(removed),
            critical_path_truncated: (!is_short(path)).then_some(true),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    fn rows(numbers: impl IntoIterator<Item = u128>) -> Vec<TaskId> {
        numbers.into_iter().map(|number| TaskId(Uuid::from_u128(number))).collect()
    }

    #[test]
    fn rows_that_came_and_left_are_told_apart() {
        let change = PathChange::between(&rows([1, 2, 3]), &rows([4, 3, 1]));
        assert_eq!(change, PathChange { added: rows([4]), removed: rows([2]) });
        assert_eq!(PathChange::between(&rows([1, 2]), &rows([2, 1])), PathChange::default());
    }

    #[test]
    fn a_short_path_is_told_whole_and_a_long_one_by_its_change() {
        let change = PathChange { added: rows([1]), removed: vec![] };
        let short = json!(ToldPath::of(&rows([1]), &change));
        let one = rows([1]);
        assert_eq!(
            short,
            json!({ "critical_path": one, "critical_path_added": one, "critical_path_removed": [] })
        );
        let long = json!(ToldPath::of(&rows(0..501), &change));
        assert_eq!(
            long,
            json!({ "critical_path_added": one, "critical_path_removed": [], "critical_path_truncated": true })
        );
    }

    #[test]
    fn a_long_change_is_left_out() {
        let path = rows(0..501);
        let change = PathChange { added: path.clone(), removed: vec![] };
        assert_eq!(json!(ToldPath::of(&path, &change)), json!({ "critical_path_truncated": true }));
    }
}
