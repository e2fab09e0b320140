//! How many live tasks a project has, remembered by the change of the project at which they were counted.
//! Every write of tasks raises that number (`schedule/plan_lock.rs`), so a count that carries the present one still holds.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use planwright_domain::ids::ProjectId;
use planwright_store::page::Remembered;

/// Counts that are remembered at most.
const MOST: usize = 10_000;

/// The counts that this process remembers, beside the database.
#[derive(Clone, Debug, Default)]
pub struct TaskCounts(Arc<Mutex<HashMap<ProjectId, (i64, i64)>>>);

impl TaskCounts {
    fn kept(&self) -> MutexGuard<'_, HashMap<ProjectId, (i64, i64)>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// By what the count still holds of a list that nothing narrows but a project; any other has to be counted.
    pub fn remembered(&self, project: ProjectId) -> Remembered {
        let known = self.kept().get(&project).copied();
        Remembered { state: "(SELECT p.change_counter FROM projects p WHERE p.id = :project)", known }
    }

    /// Keeps a count with the change of the project at which it was made.
    pub fn keep(&self, project: ProjectId, change: i64, count: i64) {
        let mut kept = self.kept();
        if kept.len() >= MOST && !kept.contains_key(&project) {
            kept.clear();
        }
        kept.insert(project, (change, count));
    }
}
