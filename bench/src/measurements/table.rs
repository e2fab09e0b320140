//! A table of results as markdown.

use std::fmt::Write;

use super::Measure;

/// Rows under a head of the same length.
pub(crate) struct Table {
    head: &'static [&'static str],
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub(crate) fn new(head: &'static [&'static str]) -> Self {
        Self { head, rows: Vec::new() }
    }

    /// Adds a row at the end.
    pub(crate) fn add(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Whether nothing was measured.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as text; every line ends in a line break.
    pub(crate) fn markdown(&self) -> String {
        let mut text = format!("| {} |\n|{}\n", self.head.join(" | "), "---|".repeat(self.head.len()));
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|cell| escaped(cell)).collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        text
    }
}

impl From<Vec<Measure>> for Table {
    fn from(measures: Vec<Measure>) -> Self {
        let mut table = Self::new(&["measure", "result"]);
        for Measure { name, result } in measures {
            table.add([name, result]);
        }
        table
    }
}

/// Keeps a cell in its place, whatever an error message holds.
fn escaped(cell: &str) -> String {
    cell.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_cannot_break_its_row() {
        let mut table = Table::new(&["a", "b"]);
        table.add(["one".to_owned(), "x|y\nz".to_owned()]);
        assert_eq!(table.markdown(), "| a | b |\n|---|---|\n| one | x\\|y z |\n");
    }
}
