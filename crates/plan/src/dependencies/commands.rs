//! The commands that write links, the same for every way in: each within a turn that its caller takes and ends.
//! They judge, write rows, history and events, and tell the turn what moves; they answer nobody.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use planwright_domain::events::{SocketEvent, WebhookEvent};
use planwright_domain::ids::{DependencyId, ProjectId, TaskId, UserId};
use planwright_domain::words::ChangeKind;
use planwright_store::history::Change;
use planwright_store::outbox::{Event, Message};
use planwright_store::{Read, Result, Tx};
use planwright_web::{ApiError, ApiResult};
use serde_json::{Value as Json, json};

use super::cycle::{Offence, Precedence};
use super::lags;
use super::model::{CycleStep, DependencyRow, End, NewLink, PatchedDependencyRequest};
use super::queries::{self, LinkKey, Tie};
use super::rules::{self, Consent, Judged, Refusal};
use crate::schedule::{self, Turn};
use crate::shells::hold_with_linked;

/// A live link with its ends, as its writer may see them.
#[derive(Clone, Debug)]
pub struct Link {
    /// The link.
    pub row: DependencyRow,
    /// The task that drives.
    pub predecessor: End,
    /// The task that is driven.
    pub successor: End,
}

/// Reads the ends of a link.
pub async fn with_ends(db: &impl Read, actor: UserId, row: DependencyRow) -> ApiResult<Link> {
    let mut ends = queries::ends(db, actor, [row.predecessor_id, row.successor_id]).await?;
    let predecessor = ends.remove(&row.predecessor_id).ok_or_else(ApiError::not_found)?;
    let successor = ends.remove(&row.successor_id).ok_or_else(ApiError::not_found)?;
    Ok(Link { row, predecessor, successor })
}

/// Holds projects in the order of their ids, and says which projects are computed together with them.
pub async fn hold(
    tx: &mut Tx,
    turn: &mut Turn,
    projects: impl IntoIterator<Item = ProjectId>,
) -> Result<Vec<ProjectId>> {
    let projects: BTreeSet<ProjectId> = projects.into_iter().collect();
    if projects.len() > 1 {
        hold_with_linked(tx, projects.iter().copied().collect()).await?;
    }
    let mut together = BTreeSet::new();
    for project in projects {
        together.extend(turn.hold(tx, project).await?.into_iter().map(|input| input.id));
    }
    Ok(together.into_iter().collect())
}

/// Makes a link.
pub async fn create(tx: &mut Tx, turn: &mut Turn, actor: UserId, wish: NewLink) -> ApiResult<DependencyRow> {
    let mut made = create_many(tx, turn, actor, &[wish]).await?;
    made.pop().unwrap_or(Err(Refusal::Unseen)).map_err(ApiError::from)
}

/// Makes many links at once, each judged as if it came alone, except that cycles are looked for with all of them in place.
///
/// The answers stand in the order of the wishes.
pub async fn create_many(
    tx: &mut Tx,
    turn: &mut Turn,
    actor: UserId,
    wishes: &[NewLink],
) -> ApiResult<Vec<Judged<DependencyRow>>> {
    let tasks = || wishes.iter().flat_map(|wish| [wish.predecessor, wish.successor]);
    let mut ends = queries::ends(tx, actor, tasks()).await?;
    let judge = |ends: &HashMap<TaskId, End>| -> Vec<Judged<Consent>> {
        let of = |wish: &NewLink| rules::consent(ends.get(&wish.predecessor), ends.get(&wish.successor));
        wishes.iter().map(of).collect()
    };
    let mut judged = judge(&ends);
    let touched = |judged: &[Judged<Consent>], ends: &HashMap<TaskId, End>| -> Vec<ProjectId> {
        let allowed = wishes.iter().zip(judged).filter(|(_, outcome)| outcome.is_ok());
        let tasks = allowed.flat_map(|(wish, _)| [wish.predecessor, wish.successor]);
        tasks.filter_map(|task| ends.get(&task).map(|end| end.project_id)).collect()
    };
    let projects = touched(&judged, &ends);
    let is_news = projects.iter().any(|project| turn.counter(*project) == 0);
    let together = hold(tx, turn, projects).await?;
    if is_news {
        // What was read before the hold may have changed by now.
        ends = queries::ends(tx, actor, tasks()).await?;
        judged = judge(&ends);
    }
    refuse_duplicates(tx, wishes, &mut judged).await?;
    lags::refuse_long_ones(tx, wishes, &ends, &mut judged).await?;
    refuse_cycles(tx, actor, &together, wishes, &mut judged).await?;
    let mut outcomes = Vec::with_capacity(wishes.len());
    for (wish, outcome) in wishes.iter().zip(judged) {
        outcomes.push(outcome.and_then(|consent| fresh(tx, actor, &ends, wish, consent)));
    }
    let made: Vec<&DependencyRow> = outcomes.iter().flatten().collect();
    write_new(tx, turn, actor, &made, &ends).await?;
    Ok(outcomes)
}

