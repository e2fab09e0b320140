//! The tasks of sprints as a whole sprint moves them: written as a batch is, with one event for the board.
//! What follows for scope from a task that enters or leaves a sprint is in `scope.rs`.

use std::collections::BTreeSet;

use planwright_domain::access::May;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::TaskId;
use planwright_store::Result;
use planwright_web::ProjectScope;

use super::milestones::payloads;
use crate::edit::Edit;
use crate::tasks::write::{self, Board, PlannedWrite, WriteContext, announce};

/// Writes tasks that a command changed; the ids of those that differ.
pub async fn write<A: May>(
    edit: &mut Edit<ProjectScope<A>>,
    planned: Vec<PlannedWrite>,
) -> Result<Vec<TaskId>> {
    if planned.is_empty() {
        return Ok(Vec::new());
    }
    let context = WriteContext::bare(edit, &edit.scope).await?;
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
    let milestones: BTreeSet<TaskId> = milestones.into_iter().collect();
    for told in payloads(edit, &milestones.into_iter().collect::<Vec<_>>()).await? {
        edit.announce(SocketEvent::MilestoneRollupUpdated, told).await?;
    }
    Ok(())
}
