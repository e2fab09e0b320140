//! Many writes at once, for batches and for devices that were offline: gathered at once, validated one after another
//! without a database, saved at once. A row that is refused leaves the others as they are.

mod fields;
pub mod rules;

use std::collections::{HashMap, HashSet};

use planwright_domain::ids::{ProjectId, TaskId};
use planwright_domain::words::{BatchOp, BatchOutcome};
use planwright_store::{Result, Tx};
use planwright_web::version::Precondition;
use planwright_web::{ApiError, ApiResult, Grant};
use uuid::Uuid;

use super::deletion::{self, Drawer};
use super::{
    Board, PatchedTaskRequest, PlannedWrite, RequestedWrite, TaskRecord, WriteContext, governance, queries,
    short_id, validate,
};
use crate::schedule::PlanLock;
pub use fields::TaskFields;
use rules::Aim;
pub use rules::{Fault, Operation, Verdict};

/// What became of one operation.
#[derive(Debug)]
pub struct Entry {
    /// What was to happen.
    pub op: BatchOp,
    /// The id that was sent, if it is a valid id.
    pub sent: Option<Uuid>,
    /// The task and what happened to it, or why nothing did.
    pub verdict: Verdict<(TaskId, BatchOutcome)>,
}

/// What became of all of them.
#[derive(Debug)]
pub struct Written {
    /// In the order of the operations.
    pub entries: Vec<Entry>,
    /// Every row that differs from before, those that moved because another went among them.
    pub changed: Vec<TaskId>,
}

/// A row that is about to be validated.
struct Draft {
    index: usize,
    aim: Aim,
    op: BatchOp,
    before: TaskRecord,
    request: PatchedTaskRequest,
    expected: Precondition,
}

/// What was validated.
#[derive(Default)]
struct Round {
    planned: Vec<PlannedWrite>,
    roots: Vec<TaskRecord>,
    gone: HashSet<TaskId>,
}

/// Writes many rows in one transaction.
///
/// # Errors
/// 400 when an id is named twice.
pub async fn write(
    tx: &mut Tx,
    lock: &mut PlanLock,
    grant: &Grant,
    operations: Vec<Operation>,
) -> ApiResult<Written> {
    let named = rules::named(&operations).map_err(|twice| {
        ApiError::invalid_field("operations", format!("{twice} is named more than once."))
    })?;
    let project = grant.project()?;
    let found = queries::whereabouts(tx, &named).await?;
    let aims: Vec<_> = operations.iter().map(|operation| rules::aim(operation, project, &found)).collect();
    let there = aims.iter().flatten().filter_map(|aim| match aim {
        Aim::Change(id) | Aim::Delete(id) => Some(*id),
        Aim::Create(_) => None,
    });
    let records = queries::records(tx, &there.collect::<Vec<_>>()).await?;
    let mut records: HashMap<TaskId, TaskRecord> = records.into_iter().map(|row| (row.id, row)).collect();
    let mut entries = Vec::with_capacity(operations.len());
    let mut drafts = Vec::with_capacity(operations.len());
    for ((index, operation), aim) in operations.iter().enumerate().zip(aims) {
        let draft = aim.and_then(|aim| draft(tx, (grant, project), index, operation, aim, &mut records));
        let sent = operation.sent();
        let verdict = match draft {
            Ok(draft) => {
                let id = draft.before.id;
                drafts.push(draft);
                Ok((id, BatchOutcome::Unchanged))
            }
            Err(fault) => Err(fault),
        };
        entries.push(Entry { op: operation.op, sent, verdict });
    }
    let writes: Vec<RequestedWrite<'_>> = drafts.iter().map(Draft::requested).collect();
    let mut context = WriteContext::gather(tx, project, &grant.actor, grant.role, &writes).await?;
    let mut round = validate_all(tx, &mut context, &drafts, &mut entries).await?;
    place(tx, project, &mut round.planned).await?;
    let changed = save(tx, lock, &context, round).await?;
    settle(&mut entries, &drafts, &changed);
    if !changed.is_empty() {
        lock.moves_dates(project);
    }
    Ok(Written { entries, changed })
}

/// An operation with the row it starts from.
fn draft(
    tx: &Tx,
    (grant, project): (&Grant, ProjectId),
    index: usize,
    operation: &Operation,
    aim: Aim,
    records: &mut HashMap<TaskId, TaskRecord>,
) -> Verdict<Draft> {
    let op = operation.op;
    let (before, request) = match aim {
        Aim::Create(id) => {
            let request = rules::new_task(operation, project)?;
            let mut fresh = TaskRecord::fresh(id.unwrap_or_else(|| tx.mint()), project, tx.now());
            fresh.parent_id = request.parent_id.as_given().copied().flatten();
            fresh.is_subtask = request.is_subtask.as_given() == Some(&true);
            (fresh, request.into())
        }
        Aim::Change(id) => {
            let before = records.remove(&id).ok_or_else(rules::not_found)?;
            rules::stays_in_place(operation, &before)?;
            (before, rules::changes(operation)?)
        }
        Aim::Delete(id) => (records.remove(&id).ok_or_else(rules::not_found)?, rules::no_changes()?),
    };
    let expected = match operation.knows_own_changes {
        true => Precondition::default().knowing_changes_of(grant.actor.id),
        false => Precondition::default(),
    };
    Ok(Draft { index, aim, op, before, request, expected })
}

