//! Seed documents: a whole program as one JSON text, to import, export, ship as a sample or schedule without a database.
//! This module reads, checks and writes them; it stores nothing.

mod ceiling;
mod check;
mod cursor;
mod engine_calendar;
mod json;
pub mod model;
mod of_simple;
pub mod outline;
mod problems;
mod read;
pub mod references;
mod render;
pub mod scalars;
mod slugs;
pub(crate) mod workweek;

use chrono::NaiveDate;
use serde_json::Value;

pub use self::ceiling::Ceiling;
pub use self::engine_calendar::{engine_calendar, engine_day};
pub use self::model::Document;
pub use self::of_simple::seed_of_simple;
use self::problems::Problems;
pub use self::references::TaskReference;
pub use self::render::render;
pub use self::slugs::Slugs;

/// Why a text is not a seed document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// It is not JSON, or too large to be looked at.
    #[error("{0}")]
    Unreadable(String),
    /// Everything that is wrong with it, each as `$.path: message`.
    #[error("{}", .0.join("\n"))]
    Invalid(Vec<String>),
}

/// A JSON text that has been read but not yet understood. Requests may carry keys of their own beside those of the
/// document; they are taken out before parsing.
///
/// # Additions of ours
/// Besides the keys of the contract's format these are accepted, in both versions, so that an export of ours loses
/// nothing: `lag_calendar` and `status_date` of a project, `actual_start`, `actual_finish` and `is_subtask` of a
/// task, the task type `tech_debt`, and `working` of a calendar exception.
///
/// # Outline
/// A path whose parent path has no row is accepted; the row hangs on its nearest ancestor, or stands at the top.
#[derive(Debug)]
pub struct Draft {
    value: Value,
    problems: Problems,
}

/// What a document says about itself, right or wrong: for answers about documents that may be invalid.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Claims {
    /// `schema_version`, as written.
    pub schema_version: Option<String>,
    /// Slug of the program.
    pub program_slug: Option<String>,
    /// Name of the program.
    pub program_name: Option<String>,
    /// Length of `projects`.
    pub project_count: usize,
    /// Sum of the lengths of each project's `tasks`.
    pub task_count: usize,
    /// Length of `resources`.
    pub resource_count: usize,
}

impl Draft {
    /// Reads a text of at most so many bytes and tasks.
    pub fn read(bytes: &[u8], ceiling: Ceiling) -> Result<Self, Rejection> {
        if bytes.len() > ceiling.bytes {
            return Err(Rejection::Unreadable(ceiling.too_large()));
        }
        let mut problems = Problems::default();
        let value = json::read(bytes, &mut problems).map_err(Rejection::Unreadable)?;
        let mut draft = Self { value, problems };
        if draft.claims().task_count > ceiling.rows {
            draft.problems.add("$.projects", ceiling.too_long());
        }
        Ok(draft)
    }

    /// Removes a key of the outermost object and hands its value over.
    pub fn take(&mut self, key: &str) -> Option<Value> {
        self.value.as_object_mut().and_then(|root| root.shift_remove(key))
    }

    /// What the text claims to hold.
    pub fn claims(&self) -> Claims {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let length = |value: &Value| value.as_array().map_or(0, Vec::len);
        let root = &self.value;
        let projects = root["projects"].as_array().map(Vec::as_slice).unwrap_or_default();
        Claims {
            schema_version: text(&root["schema_version"]),
            program_slug: text(&root["program"]["slug"]),
            program_name: text(&root["program"]["name"]),
            project_count: projects.len(),
            task_count: projects.iter().map(|project| length(&project["tasks"])).sum(),
            resource_count: length(&root["resources"]),
        }
    }

    /// Understands the text. `A±N` dates count from its `anchor`, or from `today` when it has none.
    pub fn parse(&self, today: NaiveDate) -> Result<Document, Rejection> {
        self.parse_and(check::document, today)
    }

    fn parse_and(
        &self,
        check: impl Fn(&Document, &mut Problems),
        today: NaiveDate,
    ) -> Result<Document, Rejection> {
        let (document, mut problems) = read::document(&self.value, today, self.problems.clone());
        if problems.is_empty() {
            check(&document, &mut problems);
        }
        if problems.is_empty() { Ok(document) } else { Err(Rejection::Invalid(problems.into_list())) }
    }
}

/// Reads and understands a text of any size; see [`Draft`] for uploads.
///
/// Besides the keys of the contract's format these are accepted, in both versions, so that an export of ours loses
/// nothing: `lag_calendar` and `status_date` of a project, `actual_start`, `actual_finish` and `is_subtask` of a task,
/// the task type `tech_debt`, and `working` of a calendar exception.
///
/// A path whose parent path has no row is accepted; the row hangs on its nearest ancestor, or stands at the top.
pub fn parse(bytes: &[u8], today: NaiveDate) -> Result<Document, Rejection> {
    Draft::read(bytes, Ceiling::NONE)?.parse(today)
}

/// The same for who only schedules: dependencies that close a cycle are let in, for the engine to leave out and name.
pub fn parse_with_cycles(bytes: &[u8], today: NaiveDate) -> Result<Document, Rejection> {
    Draft::read(bytes, Ceiling::NONE)?.parse_and(check::all_but_cycles, today)
}

/// Takes out the dependencies that close a cycle: all links on it, as an import into a project does.
pub(crate) fn cut_cycles(document: &mut Document) -> Vec<model::Dependency> {
    check::cut_cycles(document)
}
