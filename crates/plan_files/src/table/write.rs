//! A plan as a table with the columns of the template, so that it can be read again, and such a table as CSV.
//! In CSV, a text that a spreadsheet would take for a formula is written with an apostrophe before it.

use std::borrow::Cow;
use std::collections::HashMap;

use chrono::NaiveDate;
use planwright_domain::words::{DependencyType, Word};

use super::cells::is_formula;
use super::columns::{COMPUTED, Field};
use crate::seed::model::{Document, Task};
use crate::seed::outline::compare_paths;
use crate::unwritten::{self, Part};
use crate::{Computed, Losses, WrittenFile};

/// The rows of the template below its head: a phase, two tasks and a milestone.
const EXAMPLE: [[&str; 12]; 4] = [
    ["1", "1", "Ground works", "", "", "", "", "", "", "no", "", ""],
    [
        "2",
        "1.1",
        "Clear the ground",
        "3",
        "2026-01-05",
        "",
        "0",
        "Garden crew",
        "",
        "no",
        "Mind the old oak.",
        "outdoors",
    ],
    [
        "3",
        "1.2",
        "Lay the paths",
        "4",
        "",
        "",
        "0",
        "Garden crew[50%]",
        "2FS+1d",
        "no",
        "",
        "outdoors, paving",
    ],
    ["4", "2", "Ground ready", "0", "", "", "", "", "3", "yes", "", ""],
];

/// The template: its head and a few rows to write over.
pub fn template() -> Vec<u8> {
    let rows = EXAMPLE.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect());
    with_head(rows)
}

/// The first project of a document as a table. The dates that were computed stand in columns of their own, which a reader
/// compares and does not plan with.
pub fn write(document: &Document, computed: &Computed) -> WrittenFile {
    let mut losses = Losses::default();
    unwritten::note(document, &[Part::Labels], &mut losses);
    let rows = rows(document, computed).into_iter().map(|row| row.into_iter().map(Cell::into_text).collect());
    WrittenFile { content: lines(std::iter::once(head()).chain(rows)), losses }
}

/// A cell of a table that is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    Blank,
    Text(String),
    Number(f64),
    /// 0 to 100.
    Percent(f64),
    Date(NaiveDate),
}

impl Cell {
    fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        if text.is_empty() { Self::Blank } else { Self::Text(text) }
    }

    fn day(day: Option<NaiveDate>) -> Self {
        day.map_or(Self::Blank, Self::Date)
    }

    pub(super) fn into_text(self) -> String {
        match self {
            Self::Blank => String::new(),
            Self::Text(text) => text,
            Self::Number(number) | Self::Percent(number) => number.to_string(),
            Self::Date(day) => day.to_string(),
        }
    }
}

/// What stands above the columns.
pub(super) fn head() -> Vec<String> {
    Field::written().map(Field::name).chain(COMPUTED).map(str::to_owned).collect()
}

/// A name as one of several in a cell: between quotation marks if it has a sign that parts names or begins a share.
fn marked(name: &str) -> Cow<'_, str> {
    match name.contains([',', ';', '[', ']', '"']) {
        true => Cow::Owned(format!("\"{}\"", name.replace('"', "\"\""))),
        false => Cow::Borrowed(name),
    }
}