impl Draft {
    fn requested(&self) -> RequestedWrite<'_> {
        RequestedWrite {
            before: &self.before,
            is_new: matches!(self.aim, Aim::Create(_)),
            request: &self.request,
        }
    }
}

/// Judges every draft after those before it; what is refused is noted in its entry.
async fn validate_all(
    tx: &Tx,
    context: &mut WriteContext,
    drafts: &[Draft],
    entries: &mut [Entry],
) -> ApiResult<Round> {
    let leaving = drafts.iter().filter(|draft| matches!(draft.aim, Aim::Delete(_)));
    let leaving: Vec<TaskId> = leaving.map(|draft| draft.before.id).collect();
    let mut drawers: HashMap<TaskId, Vec<TaskId>> = HashMap::new();
    for (task, subtask) in queries::subtasks(tx, &leaving).await? {
        drawers.entry(task).or_default().push(subtask);
    }
    let mut round = Round::default();
    for draft in drafts {
        let outcome = match draft.aim {
            Aim::Delete(id) => {
                let drawer = drawers.remove(&id).unwrap_or_default();
                round.delete(context, &draft.before, &drawer)
            }
            _ => round.write(tx, context, draft).await?,
        };
        if let Err(fault) = outcome {
            entries[draft.index].verdict = Err(fault);
        }
    }
    Ok(round)
}

impl Round {
    fn delete(&mut self, context: &mut WriteContext, row: &TaskRecord, drawer: &[TaskId]) -> Verdict<()> {
        if !context.may_delete(row) {
            return Err(Fault::of("forbidden", "You may delete only tasks that are assigned to you."));
        }
        context.note_gone(row, drawer);
        self.gone.extend(drawer.iter().chain([&row.id]));
        self.roots.push(row.clone());
        Ok(())
    }

    async fn write(&mut self, tx: &Tx, context: &mut WriteContext, draft: &Draft) -> ApiResult<Verdict<()>> {
        let Draft { before, request, expected, .. } = draft;
        if let Aim::Change(id) = draft.aim {
            if self.gone.contains(&id) {
                let is_new = draft.op == BatchOp::Create;
                return Ok(Err(if is_new { rules::tombstoned() } else { rules::not_found() }));
            }
            if !context.may_edit(before) {
                let message = "You may change only tasks that are assigned to you.";
                return Ok(Err(Fault::of("forbidden", message)));
            }
            if rules::crosses_gate(before, request) {
                let message = "A milestone keeps its delivery mode unless is_milestone is sent too.";
                return Ok(Err(Fault::skip("milestone_gate", message)));
            }
        }
        let planned = match validate(context, draft.requested()) {
            Ok(planned) => planned,
            Err(error) => return Fault::from_error(error).map(Err),
        };
        if request.base_version.is_given()
            && let Err(error) = super::merge(tx, context, expected.clone(), request, &planned).await
        {
            return Fault::from_error(error).map(Err);
        }
        context.note(&planned);
        self.planned.push(planned);
        Ok(Ok(()))
    }
}

/// Gives new rows their places behind what is there, and their short ids.
async fn place(tx: &mut Tx, project: ProjectId, planned: &mut [PlannedWrite]) -> Result<()> {
    let mut parents: Vec<Option<TaskId>> =
        planned.iter().filter(|row| row.is_new).map(|row| row.after.parent_id).collect();
    let how_many = parents.len();
    if how_many == 0 {
        return Ok(());
    }
    parents.sort_unstable();
    parents.dedup();
    let below: Vec<TaskId> = parents.iter().copied().flatten().collect();
    let positions = queries::last_positions(tx, &below).await?;
    let mut last: HashMap<Option<TaskId>, i64> =
        positions.into_iter().map(|(parent, position)| (Some(parent), position)).collect();
    if parents.contains(&None) {
        last.insert(None, queries::last_position(tx, project, None).await?);
    }
    let mut number = queries::reserve_short_ids(tx, project, how_many).await?;
    for row in planned.iter_mut().filter(|row| row.is_new) {
        let position = last.entry(row.after.parent_id).or_default();
        *position += 1;
        number += 1;
        row.after.position = *position;
        row.after.short_id = short_id(number);
    }
    Ok(())
}

/// Saves what was validated; the ids of all rows that differ from before.
async fn save(tx: &mut Tx, lock: &mut PlanLock, context: &WriteContext, round: Round) -> Result<Vec<TaskId>> {
    let planned = governance::follow(tx, round.planned).await?;
    let mut changed = super::save(tx, lock, context, planned, Board::OneForAll).await?;
    let announcer = context.announcer(Board::OneForAll);
    let deleted = deletion::delete_all(tx, lock, &announcer, Drawer::GoesAlong, &round.roots).await?;
    changed.extend(deleted.taken);
    changed.extend(deleted.moved);
    changed.sort_unstable();
    changed.dedup();
    Ok(changed)
}

/// Says of each row that was not refused what happened to it.
fn settle(entries: &mut [Entry], drafts: &[Draft], changed: &[TaskId]) {
    for draft in drafts {
        let entry = &mut entries[draft.index];
        if let Ok((id, outcome)) = &mut entry.verdict {
            *outcome = match draft.aim {
                Aim::Create(_) => BatchOutcome::Created,
                Aim::Delete(_) => BatchOutcome::Deleted,
                Aim::Change(_) if changed.binary_search(id).is_ok() => BatchOutcome::Updated,
                Aim::Change(_) => BatchOutcome::Unchanged,
            };
        }
    }
}
