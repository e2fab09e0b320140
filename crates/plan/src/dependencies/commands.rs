//! The commands that write links, the same for every way in: each under a plan lock that its caller takes and ends.
//! They validate, write rows, history and events, and tell the lock what moves; they answer nobody.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use planwright_domain::events::{SocketEvent, WebhookEvent};
use planwright_domain::ids::{DependencyId, ProjectId, TaskId, UserId};
use planwright_domain::words::ChangeKind;
use planwright_store::history::Change;
use planwright_store::outbox::{Event, Message};
use planwright_store::record::{Columns, column};
use planwright_store::{Read, Result, Tx};
use planwright_web::{ApiError, ApiResult};
use serde_json::{Value as Json, json};

use super::lags;
use super::model::{CycleStep, DependencyRow, LinkEnd, NewLink, PatchedDependencyRequest};
use super::queries::{self, LinkKey, LinkRow};
use super::rules::{self, Consent, Outcome, Refusal};
use crate::precedence::{Offence, Precedence};
use crate::schedule::{self, PlanLock};
use crate::tasks::write::Board;

/// A live link with its ends, as its writer may see them.
#[derive(Clone, Debug)]
pub struct LinkWithEnds {
    /// The link.
    pub row: DependencyRow,
    /// The predecessor.
    pub predecessor: LinkEnd,
    /// The successor.
    pub successor: LinkEnd,
}

/// Reads the ends of a link.
pub async fn with_ends(db: &dyn Read, actor: UserId, row: DependencyRow) -> ApiResult<LinkWithEnds> {
    let mut ends = queries::ends(db, actor, [row.predecessor_id, row.successor_id]).await?;
    let predecessor = ends.remove(&row.predecessor_id).ok_or_else(ApiError::not_found)?;
    let successor = ends.remove(&row.successor_id).ok_or_else(ApiError::not_found)?;
    Ok(LinkWithEnds { row, predecessor, successor })
}

/// Holds projects in the order of their ids, and says which projects are computed together with them.
pub async fn hold(
    tx: &mut Tx,
    lock: &mut PlanLock,
    projects: impl IntoIterator<Item = ProjectId>,
) -> Result<Vec<ProjectId>> {
    let projects: BTreeSet<ProjectId> = projects.into_iter().collect();
    if projects.len() > 1 {
        schedule::lock_with_linked(tx, projects.iter().copied().collect()).await?;
    }
    let mut together = BTreeSet::new();
    for project in projects {
        together.extend(lock.hold(tx, project).await?.into_iter().map(|input| input.id));
    }
    Ok(together.into_iter().collect())
}

/// Makes a link.
pub async fn create(
    tx: &mut Tx,
    lock: &mut PlanLock,
    actor: UserId,
    request: NewLink,
) -> ApiResult<DependencyRow> {
    let mut made = create_many(tx, lock, actor, &[request], Board::EachRow).await?;
    made.pop().unwrap_or(Err(Refusal::Unseen)).map_err(ApiError::from)
}

/// Makes many links at once, each validated as if it came alone, except that cycles are looked for with all of them in place.
///
/// The answers stand in the order of the requests. `board` says whether boards hear of single links.
pub async fn create_many(
    tx: &mut Tx,
    lock: &mut PlanLock,
    actor: UserId,
    requests: &[NewLink],
    board: Board,
) -> ApiResult<Vec<Outcome<DependencyRow>>> {
    let tasks = || requests.iter().flat_map(|request| [request.predecessor, request.successor]);
    let mut ends = queries::ends(tx, actor, tasks()).await?;
    let validate = |ends: &HashMap<TaskId, LinkEnd>| -> Vec<Outcome<Consent>> {
        let of =
            |request: &NewLink| rules::consent(ends.get(&request.predecessor), ends.get(&request.successor));
        requests.iter().map(of).collect()
    };
    let mut planned = validate(&ends);
    let touched = |planned: &[Outcome<Consent>], ends: &HashMap<TaskId, LinkEnd>| -> Vec<ProjectId> {
        let allowed = requests.iter().zip(planned).filter(|(_, outcome)| outcome.is_ok());
        let tasks = allowed.flat_map(|(request, _)| [request.predecessor, request.successor]);
        tasks.filter_map(|task| ends.get(&task).map(|end| end.project_id)).collect()
    };
    let projects = touched(&planned, &ends);
    let is_news = projects.iter().any(|project| lock.counter(*project) == 0);
    let together = hold(tx, lock, projects).await?;
    if is_news {
        // What was read before the hold may have changed by now.
        ends = queries::ends(tx, actor, tasks()).await?;
        planned = validate(&ends);
    }
    refuse_duplicates(tx, requests, &mut planned).await?;
    lags::refuse_long_ones(tx, requests, &ends, &mut planned).await?;
    refuse_cycles(tx, actor, &together, requests, &mut planned).await?;
    let mut outcomes = Vec::with_capacity(requests.len());
    for (request, outcome) in requests.iter().zip(planned) {
        outcomes.push(outcome.and_then(|consent| fresh(tx, actor, &ends, request, consent)));
    }
    let made: Vec<&DependencyRow> = outcomes.iter().flatten().collect();
    write_new(tx, lock, actor, &made, &ends, board).await?;
    Ok(outcomes)
}

