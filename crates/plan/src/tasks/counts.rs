//! How many live tasks a project has, remembered by the change of the project at which they were counted.
//! Every write of tasks raises that number (`schedule/plan_lock.rs`), so a count that carries the present one still holds.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use planwright_domain::ids::ProjectId;
use planwright_store::{Db, Result};
use planwright_web::Actor;

use super::model::TaskFilter;
use super::queries;
use crate::schedule::queries::count_tasks;

/// Counts that are remembered at most.
const MOST: usize = 10_000;

/// The counts that this process remembers, beside the database.
#[derive(Clone, Debug, Default)]
pub struct TaskCounts(Arc<Mutex<HashMap<ProjectId, (i64, i64)>>>);

impl TaskCounts {
    fn kept(&self) -> MutexGuard<'_, HashMap<ProjectId, (i64, i64)>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn at(&self, project: ProjectId, change: i64) -> Option<i64> {
        self.kept().get(&project).filter(|(at, _)| *at == change).map(|(_, count)| *count)
    }

    fn keep(&self, project: ProjectId, change: i64, count: i64) {
        let mut kept = self.kept();
        if kept.len() >= MOST {
            kept.clear();
        }
        kept.insert(project, (change, count));
    }
}

/// How long a list is that nothing narrows but a project of the caller's; any other has to be counted.
pub async fn of_list(
    db: &Db,
    actor: &Actor,
    filter: &TaskFilter,
    search: Option<&str>,
) -> Result<Option<i64>> {
    let Some(project) = filter.project_alone().filter(|_| search.is_none()) else { return Ok(None) };
    let Some(counts) = db.context::<TaskCounts>() else { return Ok(None) };
    // The change is read before the rows are counted: a write in between makes the count too new for it, and nobody is at
    // that change any more.
    let Some(change) = queries::change_of(db, actor, project).await? else { return Ok(None) };
    if let Some(count) = counts.at(project, change) {
        return Ok(Some(count));
    }
    let count = count_tasks(db, project).await?;
    counts.keep(project, change, count);
    Ok(Some(count))
}
