//! The rows of a project in the order in which people read them: branches of its breakdown with the activities in them.
//! A branch that leads back to itself is cut, and one without activities is not a row.

use std::collections::{HashMap, HashSet};

use super::tables::Row;
use crate::seed::outline::compare_paths;

/// A row of the outline.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry<'a, 't> {
    /// A branch.
    Branch(Row<'a, 't>),
    /// An activity.
    Activity(Row<'a, 't>),
}

/// The outline of a project, with the level of each row from 1, and the branches that hold nothing.
#[derive(Debug, Default)]
pub(super) struct Outline<'a, 't> {
    pub(super) rows: Vec<(usize, Entry<'a, 't>)>,
    pub(super) empty: Vec<Row<'a, 't>>,
    /// Branches with activities that lead back to themselves.
    pub(super) cut: Vec<Row<'a, 't>>,
    /// The branch that is the project itself.
    pub(super) root: Option<Row<'a, 't>>,
}

struct Branches<'a, 't> {
    below: HashMap<&'t str, Vec<Row<'a, 't>>>,
    activities: HashMap<&'t str, Vec<Row<'a, 't>>>,
    has_work: HashSet<&'t str>,
    by_place: bool,
}

impl<'a, 't> Outline<'a, 't> {
    /// The outline of these branches and activities.
    pub(super) fn of(branches: &[Row<'a, 't>], activities: &[Row<'a, 't>]) -> Self {
        let known: HashMap<&str, Row<'a, 't>> =
            branches.iter().filter_map(|row| Some((row.text("wbs_id")?, *row))).collect();
        let root = branches.iter().find(|row| row.is("proj_node_flag", "Y")).copied();
        let root_id = root.and_then(|row| row.text("wbs_id")).unwrap_or_default();
        let parent = |row: Row<'a, 't>| row.text("parent_wbs_id").filter(|id| known.contains_key(id));
        let mut found = Branches {
            below: HashMap::new(),
            activities: HashMap::new(),
            has_work: HashSet::new(),
            by_place: stand_by_place(activities),
        };
        for row in branches.iter().filter(|row| row.text("wbs_id") != Some(root_id)) {
            found.below.entry(parent(*row).unwrap_or(root_id)).or_default().push(*row);
        }
        for row in activities {
            let branch = row.text("wbs_id").filter(|id| known.contains_key(id)).unwrap_or(root_id);
            found.activities.entry(branch).or_default().push(*row);
            let mut above = Some(branch);
            while let Some(id) = above.filter(|id| found.has_work.insert(id)) {
                above = known.get(id).and_then(|row| parent(*row));
            }
        }
        let mut outline = Self { root, ..Self::default() };
        outline.walk(&found, root_id);
        outline.add_what_was_cut(&found, branches, activities);
        outline.empty = branches.iter().filter(|row| !found.holds_work(**row)).copied().collect();
        outline
    }

    fn walk(&mut self, found: &Branches<'a, 't>, root: &'t str) {
        let mut open: Vec<(usize, Entry<'a, 't>)> = found.inside(root, 1);
        while let Some((level, entry)) = open.pop() {
            self.rows.push((level, entry));
            if let Entry::Branch(row) = entry
                && let Some(id) = row.text("wbs_id")
            {
                open.extend(found.inside(id, level + 1));
            }
        }
    }

    /// Branches that lead back to themselves are not below the root. Their activities stand at the top.
    fn add_what_was_cut(&mut self, found: &Branches<'a, 't>, branches: &[Row<'a, 't>], all: &[Row<'a, 't>]) {
        let there = self.rows.iter().filter(|(_, entry)| matches!(entry, Entry::Activity(_))).count();
        if there == all.len() {
            return;
        }
        let reached: HashSet<&str> = self
            .rows
            .iter()
            .filter_map(|(_, entry)| match entry {
                Entry::Branch(row) => row.text("wbs_id"),
                Entry::Activity(_) => None,
            })
            .collect();
        let root = self.root.and_then(|row| row.text("wbs_id"));
        for branch in branches {
            let Some(id) = branch.text("wbs_id").filter(|id| !reached.contains(id) && Some(*id) != root)
            else {
                continue;
            };
            if found.holds_work(*branch) {
                self.cut.push(*branch);
            }
            let rows = found.activities.get(id).into_iter().flatten();
            self.rows.extend(rows.map(|row| (1, Entry::Activity(*row))));
        }
    }
}

/// What decides the order in a branch: the place, whether it is a branch, the place among branches, and the code.
type Order<'a> = (u64, bool, u64, &'a str);

impl<'a, 't> Branches<'a, 't> {
    fn holds_work(&self, row: Row<'a, 't>) -> bool {
        row.text("wbs_id").is_some_and(|id| self.has_work.contains(id))
    }

    /// What stands in a branch, the last first: its activities, then its branches; or all by their places if they have any.
    fn inside(&self, id: &str, level: usize) -> Vec<(usize, Entry<'a, 't>)> {
        let mut rows: Vec<(Order<'_>, Entry<'a, 't>)> = Vec::new();
        for row in self.activities.get(id).into_iter().flatten() {
            let code = row.text("task_code").unwrap_or_default();
            rows.push((
                (if self.by_place { last_number(code) } else { 0 }, false, 0, code),
                Entry::Activity(*row),
            ));
        }
        for row in self.below.get(id).into_iter().flatten().filter(|row| self.holds_work(**row)) {
            let place = row.number("seq_num").unwrap_or(0.0).max(0.0) as u64;
            let name = row.text("wbs_short_name").unwrap_or_default();
            rows.push(((if self.by_place { place } else { 1 }, true, place, name), Entry::Branch(*row)));
        }
        rows.sort_by(|(left, _), (right, _)| {
            let by_place = (left.0, left.1, left.2).cmp(&(right.0, right.1, right.2));
            by_place.then_with(|| compare_paths(left.3, right.3)).reverse()
        });
        rows.into_iter().map(|(_, entry)| (level, entry)).collect()
    }
}

/// Whether the ids of all activities are outline paths, as in a file of ours.
pub(super) fn stand_by_place(activities: &[Row<'_, '_>]) -> bool {
    let is_path = |code: &str| {
        code.split('.')
            .all(|part| !part.is_empty() && part.len() <= 6 && part.bytes().all(|b| b.is_ascii_digit()))
    };
    let mut seen = HashSet::new();
    activities.iter().all(|row| row.text("task_code").is_some_and(|code| is_path(code) && seen.insert(code)))
        && activities
            .iter()
            .any(|row| row.text("task_code").is_some_and(|code| code.contains('.') || code == "1"))
}

fn last_number(code: &str) -> u64 {
    code.rsplit('.').next().and_then(|part| part.parse().ok()).unwrap_or(0)
}
