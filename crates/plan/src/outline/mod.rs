//! Moving rows: the tree is rearranged in memory, checked for circles, written, and told.
//! What may stand where is decided in `structure.rs`; numbers are derived (`schedule/outline.rs`).

pub mod queries;
pub mod structure;

use std::collections::{HashMap, HashSet};

use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProjectId, TaskId, UserId};
use planwright_store::Tx;
use planwright_store::outbox::Event;
use planwright_web::{ApiError, ApiResult};
use serde_json::json;

pub use structure::{Move, Obstacle, Structure};

use crate::dependencies;
use crate::schedule::PlanLock;
use crate::tasks::write::{self, Board, PlannedWrite, WriteContext, governance};

/// A tree before and after a rearrangement.
#[derive(Debug)]
pub struct Rearranged {
    before: Structure,
    after: Structure,
}

impl Rearranged {
    /// Rearranges the rows of a project.
    ///
    /// # Errors
    /// 400, 404 or 409 for what keeps a row from going where it is sent.
    pub async fn by<T>(
        tx: &Tx,
        project: ProjectId,
        how: impl FnOnce(&mut Structure) -> Result<T, Obstacle>,
    ) -> ApiResult<(Self, T)> {
        let before = queries::structure(tx, project).await?;
        let mut after = before.clone();
        let outcome = how(&mut after).map_err(Obstacle::into_error)?;
        Ok((Self { before, after }, outcome))
    }

    /// The rows that were below another before.
    pub fn is_new_phase(&self, id: TaskId) -> bool {
        !self.before.is_phase(id) && self.after.is_phase(id)
    }

    /// The rows whose numbers are other ones now, with those.
    pub fn renumbered(&self) -> Vec<(TaskId, String)> {
        let (before, after) = (self.before.numbers(), self.after.numbers());
        let pairs = self.after.ids().zip(before.into_iter().zip(after));
        pairs
            .filter(|(_, (then, now))| then.number != now.number)
            .filter_map(|(id, (_, now))| Some((id, now.number?)))
            .collect()
    }

    /// Writes what moved, notes it, and tells those who look at the board.
    ///
    /// # Errors
    /// 400 for a row that would wait for what stands above it.
    pub async fn save(
        &self,
        tx: &mut Tx,
        lock: &mut PlanLock,
        context: &WriteContext,
        event: SocketEvent,
    ) -> ApiResult<()> {
        let reparented = self.arrange(tx, lock, context, event).await?;
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
        Ok(())
    }

    /// Writes the places of rows that keep the row above them; those with another one are given back for the caller to write.
    async fn arrange(
        &self,
        tx: &mut Tx,
        lock: &mut PlanLock,
        context: &WriteContext,
        event: SocketEvent,
    ) -> ApiResult<Vec<Move>> {
        let project = context.project.id;
        let moves = self.after.moves_since(&self.before);
        let (reparented, placed): (Vec<Move>, Vec<Move>) =
            moves.into_iter().partition(|row| row.is_reparented);
        let together: Vec<ProjectId> =
            lock.hold(tx, project).await?.into_iter().map(|input| input.id).collect();
        self.refuse_circles(tx, context.caller.id, &together, &reparented).await?;
        queries::write_positions(tx, lock, project, &placed).await?;
        lock.moves_dates(project);
        tx.emit(Event::Socket(event), Some(project), context.project.program_id, json!({})).await?;
        Ok(reparented)
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

/// Sends a row that is being written below another one, or to the top.
///
/// # Errors
/// 400 at `parent_id` for what keeps it from going there.
pub async fn move_below(
    tx: &mut Tx,
    lock: &mut PlanLock,
    context: &WriteContext,
    row: &mut PlannedWrite,
    parent: Option<TaskId>,
) -> ApiResult<()> {
    let id = row.before.id;
    let before = queries::structure(tx, context.project.id).await?;
    let mut after = before.clone();
    after.reparent(id, parent).map_err(Obstacle::into_field_error)?;
    let rearranged = Rearranged { before, after };
    for moved in rearranged.arrange(tx, lock, context, SocketEvent::TasksRestructured).await? {
        debug_assert_eq!(moved.id, id, "one row gets another parent");
        (row.after.parent_id, row.after.position) = (moved.parent, moved.position);
        row.asked.parent_id = moved.parent;
    }
    Ok(())
}

impl Obstacle {
    /// What it says to people, and its code for programs.
    fn words(self) -> (&'static str, Option<&'static str>) {
        match self {
            Obstacle::Missing => ("There is no such task in the project.", None),
            Obstacle::Itself => ("A row cannot be its own parent.", None),
            Obstacle::Below => ("A row cannot be moved below one of its own rows.", None),
            Obstacle::NoPlace => ("A row that is not in the outline cannot be moved in it.", None),
            Obstacle::Milestone => ("A milestone cannot have rows below it.", Some("child_of_milestone")),
            Obstacle::Subtask => (
                "The parent of a subtask must be a task without tasks below it. A subtask has no rows below it.",
                Some("subtask_on_phase"),
            ),
            Obstacle::Recurring => ("The parent has a recurrence rule, so it can only have subtasks.", None),
            Obstacle::First => ("There is no row before it, so it cannot be indented.", None),
            Obstacle::Top => ("It is already at the top.", None),
            Obstacle::Stale => {
                ("The list does not contain exactly the rows that are there now.", Some("stale_siblings"))
            }
        }
    }

    /// The answer of a route that only moves rows.
    fn into_error(self) -> ApiError {
        let (words, code) = self.words();
        let error = match self {
            Obstacle::Missing => return ApiError::not_found(),
            Obstacle::Stale => ApiError::conflict(words),
            _ => ApiError::bad_request(words),
        };
        code.into_iter().fold(error, |error, code| error.with_code(code))
    }

    /// The answer of a route that writes a row.
    fn into_field_error(self) -> ApiError {
        let (words, code) = self.words();
        code.into_iter()
            .fold(ApiError::invalid_field("parent_id", words), |error, code| error.with_code(code))
    }
}