async fn refuse_duplicates(tx: &Tx, requests: &[NewLink], planned: &mut [Outcome<Consent>]) -> Result<()> {
    let successors = requests.iter().zip(planned.iter()).filter(|(_, outcome)| outcome.is_ok());
    let mut known =
        queries::keys_into(tx, successors.map(|(request, _)| request.successor).collect()).await?;
    for (request, outcome) in requests.iter().zip(planned).filter(|(_, outcome)| outcome.is_ok()) {
        if !known.insert(LinkKey::from(request)) {
            *outcome = Err(Refusal::Duplicate);
        }
    }
    Ok(())
}

async fn refuse_cycles(
    tx: &Tx,
    actor: UserId,
    together: &[ProjectId],
    requests: &[NewLink],
    planned: &mut [Outcome<Consent>],
) -> Result<()> {
    let at: Vec<usize> = (0..requests.len()).filter(|at| planned[*at].is_ok()).collect();
    if at.is_empty() {
        return Ok(());
    }
    let new: Vec<(TaskId, TaskId)> =
        at.iter().map(|at| (requests[*at].predecessor, requests[*at].successor)).collect();
    for (place, refusal) in cycles(tx, actor, together, &new, None).await? {
        planned[at[place]] = Err(refusal);
    }
    Ok(())
}

/// Refuses a link that is there already, should it close a cycle as it is to be.
async fn refuse_cycle(tx: &Tx, actor: UserId, together: &[ProjectId], row: &DependencyRow) -> ApiResult<()> {
    let ends = [(row.predecessor_id, row.successor_id)];
    match cycles(tx, actor, together, &ends, Some(row.id)).await?.pop() {
        Some((_, refusal)) => Err(refusal.into()),
        None => Ok(()),
    }
}

/// Which of the new links would close a cycle in these projects, by their places; `replaced` is the link that one of
/// them takes the place of.
async fn cycles(
    tx: &Tx,
    actor: UserId,
    together: &[ProjectId],
    new: &[(TaskId, TaskId)],
    replaced: Option<DependencyId>,
) -> Result<Vec<(usize, Refusal)>> {
    let rows = schedule::queries::parents(tx, together).await?;
    let links = queries::holding(tx, together, replaced).await?;
    let offences = Precedence::of(&rows, &links).offending_edges(new);
    spelled(tx, actor, &offences).await
}

/// Brings links back from an act of deletion; those that would lie on a circle now stay with it, and all others return.
pub async fn give_back(
    tx: &mut Tx,
    lock: &mut PlanLock,
    together: &[ProjectId],
    mut lost: Vec<LinkRow>,
) -> Result<Vec<LinkRow>> {
    // What waits to be accepted holds nothing, and is looked at when it is.
    lost.sort_by_key(|link| link.pending_acceptance);
    let holding = lost.iter().filter(|link| !link.pending_acceptance);
    let ends: Vec<_> = holding.map(|link| (link.predecessor_id, link.successor_id)).collect();
    if !ends.is_empty() {
        let rows = schedule::queries::parents(tx, together).await?;
        let links = queries::holding(tx, together, None).await?;
        for offence in Precedence::of(&rows, &links).offending_edges(&ends).iter().rev() {
            lost.remove(offence.link);
        }
    }
    let stamped: Vec<_> =
        lost.iter().map(|link| (link.id, lock.counter(link.successor_project_id))).collect();
    queries::give(tx, &stamped).await?;
    let moving = lost.iter().filter(|link| !link.pending_acceptance);
    moving.flat_map(LinkRow::projects).for_each(|project| lock.moves_dates(project));
    Ok(lost)
}