async fn refuse_duplicates(tx: &Tx, wishes: &[NewLink], judged: &mut [Judged<Consent>]) -> Result<()> {
    let successors = wishes.iter().zip(judged.iter()).filter(|(_, outcome)| outcome.is_ok());
    let mut known = queries::keys_into(tx, successors.map(|(wish, _)| wish.successor).collect()).await?;
    for (wish, outcome) in wishes.iter().zip(judged).filter(|(_, outcome)| outcome.is_ok()) {
        if !known.insert(LinkKey::from(wish)) {
            *outcome = Err(Refusal::Duplicate);
        }
    }
    Ok(())
}

async fn refuse_cycles(
    tx: &Tx,
    actor: UserId,
    together: &[ProjectId],
    wishes: &[NewLink],
    judged: &mut [Judged<Consent>],
) -> Result<()> {
    let at: Vec<usize> = (0..wishes.len()).filter(|at| judged[*at].is_ok()).collect();
    if at.is_empty() {
        return Ok(());
    }
    let new: Vec<(TaskId, TaskId)> =
        at.iter().map(|at| (wishes[*at].predecessor, wishes[*at].successor)).collect();
    for (place, refusal) in cycles(tx, actor, together, &new, None).await? {
        judged[at[place]] = Err(refusal);
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
    let rows = queries::outline(tx, together).await?;
    let links = queries::holding(tx, together, replaced).await?;
    let offences = Precedence::of(&rows, &links).offending_edges(new);
    spelled(tx, actor, &offences).await
}

/// Brings links back from an act of deletion; those that would lie on a circle now stay with it, and all others return.
pub async fn give_back(
    tx: &mut Tx,
    turn: &mut Turn,
    together: &[ProjectId],
    mut lost: Vec<Tie>,
) -> Result<Vec<Tie>> {
    // What waits to be accepted holds nothing, and is looked at when it is.
    lost.sort_by_key(|tie| tie.pending_acceptance);
    let holding = lost.iter().filter(|tie| !tie.pending_acceptance);
    let ends: Vec<_> = holding.map(|tie| (tie.predecessor_id, tie.successor_id)).collect();
    if !ends.is_empty() {
        let rows = queries::outline(tx, together).await?;
        let links = queries::holding(tx, together, None).await?;
        for offence in Precedence::of(&rows, &links).offending_edges(&ends).iter().rev() {
            lost.remove(offence.link);
        }
    }
    let stamped: Vec<_> = lost.iter().map(|tie| (tie.id, turn.counter(tie.successor_project_id))).collect();
    queries::give(tx, &stamped).await?;
    let moving = lost.iter().filter(|tie| !tie.pending_acceptance);
    moving.flat_map(Tie::projects).for_each(|project| turn.moves_dates(project));
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
    let before = queries::outline(tx, together).await?;
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
    ends: &HashMap<TaskId, End>,
    wish: &NewLink,
    consent: Consent,
) -> Judged<DependencyRow> {
    let project =
        |task: &TaskId, field| ends.get(task).map(|end| end.project_id).ok_or(Refusal::UnknownEnd(field));
    let mut row = DependencyRow {
        id: tx.mint(),
        predecessor_id: wish.predecessor,
        successor_id: wish.successor,
        predecessor_project_id: project(&wish.predecessor, "predecessor")?,
        successor_project_id: project(&wish.successor, "successor")?,
        dep_type: wish.dep_type,
        lag: wish.lag,
        pending_acceptance: false,
        accepted_by: None,
        accepted_at: None,
        is_driving: false,
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

async fn write_new(
    tx: &mut Tx,
    turn: &mut Turn,
    actor: UserId,
    made: &[&DependencyRow],
    ends: &HashMap<TaskId, End>,
) -> Result<()> {
    let stamped: Vec<(DependencyRow, i64)> =
        made.iter().map(|row| ((*row).clone(), turn.counter(row.successor_project_id))).collect();
    queries::insert(tx, &stamped).await?;
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
        messages.extend(news(row, [from, to], SocketEvent::DependencyCreated, hook));
        note_move(turn, row);
    }
    tx.record_each(changes).await?;
    tx.emit_each(messages).await
}

fn change(row: &DependencyRow, successor: &End, kind: ChangeKind, actor: UserId) -> Change {
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
    ends: [&End; 2],
    socket: SocketEvent,
    hook: Option<(WebhookEvent, Json)>,
) -> Vec<Message> {
    let [from, to] = ends;
    let places = match from.project_id == to.project_id {
        true => vec![(to, to.program_id)],
        false if from.program_id == to.program_id => vec![(to, to.program_id), (from, None)],
        false => vec![(to, to.program_id), (from, from.program_id)],
    };
    let message = |event, end: &End, program, payload: &Json| Message {
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

fn note_move(turn: &mut Turn, row: &DependencyRow) {
    if !row.pending_acceptance {
        turn.moves_dates(row.predecessor_project_id);
        turn.moves_dates(row.successor_project_id);
    }
}

/// Changes a link; other ends are judged like a new link's, another type or lag is not.
pub async fn update(
    tx: &mut Tx,
    turn: &mut Turn,
    actor: UserId,
    link: &Link,
    wish: PatchedDependencyRequest,
) -> ApiResult<()> {
    rules::may_write(&link.predecessor, &link.successor)?;
    let old = &link.row;
    let mut new = rules::changed(old, wish);
    let tasks = [new.predecessor_id, new.successor_id];
    let is_moved = tasks != [old.predecessor_id, old.successor_id];
    if is_moved {
        let ends = queries::ends(tx, actor, tasks).await?;
        rules::consent(ends.get(&tasks[0]), ends.get(&tasks[1]))?;
        hold(tx, turn, ends.values().map(|end| end.project_id)).await?;
    }
    let mut ends = queries::ends(tx, actor, tasks).await?;
    let consent = match is_moved {
        true => Some(rules::consent(ends.get(&tasks[0]), ends.get(&tasks[1]))?),
        false => None,
    };
    let (from, to) = ends.remove(&tasks[0]).zip(ends.remove(&tasks[1])).ok_or_else(ApiError::not_found)?;
    (new.predecessor_project_id, new.successor_project_id) = (from.project_id, to.project_id);
    let together = hold(tx, turn, [from.project_id, to.project_id]).await?;
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
    rewrite(tx, turn, actor, link, (new, [from, to])).await
}

/// Writes a link as it is to be, unless it is that already.
async fn rewrite(
    tx: &mut Tx,
    turn: &mut Turn,
    actor: UserId,
    link: &Link,
    (new, [from, to]): (DependencyRow, [End; 2]),
) -> ApiResult<()> {
    let change = change(&new, &to, ChangeKind::Updated, actor).between(&link.row, &new);
    if change.fields.is_empty() {
        return Ok(());
    }
    queries::update(tx, &new, turn.counter(new.successor_project_id)).await?;
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
    note_move(turn, &link.row);
    note_move(turn, &new);
    Ok(())
}

/// Accepts a link that waits for the successor's project.
pub async fn accept(tx: &mut Tx, turn: &mut Turn, actor: UserId, link: &Link) -> ApiResult<()> {
    let Link { row, predecessor, successor } = link;
    rules::may_decide(row, predecessor, successor)?;
    if !rules::share_a_program(predecessor, successor) {
        return Err(Refusal::Apart.into());
    }
    let together = hold(tx, turn, [row.predecessor_project_id, row.successor_project_id]).await?;
    refuse_cycle(tx, actor, &together, row).await?;
    let mut accepted = row.clone();
    settle_consent(tx, actor, &mut accepted, Consent::Given);
    queries::update(tx, &accepted, turn.counter(row.successor_project_id)).await?;
    let change = change(row, successor, ChangeKind::Updated, actor).between(row, &accepted);
    tx.record(Change { version: row.server_version + 1, ..change }).await?;
    tx.emit_each(news(row, [predecessor, successor], SocketEvent::DependencyAccepted, None)).await?;
    note_move(turn, &accepted);
    Ok(())
}

/// Rejects a link that waits for the successor's project, which takes it away.
pub async fn reject(tx: &mut Tx, turn: &mut Turn, actor: UserId, link: &Link) -> ApiResult<()> {
    rules::may_decide(&link.row, &link.predecessor, &link.successor)?;
    take_away(tx, turn, actor, link, SocketEvent::DependencyRejected).await
}

/// Deletes a link; no computation counts it from then on.
pub async fn delete(tx: &mut Tx, turn: &mut Turn, actor: UserId, link: &Link) -> ApiResult<()> {
    rules::may_write(&link.predecessor, &link.successor)?;
    take_away(tx, turn, actor, link, SocketEvent::DependencyDeleted).await
}

async fn take_away(
    tx: &mut Tx,
    turn: &mut Turn,
    actor: UserId,
    link: &Link,
    event: SocketEvent,
) -> ApiResult<()> {
    let Link { row, predecessor, successor } = link;
    hold(tx, turn, [row.predecessor_project_id, row.successor_project_id]).await?;
    let project = row.successor_project_id;
    let deletion = tx.begin_deletion("dependency", row.id, Some(actor), Some(project)).await?;
    queries::delete(tx, deletion, &[(row.id, turn.counter(project))]).await?;
    let change = change(row, successor, ChangeKind::Deleted, actor).whole(row);
    tx.record(Change { version: row.server_version + 1, ..change }).await?;
    let hook = Some((WebhookEvent::DependencyDeleted, json!({ "id": row.id })));
    tx.emit_each(news(row, [predecessor, successor], event, hook)).await?;
    note_move(turn, row);
    Ok(())
}
