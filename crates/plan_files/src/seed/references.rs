//! Names of rows and sprints: `1.2` inside their project, `project-slug:1.2` from anywhere.

use std::fmt;

/// A row of some project, always with the project it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct TaskReference {
    /// Project slug.
    pub project: String,
    /// Path in that project's outline.
    pub wbs_path: String,
}

impl TaskReference {
    /// The row at `wbs_path` of `project`.
    pub fn new(project: impl Into<String>, wbs_path: impl Into<String>) -> Self {
        Self { project: project.into(), wbs_path: wbs_path.into() }
    }

    /// The shortest spelling that means this row in a list of the project `home`.
    pub fn spelled_in(&self, home: &str) -> String {
        if self.project == home { self.wbs_path.clone() } else { self.to_string() }
    }
}

impl fmt::Display for TaskReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.project, self.wbs_path)
    }
}

/// Splits `project-slug:rest`; a text without a colon names no project.
pub fn split(text: &str) -> (Option<&str>, &str) {
    match text.split_once(':') {
        Some((project, rest)) => (Some(project), rest),
        None => (None, text),
    }
}
