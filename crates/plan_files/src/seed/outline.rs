//! The tree that outline paths describe. A path whose parent path is missing hangs on its nearest ancestor that
//! exists, or stands at the top: `1.2.1` without a row `1.2` belongs to `1`.

use std::cmp::Ordering;
use std::collections::HashMap;

/// The path one level up; `None` at the top.
pub(crate) fn parent_path(path: &str) -> Option<&str> {
    path.rsplit_once('.').map(|(parent, _)| parent)
}

/// Orders paths as people read them: part by part, numbers by value, so `1.2` comes before `1.10`.
pub fn compare_paths(left: &str, right: &str) -> Ordering {
    let key = |part: &str| {
        let digits = part.trim_start_matches('0');
        let is_number = part.bytes().all(|b| b.is_ascii_digit());
        (!is_number, if is_number { digits.len() } else { 0 })
    };
    let mut pairs = left.split('.').zip(right.split('.'));
    pairs
        .find_map(|(l, r)| {
            let order = key(l).cmp(&key(r)).then_with(|| {
                let (l, r) = (l.trim_start_matches('0'), r.trim_start_matches('0'));
                l.cmp(r)
            });
            let order = order.then_with(|| l.cmp(r));
            (order != Ordering::Equal).then_some(order)
        })
        .unwrap_or_else(|| left.len().cmp(&right.len()))
}

/// Parents and children of the rows of one project, by index into its task list.
#[derive(Debug)]
pub struct Outline {
    parents: Vec<Option<usize>>,
    has_children: Vec<bool>,
}

impl Outline {
    /// The outline of these paths, each of which is unique.
    pub fn of<'p>(paths: impl Iterator<Item = &'p str> + Clone) -> Self {
        let places: HashMap<&str, usize> =
            paths.clone().enumerate().map(|(index, path)| (path, index)).collect();
        let nearest = |path: &'p str| {
            std::iter::successors(parent_path(path), |path| parent_path(path))
                .find_map(|ancestor| places.get(ancestor).copied())
        };
        let parents: Vec<Option<usize>> = paths.map(nearest).collect();
        let mut has_children = vec![false; parents.len()];
        for parent in parents.iter().flatten() {
            has_children[*parent] = true;
        }
        Self { parents, has_children }
    }

    /// The row that `index` hangs on.
    pub fn parent(&self, index: usize) -> Option<usize> {
        self.parents[index]
    }

    /// Whether other rows hang on `index`.
    pub fn has_children(&self, index: usize) -> bool {
        self.has_children[index]
    }

    /// How many rows `index` hangs below.
    pub fn depth(&self, index: usize) -> usize {
        std::iter::successors(self.parents[index], |parent| self.parents[*parent]).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_ordered_by_number_and_words_come_last() {
        let mut paths = vec!["1.10", "2", "1.2", "1", "a", "10", "1.2.1", "02"];
        paths.sort_by(|l, r| compare_paths(l, r));
        assert_eq!(paths, ["1", "1.2", "1.2.1", "1.10", "02", "2", "10", "a"]);
    }

    #[test]
    fn a_row_without_its_parent_hangs_on_the_nearest_ancestor() {
        let outline = Outline::of(["1", "1.2.1", "3.1", "1.2.1.1"].into_iter());
        assert_eq!([0, 1, 2, 3].map(|index| outline.parent(index)), [None, Some(0), None, Some(1)]);
        assert_eq!([0, 1, 2, 3].map(|index| outline.has_children(index)), [true, true, false, false]);
        assert_eq!(outline.depth(3), 2);
    }
}