/// The rows of the first project of a document, below the head.
pub(super) fn rows(document: &Document, computed: &Computed) -> Vec<Vec<Cell>> {
    let Some(project) = document.projects.first() else { return Vec::new() };
    let mut tasks: Vec<&Task> = project.tasks.iter().collect();
    tasks.sort_by(|left, right| compare_paths(&left.wbs_path, &right.wbs_path));
    let numbers: HashMap<&str, usize> =
        tasks.iter().enumerate().map(|(at, task)| (task.wbs_path.as_str(), at + 1)).collect();
    let mut predecessors: HashMap<&str, Vec<String>> = HashMap::new();
    for link in &project.dependencies {
        let is_here = link.predecessor.project == project.slug && link.successor.project == project.slug;
        if let (true, Some(number)) = (is_here, numbers.get(link.predecessor.wbs_path.as_str())) {
            let written = predecessor(*number, link.kind, link.lag);
            predecessors.entry(&link.successor.wbs_path).or_default().push(written);
        }
    }
    let resources: HashMap<&str, &str> =
        document.resources.iter().map(|one| (one.slug.as_str(), one.name.as_str())).collect();
    let labels: HashMap<&str, &str> =
        project.labels.iter().map(|one| (one.slug.as_str(), one.name.as_str())).collect();
    let rows = tasks.iter().enumerate().map(|(at, task)| {
        let dates = computed.get(&task.wbs_path);
        let assigned = task.assignments.iter().filter_map(|one| {
            let name = resources.get(one.resource.as_str())?;
            let name = marked(name);
            Some(match one.units {
                1.0 => name.into_owned(),
                units => format!("{name}[{}%]", (units * 100.0).round()),
            })
        });
        vec![
            Cell::Number((at + 1) as f64),
            Cell::text(&task.wbs_path),
            Cell::text(&task.name),
            Cell::Number(task.duration.into()),
            Cell::day(task.planned_start),
            Cell::Blank,
            Cell::Percent(task.percent_done()),
            Cell::text(assigned.collect::<Vec<_>>().join(", ")),
            Cell::text(predecessors.remove(task.wbs_path.as_str()).unwrap_or_default().join(", ")),
            Cell::text(if task.is_milestone { "yes" } else { "no" }),
            Cell::text(&task.notes),
            Cell::text(
                task.labels
                    .iter()
                    .filter_map(|slug| labels.get(slug.as_str()).copied())
                    .collect::<Vec<_>>()
                    .join(", "),
            ),
            Cell::day(dates.map(|(start, _)| *start)),
            Cell::day(dates.map(|(_, finish)| *finish)),
        ]
    });
    rows.collect()
}

fn predecessor(number: usize, kind: DependencyType, lag: i32) -> String {
    match (kind, lag) {
        (DependencyType::FinishToStart, 0) => number.to_string(),
        (kind, 0) => format!("{number}{}", kind.as_str()),
        (kind, lag) => format!("{number}{}{lag:+}d", kind.as_str()),
    }
}

fn with_head(rows: impl Iterator<Item = Vec<String>>) -> Vec<u8> {
    let head = Field::written().map(|field| field.name().to_owned()).collect();
    lines(std::iter::once(head).chain(rows))
}

/// Rows as CSV, each cell harmless to spreadsheets.
pub fn lines(rows: impl Iterator<Item = Vec<String>>) -> Vec<u8> {
    let mut out = String::new();
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| quoted(&harmless(cell))).collect();
        out.push_str(&cells.join(","));
        out.push_str("\r\n");
    }
    out.into_bytes()
}

/// A cell that no spreadsheet takes for a formula.
fn harmless(cell: &str) -> String {
    match is_formula(cell.trim_start_matches('\'')) {
        true => format!("'{cell}"),
        false => cell.to_owned(),
    }
}

fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r', ';']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{TableOptions, read};

    #[test]
    fn the_template_is_read_without_a_problem_and_written_again_as_it_was() {
        let today = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap();
        let first = read(&template(), &TableOptions::default(), today).unwrap();
        assert_eq!((first.rows, first.parked, first.problems.len()), (4, 0, 0));
        assert!(first.plan.losses.0.is_empty());
        let text = write(&first.plan.document, &Computed::new()).content;
        let again = read(&text, &TableOptions::default(), today).unwrap();
        let mut expected = first.plan.document.clone();
        expected.projects[0].start_date = again.plan.document.projects[0].start_date;
        assert_eq!(again.plan.document, expected);
    }

    #[test]
    fn computed_dates_come_back_as_dates_of_the_file_and_plan_nothing() {
        let day = |day| NaiveDate::from_ymd_opt(2026, 1, day).unwrap();
        let first = read(b"Name\nDig\n", &TableOptions::default(), day(5)).unwrap().plan.document;
        let computed = Computed::from([("1".to_owned(), (day(5), day(6)))]);
        let again = read(&write(&first, &computed).content, &TableOptions::default(), day(5)).unwrap();
        assert_eq!(again.plan.document.projects[0].tasks[0].planned_start, None);
        assert_eq!(again.plan.dates["1"], (Some(day(5)), Some(day(6))));
        assert!(again.plan.losses.0.is_empty(), "{:?}", again.plan.losses);
    }

    #[test]
    fn a_text_that_looks_like_a_formula_is_made_harmless() {
        assert_eq!(harmless("=1+1"), "'=1+1");
        assert_eq!(harmless("@cmd"), "'@cmd");
        assert_eq!(harmless("-5"), "-5");
        assert_eq!(quoted("a \"b\", c"), "\"a \"\"b\"\", c\"");
    }
}
