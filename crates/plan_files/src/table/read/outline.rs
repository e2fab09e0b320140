//! The outline of a table: rows by their outline numbers, or by their levels where no row has a number.
//! Rows that do not fit stand in a branch at the end.

use std::collections::{HashMap, HashSet};

use super::{Field, FoundRow, REVIEW, Reading, Task};
use crate::seed::outline::{compare_paths, parent_path};
use crate::seed::scalars;

/// The deepest level that is read.
const DEEPEST: usize = 255;

impl Reading {
    /// The rows in the order of the outline with their levels, where each stood in the file, and how many are parked in the
    /// branch at the end.
    pub(super) fn outline(&mut self) -> (Vec<FoundRow>, Vec<usize>, usize) {
        match self.rows.iter().any(|row| !row.wbs.is_empty()) {
            true => self.by_numbers(),
            false => self.by_levels(),
        }
    }

    fn by_numbers(&mut self) -> (Vec<FoundRow>, Vec<usize>, usize) {
        self.doubt_numbers();
        // A row with a doubt leaves its place; rows below it are then below nothing and follow it.
        let mut fits: Vec<usize> = Vec::new();
        let (mut in_order, mut parked): (Vec<usize>, Vec<usize>) =
            (0..self.rows.len()).partition(|at| self.rows[*at].doubts.is_empty());
        let key = |at: &usize| self.rows[*at].wbs.clone();
        in_order.sort_by(|left, right| {
            let (left, right) = (key(left), key(right));
            left.is_empty().cmp(&right.is_empty()).then_with(|| compare_paths(&left, &right))
        });
        let mut there: HashMap<String, usize> = HashMap::new();
        for at in in_order {
            let wbs = self.rows[at].wbs.clone();
            let above = parent_path(&wbs).map(|path| there.get(path).copied());
            match above {
                Some(None) => {
                    self.doubt_at(at, Field::Wbs, format!("No row stands above \"{wbs}\"."));
                    parked.push(at);
                    continue;
                }
                Some(Some(level)) => self.rows[at].found.level = level + 1,
                None => self.rows[at].found.level = 1,
            }
            self.note_other_level(at);
            there.insert(wbs, self.rows[at].found.level);
            fits.push(at);
        }
        parked.sort_unstable();
        self.arranged(fits, parked)
    }

    /// Doubts what is no outline number, and numbers that an earlier row has.
    fn doubt_numbers(&mut self) {
        let mut taken: HashSet<String> = HashSet::new();
        for at in 0..self.rows.len() {
            let wbs = self.rows[at].wbs.clone();
            if wbs.is_empty() {
                continue;
            }
            if !scalars::is_wbs_path(&wbs) {
                self.doubt_at(at, Field::Wbs, format!("\"{wbs}\" is not an outline number."));
            } else if taken.contains(&wbs) {
                self.doubt_at(at, Field::Wbs, format!("\"{wbs}\" is taken by an earlier row."));
            } else {
                taken.insert(wbs);
            }
        }
    }

    /// The rows as they stand in the file. Without a column of levels all stand at the top.
    fn by_levels(&mut self) -> (Vec<FoundRow>, Vec<usize>, usize) {
        let levels = self.levels();
        let (mut fits, mut parked) = (Vec::new(), Vec::new());
        // The level of the row above that is parked: what stands below it has no place.
        let mut hidden: Option<usize> = None;
        for (at, level) in levels.into_iter().enumerate() {
            let is_below = hidden.is_some_and(|above| level > above);
            if is_below && self.rows[at].doubts.is_empty() {
                let message = "The row that it stands below is to be reviewed.";
                self.doubt_at(at, Field::OutlineLevel, message.to_owned());
            }
            if self.rows[at].doubts.is_empty() {
                hidden = None;
                self.rows[at].found.level = level;
                fits.push(at);
            } else {
                hidden = if is_below { hidden } else { Some(level) };
                parked.push(at);
            }
        }
        self.arranged(fits, parked)
    }

    /// The level of each row, from 1. Some programs count from 0. A row without one stands at the top, and one whose level cannot
    /// be read beside the row before it.
    fn levels(&mut self) -> Vec<usize> {
        let level = |text: &str| text.parse().ok().filter(|level: &usize| *level <= DEEPEST);
        let first = usize::from(self.rows.iter().any(|row| level(&row.level) == Some(0)));
        let mut levels: Vec<usize> = Vec::with_capacity(self.rows.len());
        for at in 0..self.rows.len() {
            let text = self.rows[at].level.clone();
            let read = level(&text).map(|level| level + first);
            if read.is_none() && !text.is_empty() {
                let message = format!("\"{text}\" is not a level of the outline.");
                self.doubt_at(at, Field::OutlineLevel, message);
            }
            let otherwise = if text.is_empty() { 1 } else { levels.last().copied().unwrap_or(1) };
            levels.push(read.unwrap_or(otherwise));
        }
        levels
    }

    /// Notes a level that is not that of the outline number, counted from 1 or from 0.
    fn note_other_level(&mut self, at: usize) {
        let row = &self.rows[at];
        let depth = row.found.level.to_string();
        let less = (row.found.level - 1).to_string();
        if !row.level.is_empty() && row.level != depth && row.level != less {
            let reason = "A level that is not that of the outline number is not imported.";
            self.losses.note("outline_level", reason, &*row.found.mark);
        }
    }

    fn arranged(&mut self, fits: Vec<usize>, parked: Vec<usize>) -> (Vec<FoundRow>, Vec<usize>, usize) {
        let mut rows: Vec<FoundRow> = fits.iter().map(|at| self.rows[*at].found.clone()).collect();
        let mut order = fits;
        if !parked.is_empty() {
            let branch = Task { name: REVIEW.to_owned(), ..Task::default() };
            rows.push(FoundRow { mark: REVIEW.to_owned(), level: 1, task: branch, ..FoundRow::default() });
            // The branch stands nowhere in the file.
            order.push(usize::MAX);
        }
        for at in &parked {
            let row = &self.rows[*at];
            let mut found = FoundRow { level: 2, ..row.found.clone() };
            let doubts = row.doubts.join("\n");
            let notes = found.task.notes.trim().to_owned();
            found.task.notes =
                format!("Line {} of the file:\n{doubts}\n\n{notes}", row.line).trim().to_owned();
            rows.push(found);
            order.push(*at);
        }
        (rows, order, parked.len())
    }
}
