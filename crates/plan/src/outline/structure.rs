//! The rows of a project as a tree that can be rearranged in memory; what has changed is then written.
//! Pure: whether somebody may move a row is asked elsewhere.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::schedule::outline::{Place, Placed, outline};
use planwright_domain::ids::TaskId;

/// Why a row cannot go where it was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// It is the row itself.
    Itself,
    /// It stands below the row.
    Below,
    /// There is no such row.
    Missing,
    /// It has no place in the outline.
    NoPlace,
    /// It is a milestone.
    Milestone,
    /// It is a drawer subtask, or the row is one and the other holds tasks.
    Subtask,
    /// It comes back by a rule, so it holds subtasks only.
    Recurring,
    /// No sibling stands before the row.
    First,
    /// The row stands at the top.
    Top,
    /// The rows named are not the siblings.
    Stale,
}

/// A row of the tree.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its place.
    pub placed: Placed,
    /// Whether it is a milestone.
    pub is_milestone: bool,
    /// Whether it comes back by a rule.
    pub is_recurring: bool,
}

/// The rows of a project.
#[derive(Clone, Debug)]
pub struct Structure {
    rows: Vec<Row>,
    index: HashMap<TaskId, usize>,
}

/// A row that stands elsewhere than before.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Move {
    /// The row.
    pub id: TaskId,
    /// The row above it now.
    pub parent: Option<TaskId>,
    /// Its place among its siblings now.
    pub position: i64,
    /// Whether the row above it is another than before.
    pub is_reparented: bool,
}

impl Structure {
    /// The tree of some rows.
    pub fn of(rows: Vec<Row>) -> Self {
        let index = rows.iter().enumerate().map(|(at, row)| (row.placed.id, at)).collect();
        Self { rows, index }
    }

    /// One row.
    pub fn get(&self, id: TaskId) -> Option<&Row> {
        self.index.get(&id).map(|at| &self.rows[*at])
    }

    /// The rows right below one, or at the top, in their order; those without a place are left out.
    pub fn children(&self, parent: Option<TaskId>) -> Vec<TaskId> {
        let mut children: Vec<&Placed> = self
            .rows
            .iter()
            .map(|row| &row.placed)
            .filter(|row| row.has_place && self.parent(row) == parent)
            .collect();
        children.sort_by_key(|row| (row.position, row.id));
        children.into_iter().map(|row| row.id).collect()
    }

    fn parent(&self, row: &Placed) -> Option<TaskId> {
        row.parent.filter(|parent| self.index.contains_key(parent))
    }

    /// Whether rows that are no subtasks stand right below one.
    pub fn is_phase(&self, id: TaskId) -> bool {
        self.rows.iter().any(|row| row.placed.parent == Some(id) && !row.placed.is_subtask)
    }

    /// A row and everything below it.
    pub fn subtree(&self, root: TaskId) -> Vec<TaskId> {
        self.subtrees(&[root])
    }

    /// How many rows stand below each row that has any.
    pub fn sizes(&self) -> HashMap<TaskId, i64> {
        let mut sizes = HashMap::new();
        for row in &self.rows {
            let above = |id: &TaskId| self.get(*id).and_then(|row| self.parent(&row.placed));
            let ancestors = std::iter::successors(self.parent(&row.placed), above);
            // The bound keeps rows that contain each other from being counted for ever.
            ancestors.take(self.rows.len()).for_each(|id| *sizes.entry(id).or_default() += 1);
        }
        sizes
    }