/// Refuses a rearrangement of the outline after which links of the rows that moved close a cycle they did not close before.
/// `parents` are the rows of the project that was rearranged, each with the row above it now.
pub async fn refuse_circles_through(
    tx: &Tx,
    actor: UserId,
    together: &[ProjectId],
    parents: &[(TaskId, Option<TaskId>)],
    moved: &HashSet<TaskId>,
) -> ApiResult<()> {
    let (theirs, others): (Vec<_>, Vec<_>) = queries::holding(tx, together, None)
        .await?
        .into_iter()
        .partition(|(predecessor, successor)| moved.contains(predecessor) || moved.contains(successor));
    if theirs.is_empty() {
        return Ok(());
    }
    let before = schedule::queries::parents(tx, together).await?;
    let now: HashMap<TaskId, Option<TaskId>> = parents.iter().copied().collect();
    let after: Vec<_> = before.iter().map(|(id, above)| (*id, *now.get(id).unwrap_or(above))).collect();
    let mut offences = Precedence::of(&after, &others).offending_edges(&theirs);
    if !offences.is_empty() {
        let known = Precedence::of(&before, &others).offending_edges(&theirs);
        offences.retain(|offence| known.iter().all(|known| known.link != offence.link));
    }
    match spelled(tx, actor, &offences).await?.pop() {
        Some((_, refusal)) => Err(refusal.into()),
        None => Ok(()),
    }
}

/// Offences as refusals, each by the place of its link and with the names of the rows on its cycle.
async fn spelled(tx: &Tx, actor: UserId, offences: &[Offence]) -> Result<Vec<(usize, Refusal)>> {
    if offences.is_empty() {
        return Ok(Vec::new());
    }
    let on_them: HashSet<TaskId> =
        offences.iter().flat_map(|offence| offence.cycle.iter().copied()).collect();
    let names = queries::names(tx, actor, on_them).await?;
    let step = |id: &TaskId| {
        let named = names.get(id).filter(|row| row.is_readable);
        let text = |text: fn(&queries::Named) -> &String| named.map(text).cloned().unwrap_or_default();
        CycleStep { id: *id, name: text(|row| &row.name), hex_id: text(|row| &row.short_id) }
    };
    // Links on one cycle share the list of its rows.
    let mut shared: HashMap<*const TaskId, Arc<[CycleStep]>> = HashMap::new();
    let mut refusals = Vec::with_capacity(offences.len());
    for offence in offences {
        let steps =
            shared.entry(offence.cycle.as_ptr()).or_insert_with(|| offence.cycle.iter().map(step).collect());
        refusals.push((offence.link, Refusal::Cyclic(steps.clone())));
    }
    Ok(refusals)
}

fn fresh(
    tx: &Tx,
    actor: UserId,
    ends: &HashMap<TaskId, LinkEnd>,
    request: &NewLink,
    consent: Consent,
) -> Outcome<DependencyRow> {
    let project =
        |task: &TaskId, field| ends.get(task).map(|end| end.project_id).ok_or(Refusal::UnknownEnd(field));
    let mut row = DependencyRow {
        id: tx.mint(),
        predecessor_id: request.predecessor,
        successor_id: request.successor,
        predecessor_project_id: project(&request.predecessor, "predecessor")?,
        successor_project_id: project(&request.successor, "successor")?,
        dep_type: request.dep_type,
        lag: request.lag,
        pending_acceptance: false,
        accepted_by: None,
        accepted_at: None,
        is_driving: false,
        created_at: tx.now(),
        server_version: 1,
    };
    settle_consent(tx, actor, &mut row, consent);
    Ok(row)
}

fn settle_consent(tx: &Tx, actor: UserId, row: &mut DependencyRow, consent: Consent) {
    let is_given = consent == Consent::Given;
    row.pending_acceptance = consent == Consent::Pending;
    row.accepted_by = is_given.then_some(actor);
    row.accepted_at = is_given.then(|| tx.now());
}

