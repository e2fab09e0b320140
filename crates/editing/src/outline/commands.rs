//! Moving rows: the tree is rearranged in memory, checked for circles, written, and told.
//! What may stand where is decided in `structure.rs`.

use std::collections::{HashMap, HashSet};

use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProjectId, TaskId, UserId};
use planwright_domain::words::ChangeKind;
use planwright_plan::dependencies;
use planwright_plan::schedule::PlanLock;
use planwright_plan::tasks::write::{self, Board, PlannedWrite, WriteContext, governance};
use planwright_store::Tx;
use planwright_store::history::Change;
use planwright_store::outbox::Event;
use planwright_web::{ApiError, ApiResult};
use serde_json::{Map, json};

use super::model::WbsPathEntry;
use super::queries;
use super::structure::{Move, Obstacle, Structure};

/// A tree before and after a rearrangement.
pub(super) struct Rearranged {
    before: Structure,
    after: Structure,
}

impl Rearranged {
    /// Rearranges the rows of a project.
    pub(super) async fn by<T>(
        tx: &Tx,
        project: ProjectId,
        how: impl FnOnce(&mut Structure) -> Result<T, Obstacle>,
    ) -> ApiResult<(Self, T)> {
        let before = queries::structure(tx, project).await?;
        let mut after = before.clone();
        let outcome = how(&mut after).map_err(in_the_way)?;
        Ok((Self { before, after }, outcome))
    }

    /// The rows that were below another before.
    pub(super) fn is_new_phase(&self, id: TaskId) -> bool {
        !self.before.is_phase(id) && self.after.is_phase(id)
    }

    /// The rows whose numbers are other ones now.
    pub(super) fn renumbered(&self) -> Vec<WbsPathEntry> {
        let (before, after) = (self.before.numbers(), self.after.numbers());
        let pairs = self.after.ids().zip(before.into_iter().zip(after));
        pairs
            .filter(|(_, (then, now))| then.number != now.number)
            .filter_map(|(id, (_, now))| Some(WbsPathEntry { id, wbs_path: now.number? }))
            .collect()
    }

    /// Writes what moved, notes it, and tells those who look at the board.
    pub(super) async fn save(
        &self,
        tx: &mut Tx,
        lock: &mut PlanLock,
        context: &WriteContext,
        event: SocketEvent,
    ) -> ApiResult<()> {
        let project = context.project.id;
        let moves = self.after.moves_since(&self.before);
        let (reparented, placed): (Vec<Move>, Vec<Move>) =
            moves.into_iter().partition(|row| row.is_reparented);
        let together: Vec<ProjectId> =
            lock.hold(tx, project).await?.into_iter().map(|input| input.id).collect();
        self.refuse_circles(tx, context.caller.id, &together, &reparented).await?;
        queries::write_positions(tx, lock, project, &placed).await?;
        let ids: Vec<TaskId> = reparented.iter().map(|row| row.id).collect();
        let records = write::queries::records(tx, &ids).await?;
        let places: HashMap<TaskId, &Move> = reparented.iter().map(|row| (row.id, row)).collect();
        let planned = records.into_iter().filter_map(|before| {
            let to = places.get(&before.id)?;
            let after = write::TaskRecord { parent_id: to.parent, position: to.position, ..before.clone() };
            Some(PlannedWrite::direct(before, after))
        });
        let planned = governance::follow(tx, planned.collect()).await?;
        write::save(tx, lock, context, planned, Board::OneForAll).await?;
        lock.moves_dates(project);
        tx.emit(Event::Socket(event), Some(project), context.project.program_id, json!({})).await?;
        Ok(())
    }

    /// A row that goes below another must not have to wait for it, nor the other for the row.
    async fn refuse_circles(
        &self,
        tx: &Tx,
        actor: UserId,
        together: &[ProjectId],
        moves: &[Move],
    ) -> ApiResult<()> {
        let moved: HashSet<TaskId> =
            self.after.subtrees(&moves.iter().map(|row| row.id).collect::<Vec<_>>()).into_iter().collect();
        if moved.is_empty() {
            return Ok(());
        }
        let parents = self.after.parents();
        dependencies::commands::refuse_circles_through(tx, actor, together, &parents, &moved).await
    }
}

/// Notes in the rows and in the history that siblings were put into another order; those that keep their place are left
/// as they are.
pub(super) async fn note_order(
    tx: &mut Tx,
    context: &WriteContext,
    old: &[TaskId],
    new: &[TaskId],
) -> ApiResult<()> {
    let then: HashMap<TaskId, usize> = old.iter().enumerate().map(|(at, id)| (*id, at)).collect();
    let places = new.iter().enumerate().filter_map(|(at, id)| Some((*id, *then.get(id)?, at)));
    let moved: Vec<(TaskId, usize, usize)> = places.filter(|(_, then, now)| then != now).collect();
    if moved.is_empty() {
        return Ok(());
    }
    let versions = queries::mark_edited(tx, &moved.iter().map(|(id, ..)| *id).collect::<Vec<_>>()).await?;
    let changes = moved.iter().filter_map(|(id, then, now)| {
        let fields = Map::from_iter([("position".to_owned(), json!([then + 1, now + 1]))]);
        let (project, program) = (Some(context.project.id), context.project.program_id);
        let updated = Change::of("task", *id, ChangeKind::Updated, context.caller.id);
        Some(Change { project, program, version: *versions.get(id)?, fields, ..updated })
    });
    Ok(tx.record_each(changes.collect()).await?)
}

/// What keeps a row from going somewhere, as an answer.
fn in_the_way(obstacle: Obstacle) -> ApiError {
    match obstacle {
        Obstacle::Missing => ApiError::not_found(),
        Obstacle::Itself => ApiError::bad_request("A row cannot stand below itself."),
        Obstacle::Below => ApiError::bad_request("A row cannot go below one that stands below it."),
        Obstacle::NoPlace => {
            ApiError::bad_request("A row without a place in the outline is not moved in it.")
        }
        Obstacle::Milestone => {
            ApiError::bad_request("Nothing can stand below a milestone.").with_code("child_of_milestone")
        }
        Obstacle::Subtask => ApiError::bad_request(
            "A subtask stands below a task that has no tasks below it, and nothing below it.",
        )
        .with_code("subtask_on_phase"),
        Obstacle::Recurring => {
            ApiError::bad_request("The row above comes back by a rule, so it holds subtasks only.")
        }
        Obstacle::First => ApiError::bad_request("No row stands before it, so there is none to go below."),
        Obstacle::Top => ApiError::bad_request("It stands at the top already."),
        Obstacle::Stale => ApiError::conflict("The rows named are not the rows that stand there now.")
            .with_code("stale_siblings"),
    }
}
