//! Which rows go with which act of deletion, and where the rows below them move: pure, for one row or thousands.
//! The rows are read by `deletion_queries.rs`; what is decided here is carried out by `deletion.rs`.

use std::collections::{BTreeSet, HashMap, HashSet};

use planwright_domain::ids::TaskId;

use super::deletion_queries::Near;
use super::record::TaskRecord;

/// What becomes of drawer subtasks of a row that goes, when they were not asked to go themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawer {
    /// They go with it.
    GoesAlong,
    /// They take its place, as tasks of their own.
    TakesThePlace,
}

/// Rows that are about to go, with the rows right below them.
#[derive(Debug)]
pub(super) struct Leaving {
    /// Each row that goes, with the root of the act that takes it; roots are their own.
    root_of: HashMap<TaskId, TaskId>,
    /// The row above each root.
    above: HashMap<TaskId, Option<TaskId>>,
    below: HashMap<TaskId, Vec<Near>>,
}

/// A row that moves up.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Move {
    pub(super) row: Near,
    /// The root of the act that moves it.
    pub(super) root: TaskId,
    /// The row it stands below from then on.
    pub(super) to: Option<TaskId>,
}

impl Leaving {
    /// Sorts out who goes. A drawer subtask whose task goes too is taken by the act of its task.
    pub(super) fn of(roots: &[TaskRecord], below: Vec<Near>, drawer: Drawer) -> Self {
        let asked: HashSet<TaskId> = roots.iter().map(|row| row.id).collect();
        let mut root_of = HashMap::new();
        for row in roots {
            let task = row.parent_id.filter(|task| row.is_subtask && asked.contains(task));
            root_of.insert(row.id, task.unwrap_or(row.id));
        }
        let mut grouped: HashMap<TaskId, Vec<Near>> = HashMap::new();
        for row in below {
            let Some(parent) = row.parent_id else { continue };
            if row.is_subtask && drawer == Drawer::GoesAlong && !asked.contains(&row.id) {
                root_of.insert(row.id, root_of.get(&parent).copied().unwrap_or(parent));
            }
            grouped.entry(parent).or_default().push(row);
        }
        for siblings in grouped.values_mut() {
            siblings.sort_by_key(|row| (row.position, row.id));
        }
        let root_of = root_of.keys().map(|row| (*row, last(&root_of, *row))).collect();
        let above = roots.iter().map(|row| (row.id, row.parent_id)).collect();
        Self { root_of, above, below: grouped }
    }

    /// Every row that goes, with the root of the act that takes it.
    pub(super) fn taken(&self) -> &HashMap<TaskId, TaskId> {
        &self.root_of
    }

    /// The rows that stay and move up.
    pub(super) fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for (parent, rows) in &self.below {
            let staying = rows.iter().filter(|row| !self.root_of.contains_key(&row.id));
            let to = self.heir(*parent);
            let root = self.root_of.get(parent).copied().unwrap_or(*parent);
            moves.extend(staying.map(|row| Move { row: row.clone(), root, to }));
        }
        moves.sort_by_key(|a_move| a_move.row.id);
        moves
    }

    /// The nearest row above one that stays.
    fn heir(&self, row: TaskId) -> Option<TaskId> {
        let mut at = row;
        // Rows that contain each other, which only a broken plan has, lead nowhere.
        for _ in 0..=self.above.len() {
            let above = self.above.get(&at).copied().flatten()?;
            if !self.root_of.contains_key(&above) {
                return Some(above);
            }
            at = above;
        }
        None
    }

    /// The new numbers among siblings, for those whose number changes. `siblings` are the rows that stood below the
    /// heirs before, the ones that go among them.
    pub(super) fn numbers(&self, moves: &[Move], siblings: Vec<Near>) -> Vec<(TaskId, i64)> {
        let heirs: BTreeSet<Option<TaskId>> = moves.iter().map(|a_move| a_move.to).collect();
        let mut rows: HashMap<Option<TaskId>, Vec<Near>> = HashMap::new();
        for row in siblings {
            rows.entry(row.parent_id).or_default().push(row);
        }
        let mut numbers = Vec::new();
        for heir in heirs {
            let mut siblings = rows.remove(&heir).unwrap_or_default();
            siblings.sort_by_key(|row| (row.position, row.id));
            let mut open: Vec<&Near> = siblings.iter().rev().collect();
            let (mut number, mut passed) = (0, HashSet::new());
            while let Some(row) = open.pop() {
                if self.root_of.contains_key(&row.id) {
                    // The rows below one that goes stand where it stood.
                    let is_first = passed.insert(row.id);
                    open.extend(self.below.get(&row.id).into_iter().flatten().rev().filter(|_| is_first));
                } else if row.has_place {
                    number += 1;
                    if row.position != number {
                        numbers.push((row.id, number));
                    }
                }
            }
        }
        numbers
    }
}