pub(super) async fn write_new(
    tx: &mut Tx,
    lock: &mut PlanLock,
    actor: UserId,
    made: &[&DependencyRow],
    ends: &HashMap<TaskId, LinkEnd>,
    board: Board,
) -> Result<()> {
    tx.insert_each(made.iter().map(|row| (*row, numbered(lock, row))).collect()).await?;
    let mut changes = Vec::with_capacity(made.len());
    let mut messages = Vec::with_capacity(2 * made.len());
    for row in made {
        let Some((from, to)) = ends.get(&row.predecessor_id).zip(ends.get(&row.successor_id)) else {
            continue;
        };
        changes.push(change(row, to, ChangeKind::Created, actor).whole(row));
        let told = json!({
            "id": row.id, "predecessor": row.predecessor_id, "successor": row.successor_id,
            "dep_type": row.dep_type, "lag": row.lag,
        });
        let hook = Some((WebhookEvent::DependencyCreated, told));
        let heard = news(row, [from, to], SocketEvent::DependencyCreated, hook);
        let is_heard =
            |message: &Message| board == Board::EachRow || matches!(message.event, Event::Webhook(_));
        messages.extend(heard.into_iter().filter(is_heard));
        note_move(lock, row);
    }
    tx.record_each(changes).await?;
    tx.emit_each(messages).await
}

fn change(row: &DependencyRow, successor: &LinkEnd, kind: ChangeKind, actor: UserId) -> Change {
    Change {
        project: Some(row.successor_project_id),
        program: successor.program_id,
        version: row.server_version,
        ..Change::of("dependency", row.id, kind, actor)
    }
}

/// What both projects are told. Subscriptions of their program hear of it once, by the successor's project.
fn news(
    row: &DependencyRow,
    ends: [&LinkEnd; 2],
    socket: SocketEvent,
    hook: Option<(WebhookEvent, Json)>,
) -> Vec<Message> {
    let [from, to] = ends;
    let places = match from.project_id == to.project_id {
        true => vec![(to, to.program_id)],
        false if from.program_id == to.program_id => vec![(to, to.program_id), (from, None)],
        false => vec![(to, to.program_id), (from, from.program_id)],
    };
    let message = |event, end: &LinkEnd, program, payload: &Json| Message {
        event,
        project: Some(end.project_id),
        program,
        payload: payload.clone().into(),
    };
    let mut messages = Vec::new();
    for (end, program) in places {
        messages.push(message(Event::Socket(socket), end, end.program_id, &json!({ "id": row.id })));
        if let Some((event, payload)) = &hook {
            messages.push(message(Event::Webhook(*event), end, program, payload));
        }
    }
    messages
}

fn note_move(lock: &mut PlanLock, row: &DependencyRow) {
    if !row.pending_acceptance {
        lock.moves_dates(row.predecessor_project_id);
        lock.moves_dates(row.successor_project_id);
    }
}

/// Changes a link; other ends are validated like those of a new link, another type or lag is not.
pub async fn update(
    tx: &mut Tx,
    lock: &mut PlanLock,
    actor: UserId,
    link: &LinkWithEnds,
    request: PatchedDependencyRequest,
) -> ApiResult<()> {
    rules::may_write(&link.predecessor, &link.successor)?;
    let old = &link.row;
    let mut new = rules::changed(old, request);
    let tasks = [new.predecessor_id, new.successor_id];
    let is_moved = tasks != [old.predecessor_id, old.successor_id];
    if is_moved {
        let ends = queries::ends(tx, actor, tasks).await?;
        rules::consent(ends.get(&tasks[0]), ends.get(&tasks[1]))?;
        hold(tx, lock, ends.values().map(|end| end.project_id)).await?;
    }
    let mut ends = queries::ends(tx, actor, tasks).await?;
    let consent = match is_moved {
        true => Some(rules::consent(ends.get(&tasks[0]), ends.get(&tasks[1]))?),
        false => None,
    };
    let (from, to) = ends.remove(&tasks[0]).zip(ends.remove(&tasks[1])).ok_or_else(ApiError::not_found)?;
    (new.predecessor_project_id, new.successor_project_id) = (from.project_id, to.project_id);
    let together = hold(tx, lock, [from.project_id, to.project_id]).await?;
    if let Some(consent) = consent {
        settle_consent(tx, actor, &mut new, consent);
        refuse_cycle(tx, actor, &together, &new).await?;
    }
    let key = |row: &DependencyRow| LinkKey {
        predecessor_id: row.predecessor_id,
        successor_id: row.successor_id,
        dep_type: row.dep_type,
    };
    if key(&new) != key(old) && queries::keys_into(tx, vec![new.successor_id]).await?.contains(&key(&new)) {
        return Err(Refusal::Duplicate.into());
    }
    lags::refuse_longer(tx, old, &new).await?;
    rewrite(tx, lock, actor, link, (new, [from, to])).await
}

