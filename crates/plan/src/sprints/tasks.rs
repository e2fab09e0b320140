//! The tasks of sprints as a whole sprint moves them: written as a batch is, with one event for the board.
//! What follows for scope from a task that enters or leaves a sprint is in `scope.rs`.

use planwright_domain::access::May;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::TaskId;
use planwright_store::Result;
use planwright_web::ProjectScope;
use serde_json::{Value as Json, json};

use super::milestones::rollups;
use crate::edit::Edit;
use crate::tasks::write::{self, Board, PlannedWrite, TaskRecord, WriteContext, announce};

/// Writes tasks that a command changed, each with how it was before; the ids of those that differ.
pub async fn write<A: May>(
    edit: &mut Edit<ProjectScope<A>>,
    changed: Vec<(TaskRecord, TaskRecord)>,
) -> Result<Vec<TaskId>> {
    if changed.is_empty() {
        return Ok(Vec::new());
    }
    let context = WriteContext::bare(edit, &edit.scope).await?;
    let planned = changed.into_iter().map(|(after, before)| PlannedWrite::direct(before, after)).collect();
    let (tx, lock) = edit.plan();
    let written = write::save(tx, lock, &context, planned, Board::OneForAll).await?;
    announce::tell_all(tx, context.project.id, context.project.program_id, &written).await?;
    Ok(written)
}

/// Tells how far milestones are after a change of their sprints.
pub async fn tell_milestones<A: May>(
    edit: &mut Edit<ProjectScope<A>>,
    milestones: impl IntoIterator<Item = TaskId>,
) -> Result<()> {
    let mut milestones: Vec<TaskId> = milestones.into_iter().collect();
    milestones.sort_unstable();
    milestones.dedup();
    let mut rollups = rollups(edit, &milestones).await?;
    for milestone in milestones {
        let mut told = json!(rollups.remove(&milestone));
        if let Json::Object(_) = told {
            told["milestone_id"] = json!(milestone);
        } else {
            told = json!({ "milestone_id": milestone });
        }
        edit.announce(SocketEvent::MilestoneRollupUpdated, told).await?;
    }
    Ok(())
}