    /// Rows and everything below them, each once.
    pub fn subtrees(&self, roots: &[TaskId]) -> Vec<TaskId> {
        let mut below: BTreeMap<TaskId, Vec<TaskId>> = BTreeMap::new();
        for row in &self.rows {
            if let Some(parent) = row.placed.parent {
                below.entry(parent).or_default().push(row.placed.id);
            }
        }
        let (mut found, mut seen, mut open) = (Vec::new(), HashSet::new(), roots.to_vec());
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                found.push(id);
                open.extend(below.remove(&id).unwrap_or_default());
            }
        }
        found
    }

    /// The numbers of all rows, in the order of [`Structure::ids`].
    pub fn numbers(&self) -> Vec<Place> {
        outline(&self.rows.iter().map(|row| row.placed).collect::<Vec<_>>())
    }

    /// The ids of all rows.
    pub fn ids(&self) -> impl Iterator<Item = TaskId> {
        self.rows.iter().map(|row| row.placed.id)
    }

    /// Each row with the row above it.
    pub fn parents(&self) -> Vec<(TaskId, Option<TaskId>)> {
        self.rows.iter().map(|row| (row.placed.id, self.parent(&row.placed))).collect()
    }

    fn arrange(&mut self, parent: Option<TaskId>, order: &[TaskId]) {
        for (position, id) in (1i64..).zip(order) {
            let row = &mut self.rows[self.index[id]].placed;
            row.parent = parent;
            row.position = position;
        }
    }

    /// Puts siblings into an order, which has to name each of them once.
    ///
    /// # Errors
    /// [`Obstacle::Stale`] when it does not.
    pub fn reorder(&mut self, parent: Option<TaskId>, order: &[TaskId]) -> Result<(), Obstacle> {
        let mut known = self.children(parent);
        let mut named = order.to_vec();
        known.sort_unstable();
        named.sort_unstable();
        if known != named {
            return Err(Obstacle::Stale);
        }
        self.arrange(parent, order);
        Ok(())
    }

    /// Puts a row below another, or at the top, as the last there; false when it is there already.
    ///
    /// # Errors
    /// What is in the way.
    pub fn reparent(&mut self, id: TaskId, parent: Option<TaskId>) -> Result<bool, Obstacle> {
        let row = *self.get(id).ok_or(Obstacle::Missing)?;
        if parent == Some(id) {
            return Err(Obstacle::Itself);
        }
        if let Some(parent) = parent {
            self.takes(parent, &row)?;
        }
        if !row.placed.has_place {
            return Err(Obstacle::NoPlace);
        }
        if parent.is_none() && row.placed.is_subtask {
            return Err(Obstacle::Subtask);
        }
        if self.parent(&row.placed) == parent {
            return Ok(false);
        }
        let mut order = self.children(parent);
        order.push(id);
        self.arrange(parent, &order);
        self.close_gap(self.parent(&row.placed));
        Ok(true)
    }

    fn takes(&self, parent: TaskId, row: &Row) -> Result<(), Obstacle> {
        let above = self.get(parent).ok_or(Obstacle::Missing)?;
        match () {
            () if !above.placed.has_place => Err(Obstacle::NoPlace),
            () if above.is_milestone => Err(Obstacle::Milestone),
            () if above.placed.is_subtask => Err(Obstacle::Subtask),
            () if self.subtree(row.placed.id).contains(&parent) => Err(Obstacle::Below),
            () if row.placed.is_subtask && self.is_phase(parent) => Err(Obstacle::Subtask),
            () if above.is_recurring && !row.placed.is_subtask => Err(Obstacle::Recurring),
            () => Ok(()),
        }
    }

    fn close_gap(&mut self, parent: Option<TaskId>) {
        let order = self.children(parent);
        self.arrange(parent, &order);
    }

    /// Puts a row below the sibling before it, as the last there.
    ///
    /// # Errors
    /// What is in the way.
    pub fn indent(&mut self, id: TaskId) -> Result<TaskId, Obstacle> {
        let row = *self.get(id).ok_or(Obstacle::Missing)?;
        let siblings = self.children(self.parent(&row.placed));
        let at = siblings.iter().position(|sibling| *sibling == id).ok_or(Obstacle::NoPlace)?;
        let before = at.checked_sub(1).map(|at| siblings[at]).ok_or(Obstacle::First)?;
        self.reparent(id, Some(before))?;
        Ok(before)
    }

    /// Puts a row right after the row above it; the siblings that followed it go below it.
    ///
    /// # Errors
    /// What is in the way.
    pub fn outdent(&mut self, id: TaskId) -> Result<Option<TaskId>, Obstacle> {
        let row = *self.get(id).ok_or(Obstacle::Missing)?;
        let parent = self.parent(&row.placed).ok_or(Obstacle::Top)?;
        if row.placed.is_subtask {
            return Err(Obstacle::Subtask);
        }
        let siblings = self.children(Some(parent));
        let at = siblings.iter().position(|sibling| *sibling == id).ok_or(Obstacle::NoPlace)?;
        let followers = &siblings[at + 1..];
        if row.is_milestone && !followers.is_empty() {
            return Err(Obstacle::Milestone);
        }
        let grandparent = self.get(parent).and_then(|row| self.parent(&row.placed));
        let mut above = self.children(grandparent);
        let after = above.iter().position(|sibling| *sibling == parent).ok_or(Obstacle::NoPlace)?;
        above.insert(after + 1, id);
        let mut below = self.children(Some(id));
        below.extend(followers);
        self.arrange(Some(parent), &siblings[..at]);
        self.arrange(Some(id), &below);
        self.arrange(grandparent, &above);
        Ok(grandparent)
    }

    /// The rows that stand elsewhere than in an earlier state of the same tree.
    pub fn moves_since(&self, earlier: &Structure) -> Vec<Move> {
        self.rows
            .iter()
            .zip(&earlier.rows)
            .filter(|(now, then)| {
                (now.placed.parent, now.placed.position) != (then.placed.parent, then.placed.position)
            })
            .map(|(now, then)| Move {
                id: now.placed.id,
                parent: now.placed.parent,
                position: now.placed.position,
                is_reparented: now.placed.parent != then.placed.parent,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn id(number: u128) -> TaskId {
        TaskId(Uuid::from_u128(number))
    }

    fn tree(rows: &[(u128, Option<u128>, i64)]) -> Structure {
        let row = |(number, parent, position): &(u128, Option<u128>, i64)| Row {
            placed: Placed {
                id: id(*number),
                parent: parent.map(id),
                position: *position,
                has_place: true,
                is_subtask: false,
            },
            is_milestone: false,
            is_recurring: false,
        };
        Structure::of(rows.iter().map(row).collect())
    }

    fn drawn(tree: &Structure) -> Vec<String> {
        let mut lines: Vec<(String, String)> = tree
            .ids()
            .zip(tree.numbers())
            .map(|(id, place)| {
                let line = format!("{} {}", place.number.clone().unwrap_or_default(), id.0.as_u128());
                (place.order.unwrap_or_default(), line)
            })
            .collect();
        lines.sort();
        lines.into_iter().map(|(_, line)| line).collect()
    }

    #[test]
    fn outdenting_takes_the_followers_along() {
        let mut tree = tree(&[(1, None, 1), (2, Some(1), 1), (3, Some(1), 2), (4, Some(1), 3), (5, None, 2)]);
        assert_eq!(tree.outdent(id(3)), Ok(None));
        assert_eq!(drawn(&tree), ["1 1", "1.1 2", "2 3", "2.1 4", "3 5"]);
        assert_eq!(tree.outdent(id(3)), Err(Obstacle::Top));
    }

    #[test]
    fn no_row_gets_below_itself() {
        let mut tree = tree(&[(1, None, 1), (2, Some(1), 1), (3, Some(2), 1)]);
        assert_eq!(tree.reparent(id(1), Some(id(1))), Err(Obstacle::Itself));
        assert_eq!(tree.reparent(id(1), Some(id(3))), Err(Obstacle::Below));
        assert_eq!(tree.indent(id(1)), Err(Obstacle::First));
        assert_eq!(tree.reorder(None, &[id(1), id(2)]), Err(Obstacle::Stale));
    }

    proptest! {
        #[test]
        fn whatever_is_moved_every_row_keeps_exactly_one_number(
            ops in prop::collection::vec((0u8..3, 1u128..12, 0u128..12), 1..60),
        ) {
            let rows: Vec<(u128, Option<u128>, i64)> = (1..12).map(|n| (n, None, n as i64)).collect();
            let mut tree = tree(&rows);
            for (op, row, other) in ops {
                let parent = (other > 0).then(|| id(other));
                let _ = match op {
                    0 => tree.indent(id(row)).is_ok(),
                    1 => tree.outdent(id(row)).is_ok(),
                    _ => tree.reparent(id(row), parent).is_ok(),
                };
                let mut numbers: Vec<String> =
                    tree.numbers().into_iter().filter_map(|place| place.number).collect();
                numbers.sort();
                numbers.dedup();
                prop_assert_eq!(numbers.len(), 11);
            }
        }
    }
}
