//! The rows of all exported projects in outline order, and where each of them stands.
//! Rows without a place in the outline have no path, so they and whatever leads to them stay behind.

use std::collections::HashMap;

use planwright_domain::ids::{CalendarId, TaskId};
use planwright_plan::schedule::outline::{Placed, outline};
use planwright_plan_files::seed::TaskReference;

use super::queries::TaskRow;

/// The longest path that a document may hold.
pub(crate) const LONGEST_PATH: usize = 255;

/// One row.
pub(super) struct Row {
    /// What is stored of it.
    pub(super) task: TaskRow,
    /// Its path.
    pub(super) path: String,
    /// Whether rows stand below it.
    pub(super) is_parent: bool,
}

/// Rows by project and place.
#[derive(Default)]
pub(super) struct Tree {
    /// The rows of each project, in outline order.
    pub(super) projects: Vec<Vec<Row>>,
    slugs: Vec<String>,
    places: HashMap<TaskId, (usize, usize)>,
}

impl Tree {
    /// The calendars that rows are worked on instead of those of their projects.
    pub(super) fn calendars(&self) -> impl Iterator<Item = CalendarId> + '_ {
        self.projects.iter().flatten().filter_map(|row| row.task.calendar_id)
    }

    /// Adds the rows of the next project.
    pub(super) fn add(&mut self, slug: &str, tasks: Vec<TaskRow>) {
        let placed: Vec<Placed> = tasks
            .iter()
            .map(|task| Placed {
                id: task.id,
                parent: task.parent_id,
                position: task.position,
                has_place: task.has_place,
                is_subtask: task.is_subtask,
            })
            .collect();
        let mut rows: Vec<(String, Row)> = tasks
            .into_iter()
            .zip(outline(&placed))
            .filter_map(|(task, place)| {
                let path = place.number.filter(|path| path.len() <= LONGEST_PATH)?;
                Some((place.order?, Row { task, path, is_parent: false }))
            })
            .collect();
        rows.sort_by(|left, right| left.0.cmp(&right.0));
        let project = self.projects.len();
        let mut rows: Vec<Row> = rows.into_iter().map(|(_, row)| row).collect();
        for (at, row) in rows.iter().enumerate() {
            self.places.insert(row.task.id, (project, at));
        }
        // In outline order a row stands right before the first one below it.
        for at in 1..rows.len() {
            let below = rows[at].path.rsplit_once('.').is_some_and(|(parent, _)| parent == rows[at - 1].path);
            rows[at - 1].is_parent = below;
        }
        self.projects.push(rows);
        self.slugs.push(slug.to_owned());
    }

    /// Where a row stands: project, then row.
    pub(super) fn place(&self, id: TaskId) -> Option<(usize, usize)> {
        self.places.get(&id).copied()
    }

    /// The row at a place.
    pub(super) fn row(&self, (project, at): (usize, usize)) -> &Row {
        &self.projects[project][at]
    }

    /// A row as other rows name it.
    pub(super) fn reference(&self, id: TaskId) -> Option<TaskReference> {
        let place = self.place(id)?;
        Some(TaskReference::new(&self.slugs[place.0], &self.row(place).path))
    }

    /// The references of several rows, in outline order.
    pub(super) fn references(&self, ids: impl IntoIterator<Item = TaskId>) -> Vec<TaskReference> {
        let mut places: Vec<(usize, usize)> = ids.into_iter().filter_map(|id| self.place(id)).collect();
        places.sort_unstable();
        places.dedup();
        let named = |place: (usize, usize)| TaskReference::new(&self.slugs[place.0], &self.row(place).path);
        places.into_iter().map(named).collect()
    }
}