/// Where a chain of steps ends; at its own beginning when it leads round in a circle.
fn last(steps: &HashMap<TaskId, TaskId>, from: TaskId) -> TaskId {
    let mut at = from;
    for _ in 0..steps.len() {
        match steps.get(&at) {
            Some(next) if *next != at => at = *next,
            _ => return at,
        }
    }
    from
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use planwright_domain::ids::ProjectId;
    use uuid::Uuid;

    use super::*;

    fn id(number: u128) -> TaskId {
        TaskId(Uuid::from_u128(number))
    }

    fn near(number: u128, parent: u128, position: i64) -> Near {
        let parent_id = (parent > 0).then(|| id(parent));
        Near { id: id(number), parent_id, position, has_place: true, is_subtask: false, server_version: 1 }
    }

    fn root(row: &Near) -> TaskRecord {
        let mut record = TaskRecord::fresh(row.id, ProjectId(Uuid::nil()), DateTime::UNIX_EPOCH);
        record.parent_id = row.parent_id;
        record.is_subtask = row.is_subtask;
        record
    }

    fn moved(moves: &[Move]) -> Vec<(u128, u128, u128)> {
        let number = |id: TaskId| id.0.as_u128();
        moves.iter().map(|at| (number(at.row.id), number(at.root), at.to.map_or(0, number))).collect()
    }

    #[test]
    fn rows_below_those_that_go_take_their_place_through_several_levels() {
        // 1 stands before 2; below 2 are 3 and 4, below 3 is 5; then comes 6.
        let top = [near(1, 0, 1), near(2, 0, 2), near(6, 0, 3)];
        let below = vec![near(3, 2, 1), near(4, 2, 2), near(5, 3, 1)];
        let roots = [root(&below[0]), root(&top[1])];
        let leaving = Leaving::of(&roots, below, Drawer::GoesAlong);
        let moves = leaving.moves();
        assert_eq!(moved(&moves), [(4, 2, 0), (5, 3, 0)]);
        let numbers = leaving.numbers(&moves, top.to_vec());
        assert_eq!(numbers, [(id(5), 2), (id(4), 3), (id(6), 4)]);
    }

    #[test]
    fn drawer_subtasks_go_with_their_task_or_take_its_place() {
        let task = near(1, 0, 1);
        let mut subtask = near(2, 1, 1);
        subtask.is_subtask = true;
        let along = Leaving::of(&[root(&task)], vec![subtask.clone()], Drawer::GoesAlong);
        assert_eq!(along.taken().get(&id(2)), Some(&id(1)));
        assert!(along.moves().is_empty());
        let staying = Leaving::of(&[root(&task)], vec![subtask.clone()], Drawer::TakesThePlace);
        assert_eq!(moved(&staying.moves()), [(2, 1, 0)]);
        let both = Leaving::of(&[root(&task), root(&subtask)], vec![subtask], Drawer::TakesThePlace);
        assert_eq!(both.taken().get(&id(2)), Some(&id(1)), "both were asked to go");
    }

    #[test]
    fn rows_that_contain_each_other_end_the_walk() {
        let (one, two) = (near(1, 2, 1), near(2, 1, 1));
        let roots = [root(&one), root(&two)];
        let below = vec![near(3, 1, 2), one, two];
        let leaving = Leaving::of(&roots, below, Drawer::GoesAlong);
        let moves = leaving.moves();
        assert_eq!(moved(&moves), [(3, 1, 0)]);
        assert!(leaving.numbers(&moves, Vec::new()).is_empty());
    }
}
