//! The formats of files as `planwright convert` and `planwright import` know them: which one a file has, how it is read
//! into a document, and how a document becomes a file of another one.

use std::collections::HashMap;
use std::path::Path;

use chrono::NaiveDate;

use super::assembly::shortened;
use super::table::{self, TableOptions};
use super::{Computed, Losses, PlanFile, Unreadable, WrittenFile, jira, mspdi, xer, xml};
use crate::json::Format as JsonFormat;
use crate::seed::model::{Project, Task};
use crate::seed::{self, Document, TaskReference, render, seed_of_simple};

/// A format of plan files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// A seed document, or a plan in the simple format when it is read.
    Json,
    /// The XML of Microsoft Project.
    Mspdi,
    /// Primavera.
    Xer,
    /// The XML of Jira. It is only read.
    Jira,
    /// A table as CSV.
    Csv,
    /// A table as a workbook.
    Xlsx,
}

impl FileFormat {
    /// All of them, with the ends of the names of their files.
    const BY_NAME: [(&str, Self); 5] = [
        ("json", Self::Json),
        ("xml", Self::Mspdi),
        ("xer", Self::Xer),
        ("csv", Self::Csv),
        ("xlsx", Self::Xlsx),
    ];

    /// The format that the name of a file to be written asks for.
    pub fn of_name(path: &Path) -> Option<Self> {
        let end = path.extension()?.to_str()?.to_lowercase();
        Self::BY_NAME.iter().find(|(known, _)| *known == end).map(|(_, format)| *format)
    }

    /// The format of a file that is there. What is in it decides; its name only tells a table from other texts.
    pub fn of_content(path: &Path, bytes: &[u8]) -> Option<Self> {
        let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        match () {
            () if start.starts_with(b"ERMHDR") => Some(Self::Xer),
            // A binary file of Microsoft Project is refused with a word on how to get the other form.
            () if start.starts_with(&[0xd0, 0xcf, 0x11, 0xe0]) => Some(Self::Mspdi),
            () if start.starts_with(b"PK") => Some(Self::Xlsx),
            () if start.starts_with(b"{") => Some(Self::Json),
            () => match xml::outermost(bytes).as_deref() {
                Some("rss") => Some(Self::Jira),
                Some(_) => Some(Self::Mspdi),
                None if start.starts_with(b"<") => Some(Self::Mspdi),
                None => Self::of_name(path).filter(|format| *format == Self::Csv),
            },
        }
    }

    /// Reads a file of this format. `stem` names a plan that says no name of its own.
    ///
    /// # Errors
    /// When it is no such file; every format says why.
    pub fn read(self, bytes: &[u8], stem: &str, today: NaiveDate) -> Result<PlanFile, Unreadable> {
        let mut plan = self.read_all(bytes, stem, today)?;
        name_cut_links(&mut plan);
        Ok(plan)
    }

    fn read_all(self, bytes: &[u8], stem: &str, today: NaiveDate) -> Result<PlanFile, Unreadable> {
        match self {
            Self::Json => document(bytes, stem, today),
            Self::Mspdi => mspdi::read(bytes, today),
            Self::Xer => xer::read(bytes, today),
            Self::Jira => jira::read(bytes, today),
            Self::Csv | Self::Xlsx => {
                let options = TableOptions { name: stem.to_owned(), ..TableOptions::default() };
                let read = table::read(bytes, &options, today)?;
                let mut plan = read.plan;
                for problem in read.problems {
                    plan.losses.note(problem.field, &problem.message, format!("line {}", problem.row));
                }
                Ok(plan)
            }
        }
    }

    /// Whether a document can become a file of this format.
    pub fn is_written(self) -> bool {
        self != Self::Jira
    }

    /// A document as a file of this format.
    ///
    /// # Errors
    /// When this format is only read.
    pub fn write(self, document: &Document, computed: &Computed) -> Result<WrittenFile, Unreadable> {
        match self {
            Self::Json => {
                Ok(WrittenFile { content: render(document).into_bytes(), losses: Losses::default() })
            }
            Self::Mspdi => {
                mspdi::write(document, computed).map_err(|error| Unreadable::because(error.to_string()))
            }
            Self::Xer => Ok(xer::write(document, computed)),
            Self::Csv => Ok(table::write(document, computed)),
            Self::Jira => Err(Unreadable::because("Files of Jira are only read.")),
            Self::Xlsx => table::workbook(document, computed),
        }
    }
}

fn document(bytes: &[u8], stem: &str, today: NaiveDate) -> Result<PlanFile, Unreadable> {
    let unreadable = |error: &dyn std::fmt::Display| Unreadable::because(error.to_string());
    let text =
        std::str::from_utf8(bytes).map_err(|_| Unreadable::because("The file must be text in UTF-8."))?;
    let simple = match JsonFormat::of(bytes) {
        JsonFormat::Simple => {
            Some(seed_of_simple(text, stem).map_err(|error| unreadable(&error))?.to_string())
        }
        _ => None,
    };
    let text = simple.as_deref().unwrap_or(text);
    let document = seed::parse_with_cycles(text.as_bytes(), today).map_err(|error| unreadable(&error))?;
    Ok(PlanFile { document, losses: Losses::default(), dates: Default::default() })
}

/// Takes the links of cycles out of a plan and names them.
pub fn name_cut_links(plan: &mut PlanFile) {
    let cut = seed::cut_cycles(&mut plan.document);
    if cut.is_empty() {
        return;
    }
    let of_project = |project: &Project| {
        let of_task =
            |task: &Task| ((project.slug.clone(), task.wbs_path.clone()), shortened(&task.name, 60));
        project.tasks.iter().map(of_task).collect::<Vec<_>>()
    };
    let names: HashMap<_, _> = plan.document.projects.iter().flat_map(of_project).collect();
    let row = |end: &TaskReference| {
        let name = names.get(&(end.project.clone(), end.wbs_path.clone()));
        format!("{} {}", end.wbs_path, name.map_or("", String::as_str))
    };
    for link in cut {
        let rows = format!("{} → {}", row(&link.predecessor), row(&link.successor));
        plan.losses.note("predecessors", "A link that is part of a cycle is left out.", rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_a_file_says_its_format_and_its_name_only_the_rest() {
        let of = |name: &str, text: &str| FileFormat::of_content(Path::new(name), text.as_bytes());
        assert_eq!(of("plan", "ERMHDR\t1"), Some(FileFormat::Xer));
        assert_eq!(of("plan.txt", "<?xml version=\"1.0\"?><Project/>"), Some(FileFormat::Mspdi));
        assert_eq!(of("plan.xml", "<rss version=\"0.92\">"), Some(FileFormat::Jira));
        assert_eq!(of("plan.xml", " {}"), Some(FileFormat::Json));
        assert_eq!(of("plan.CSV", "Name\nDig"), Some(FileFormat::Csv));
        assert_eq!(of("plan.txt", "Name\nDig"), None);
        assert_eq!(FileFormat::of_name(Path::new("out.xer")), Some(FileFormat::Xer));
    }
}