/// Writes a link as it is to be, unless it is that already.
pub(super) async fn rewrite(
    tx: &mut Tx,
    lock: &mut PlanLock,
    actor: UserId,
    link: &LinkWithEnds,
    (new, [from, to]): (DependencyRow, [LinkEnd; 2]),
) -> ApiResult<()> {
    let change = change(&new, &to, ChangeKind::Updated, actor).between(&link.row, &new);
    if change.fields.is_empty() {
        return Ok(());
    }
    write(tx, lock, &new).await?;
    if new.successor_project_id != link.row.successor_project_id {
        // The link is told by its new project; the one it left would not notice.
        schedule::forget(tx, link.row.successor_project_id).await?;
    }
    tx.record(Change { version: link.row.server_version + 1, ..change }).await?;
    let mut messages = news(&new, [&from, &to], SocketEvent::DependencyUpdated, None);
    let told: HashSet<_> = messages.iter().map(|message| message.project).collect();
    let left = news(&link.row, [&link.predecessor, &link.successor], SocketEvent::DependencyUpdated, None);
    messages.extend(left.into_iter().filter(|message| !told.contains(&message.project)));
    tx.emit_each(messages).await?;
    note_move(lock, &link.row);
    note_move(lock, &new);
    Ok(())
}

/// Accepts a link that waits for the successor's project.
pub async fn accept(tx: &mut Tx, lock: &mut PlanLock, actor: UserId, link: &LinkWithEnds) -> ApiResult<()> {
    let LinkWithEnds { row, predecessor, successor } = link;
    rules::may_decide(row, predecessor, successor)?;
    if !rules::share_a_program(predecessor, successor) {
        return Err(Refusal::Apart.into());
    }
    let together = hold(tx, lock, [row.predecessor_project_id, row.successor_project_id]).await?;
    refuse_cycle(tx, actor, &together, row).await?;
    let mut accepted = row.clone();
    settle_consent(tx, actor, &mut accepted, Consent::Given);
    write(tx, lock, &accepted).await?;
    let change = change(row, successor, ChangeKind::Updated, actor).between(row, &accepted);
    tx.record(Change { version: row.server_version + 1, ..change }).await?;
    tx.emit_each(news(row, [predecessor, successor], SocketEvent::DependencyAccepted, None)).await?;
    note_move(lock, &accepted);
    Ok(())
}

/// The change of a link is numbered where its successor is.
fn numbered(lock: &PlanLock, row: &DependencyRow) -> Columns {
    column("change_number", lock.counter(row.successor_project_id))
}

/// Writes all of a link and raises its version; whether it drives is left to the recalculation, unless it holds nothing.
async fn write(tx: &mut Tx, lock: &PlanLock, row: &DependencyRow) -> Result<()> {
    let mut row = row.clone();
    row.is_driving &= !row.pending_acceptance;
    row.server_version += 1;
    tx.update(&row, numbered(lock, &row)).await
}

/// Rejects a link that waits for the successor's project, which takes it away.
pub async fn reject(tx: &mut Tx, lock: &mut PlanLock, actor: UserId, link: &LinkWithEnds) -> ApiResult<()> {
    rules::may_decide(&link.row, &link.predecessor, &link.successor)?;
    take_away(tx, lock, actor, link, SocketEvent::DependencyRejected).await
}

/// Deletes a link; no computation counts it from then on.
pub async fn delete(tx: &mut Tx, lock: &mut PlanLock, actor: UserId, link: &LinkWithEnds) -> ApiResult<()> {
    rules::may_write(&link.predecessor, &link.successor)?;
    take_away(tx, lock, actor, link, SocketEvent::DependencyDeleted).await
}

async fn take_away(
    tx: &mut Tx,
    lock: &mut PlanLock,
    actor: UserId,
    link: &LinkWithEnds,
    event: SocketEvent,
) -> ApiResult<()> {
    let LinkWithEnds { row, predecessor, successor } = link;
    hold(tx, lock, [row.predecessor_project_id, row.successor_project_id]).await?;
    let project = row.successor_project_id;
    let deletion = tx.begin_deletion("dependency", row.id, Some(actor), Some(project)).await?;
    queries::delete(tx, deletion, &[(row.id, lock.counter(project))]).await?;
    let change = change(row, successor, ChangeKind::Deleted, actor).whole(row);
    tx.record(Change { version: row.server_version + 1, ..change }).await?;
    let hook = Some((WebhookEvent::DependencyDeleted, json!({ "id": row.id })));
    tx.emit_each(news(row, [predecessor, successor], event, hook)).await?;
    note_move(lock, row);
    Ok(())
}
