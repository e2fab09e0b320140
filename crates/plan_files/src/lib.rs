//! Plans in files: seed documents, and the files of other programs, which are read into the parts of a seed document and
//! written from them. Nothing here stores or schedules anything; what a file says and a plan cannot hold is listed as a loss.

mod assembly;
mod assigned;
mod cleaning;
mod format;
mod instants;
pub mod jira;
pub mod json;
pub mod losses;
pub mod mspdi;
mod progress;
pub mod seed;
pub mod table;
mod text;
mod unread;
pub mod unwritten;
pub mod xer;
mod xml;

use std::collections::HashMap;

use chrono::NaiveDate;

use crate::seed::Document;

pub use format::{FileFormat, name_cut_links};
pub use losses::{Loss, Losses};

/// A plan that was read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanFile {
    /// One program with one project.
    pub document: Document,
    /// What is not in the document.
    pub losses: Losses,
    /// The dates that the file has for its tasks, by outline path: start and finish.
    pub dates: HashMap<String, (Option<NaiveDate>, Option<NaiveDate>)>,
}

impl PlanFile {
    /// How many rows it has.
    pub fn task_count(&self) -> usize {
        self.document.projects.iter().map(|project| project.tasks.len()).sum()
    }
}

/// The dates that were computed for the tasks of a plan, by outline path: start and finish.
pub type Computed = HashMap<String, (NaiveDate, NaiveDate)>;

/// A file that was made of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenFile {
    /// What is in it.
    pub content: Vec<u8>,
    /// What the plan says and the file cannot.
    pub losses: Losses,
}

/// Why a file is no plan that can be read. The text is for people and names the place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

impl Unreadable {
    fn because(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}
