//! What a recalculation does about slip conflicts: finds the tasks that slip now and opens, worsens or resolves.
//! It moves no date, and costs one look at indexes where no sprint runs behind another project.

mod model;
mod queries;
mod rules;

use std::collections::{BTreeSet, HashMap};

use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProjectId, SprintId, TaskId};
use planwright_domain::words::SlipResolution;
use planwright_store::outbox::{Event, Message};
use planwright_store::{Result, Tx};
use serde_json::json;

use model::{Conflict, Slip};

use super::network::{date, day};
use crate::precedence::Precedence;
use crate::schedule::queries::parents;

/// Brings the conflicts of projects that were computed together up to date with their dates.
///
/// Whatever else decides on conflicts without moving dates, such as the end of a sprint, asks for this too.
pub async fn settle(tx: &mut Tx, projects: &[ProjectId]) -> Result<()> {
    if !queries::may_concern(tx, projects).await? {
        return Ok(());
    }
    let slips = slips(tx, projects).await?;
    let known = queries::known(tx, projects, slips.iter().map(|slip| slip.task).collect()).await?;
    let changed = settled(tx, &slips, &known);
    if changed.is_empty() {
        return Ok(());
    }
    queries::write(tx, &changed).await?;
    let told: BTreeSet<ProjectId> = changed.iter().map(|conflict| conflict.project_id).collect();
    let event = Event::Socket(SocketEvent::SlipConflictsUpdated);
    let message =
        |project| Message { event, project: Some(project), program: None, payload: json!({}).into() };
    tx.emit_each(told.into_iter().map(message).collect()).await
}

/// The conflicts that are not what they were.
fn settled(tx: &Tx, slips: &[Slip], known: &[Conflict]) -> Vec<Conflict> {
    let now = tx.now();
    let key = |sprint: SprintId, task: TaskId| (sprint, task);
    let by_key: HashMap<_, &Conflict> =
        known.iter().map(|conflict| (key(conflict.sprint_id, conflict.task_id), conflict)).collect();
    let slipping: BTreeSet<_> = slips.iter().map(|slip| key(slip.sprint, slip.task)).collect();
    let still = slips.iter().filter_map(|slip| match by_key.get(&key(slip.sprint, slip.task)) {
        None => Some(rules::opened(tx.mint(), slip, now)),
        Some(known) => Some(rules::slipped(known, slip, now)).filter(|conflict| conflict != *known),
    });
    let unresolved = known.iter().filter(|conflict| conflict.resolution == SlipResolution::Unresolved);
    let no_longer =
        unresolved.filter(|conflict| !slipping.contains(&key(conflict.sprint_id, conflict.task_id)));
    still.chain(no_longer.map(|conflict| rules::resolved(conflict, now))).collect()
}

/// The tasks that run past their sprint downstream of another project, each with the nearest link from there.
async fn slips(tx: &Tx, projects: &[ProjectId]) -> Result<Vec<Slip>> {
    let mut late = queries::committed(tx, projects).await?;
    late.retain(|task| task.early_finish > day(task.sprint_finish).0);
    if late.is_empty() {
        return Ok(Vec::new());
    }
    let links = queries::holding(tx, projects).await?;
    let rows = parents(tx, projects).await?;
    let ends: Vec<(TaskId, TaskId)> =
        links.iter().map(|link| (link.predecessor_id, link.successor_id)).collect();
    let crossing: Vec<&queries::Holding> = links.iter().filter(|link| link.crosses).collect();
    let sources: Vec<TaskId> = crossing.iter().map(|link| link.successor_id).collect();
    let downstream = Precedence::of(&rows, &ends).downstream(&sources);
    let slip = |task: queries::Committed| {
        let link = crossing[*downstream.get(&task.task_id)?];
        Some(Slip {
            sprint: task.sprint_id,
            task: task.task_id,
            project: task.project_id,
            dependency: link.id,
            upstream: link.predecessor_id,
            pushed_to: date(task.early_finish)?,
        })
    };
    Ok(late.into_iter().filter_map(slip).collect())
}
