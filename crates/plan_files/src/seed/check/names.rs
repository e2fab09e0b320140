//! Everything in a document that can be referred to, and the messages for what cannot be found.

use std::collections::{HashMap, HashSet};

use crate::seed::model::{Document, Project, Task};
use crate::seed::problems::{Problems, quoted};
use crate::seed::references::TaskReference;

/// What the references of a document may name.
pub(super) struct Names<'d> {
    document: &'d Document,
    projects: HashMap<&'d str, usize>,
    rows: Vec<HashMap<&'d str, usize>>,
    sprints: HashSet<(&'d str, &'d str)>,
    accounts: HashSet<&'d str>,
    calendars: HashSet<&'d str>,
    resources: HashSet<&'d str>,
}

impl<'d> Names<'d> {
    pub(super) fn of(document: &'d Document) -> Self {
        let rows = |tasks: &'d [Task]| -> HashMap<&'d str, usize> {
            // The first of two rows at one path is the one that references mean; the second is reported anyway.
            tasks.iter().enumerate().rev().map(|(index, task)| (task.wbs_path.as_str(), index)).collect()
        };
        let projects = document.projects.iter().enumerate().rev();
        let sprints = document.projects.iter().flat_map(|project| {
            project.sprints.iter().map(|sprint| (project.slug.as_str(), sprint.slug.as_str()))
        });
        Self {
            document,
            projects: projects.map(|(index, project)| (project.slug.as_str(), index)).collect(),
            rows: document.projects.iter().map(|project| rows(&project.tasks)).collect(),
            sprints: sprints.collect(),
            accounts: document.accounts.iter().map(|account| account.slug.as_str()).collect(),
            calendars: document.calendars.iter().map(|calendar| calendar.slug.as_str()).collect(),
            resources: document.resources.iter().map(|resource| resource.slug.as_str()).collect(),
        }
    }

    /// Position of the project with this slug.
    pub(super) fn project_index(&self, slug: &str) -> Option<usize> {
        self.projects.get(slug).copied()
    }

    /// Whether a project has a sprint of this slug.
    pub(super) fn has_sprint(&self, project: &str, slug: &str) -> bool {
        self.sprints.contains(&(project, slug))
    }

    /// Position of a row: project, then task.
    pub(super) fn row_index(&self, reference: &TaskReference) -> Option<(usize, usize)> {
        let project = self.project_index(&reference.project)?;
        Some((project, *self.rows[project].get(reference.wbs_path.as_str())?))
    }

    /// The row at `path` of the project at `project`.
    pub(super) fn row_of(&self, project: usize, path: &str) -> Option<&'d Task> {
        self.rows[project].get(path).map(|index| &self.document.projects[project].tasks[*index])
    }

    /// The row a reference names; notes when there is none.
    pub(super) fn row(
        &self,
        reference: &TaskReference,
        at: &str,
        problems: &mut Problems,
    ) -> Option<&'d Task> {
        let Some((project, row)) = self.row_index(reference) else {
            match self.project_index(&reference.project) {
                None => {
                    problems.add(at, format_args!("no project has the slug {}", quoted(&reference.project)))
                }
                Some(_) => problems.add(
                    at,
                    format_args!(
                        "no task of {} is at {}",
                        quoted(&reference.project),
                        quoted(&reference.wbs_path)
                    ),
                ),
            }
            return None;
        };
        Some(&self.document.projects[project].tasks[row])
    }

    pub(super) fn account(&self, slug: &str, at: &str, problems: &mut Problems) {
        if !self.accounts.contains(slug) {
            problems.add(at, format_args!("no account has the slug {}", quoted(slug)));
        }
    }

    pub(super) fn calendar(&self, slug: &str, at: &str, problems: &mut Problems) {
        if !self.calendars.contains(slug) {
            problems.add(at, format_args!("no calendar has the slug {}", quoted(slug)));
        }
    }

    /// The weekdays that a project works with its overlays; a calendar that does not exist takes none away.
    pub(super) fn working_days(&self, project: &Project) -> u8 {
        let named = |slug: &str| self.document.calendar(slug).map(|calendar| calendar.working_days);
        let own = project.calendar.as_deref().and_then(named).unwrap_or(31);
        let overlays = project.overlays.iter().filter_map(|overlay| named(&overlay.calendar));
        overlays.fold(own, |left, days| left & days)
    }

    pub(super) fn resource(&self, slug: &str, at: &str, problems: &mut Problems) {
        if !self.resources.contains(slug) {
            problems.add(at, format_args!("no resource has the slug {}", quoted(slug)));
        }
    }
}

/// Notes every value of a list that stood there before. `key` is the part of the item that holds the value, with
/// its dot, or nothing when the item itself is the value.
pub(super) fn duplicates<'d>(
    values: impl Iterator<Item = &'d str>,
    list: &str,
    key: &str,
    problems: &mut Problems,
) {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for (index, value) in values.enumerate() {
        if let Some(first) = seen.get(value) {
            let place = format!("{list}[{index}]{key}");
            problems.add(&place, format_args!("{} is already taken by {list}[{first}]", quoted(value)));
        } else {
            seen.insert(value, index);
        }
    }
}
